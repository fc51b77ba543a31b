"""What the golden file of the Markdown report does not cover."""

import io

import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.result_builders import attempt, case, failed, result, spec, turn

from vivavoce.model.result import AgentVersion, RunReport, Status
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.model.workspace import FileChange, WorkspaceAfter
from vivavoce.reporters.markdown import case_section, escaped, fenced, summary_rows, table, write_markdown


def written(report: RunReport) -> str:
    out = io.StringIO()
    write_markdown(report, out)
    return out.getvalue()


def test_summary_and_heading_are_the_seeds():
    text = written(results.report_of([results.plain("T001", seconds=0.234)]))
    assert text.startswith("# Agent Test Report\n\n## Summary\n\n| Metric    | Value              |\n")
    assert "| Pass Rate | 100.0%             |" in text
    assert "\n### ✅ T001 - Passed (234ms)\n" in text


def test_a_block_cannot_be_broken_out_of():
    text = "\n".join(fenced("a\n````\n<script>\n`````"))
    assert text.startswith("``````text\n")
    assert text.rstrip().endswith("\n``````")


@pytest.mark.parametrize("special", list("\\`*_[]<>|#~&$"))
def test_words_outside_of_blocks_mean_nothing_to_markdown(special: str):
    assert escaped(f"a{special}b") == f"a\\{special}b"


def test_a_table_keeps_its_columns_whatever_a_cell_holds():
    lines = table(("A", "B"), [("x|y", "two\nlines")]).splitlines()
    assert lines == ["| A    | B         |", "| ---- | --------- |", "| x\\|y | two lines |"]


def test_a_huge_output_is_cut_and_says_so():
    assert "… (50,000 characters)" in fenced("x" * 50_000)[1]


def test_a_run_that_ended_early_says_so():
    listed = [results.plain()]
    report = results.report_of(listed)
    summary = results.summary_of(listed, interrupted="fail-fast", not_run=4, total=5)
    stopped = structs.replace(report, summary=summary)
    assert "> ⚠️ The run ended early (fail-fast): 4 cases were not run." in written(stopped)


def test_everything_skipped_is_said_loudly():
    assert "> ⚠️ Everything was skipped: nothing was tested." in written(results.report_of([results.skipped()]))


def test_found_stands_against_wanted_in_a_diff_block():
    text = "\n".join(case_section(results.wrong_argument()))
    assert '```diff\n- found\n+ wanted\n\n- "I charged your card."\n+ "receipt"\n```' in text


def test_what_is_attached_is_named_with_its_size():
    picture = {"type": "image_url", "image_url": {"url": "viva-attachment:image/png;bytes=2048;sha256=" + "0" * 64}}
    said = turn(1, [{"type": "text", "text": "look"}, picture], "a cat")
    text = "\n".join(case_section(result(case("T1", "look"), attempt(said))))
    assert "Attached: \\[image/png, 2 KB\\]" in text


def test_what_nobody_wanted_stands_against_nothing_and_not_against_null():
    surplus = failed(spec("equals", value={}), "b was not wanted", diff=[{"path": "b", "actual": "xx"}])
    text = "\n".join(case_section(result(case("T1", "hi"), attempt(status=Status.FAILED, verdicts=(surplus,)))))
    assert '- b: "xx"\n+ b: (nothing)' in text


def test_further_lines_of_a_reason_stand_in_a_block():
    broken = results.unreachable()
    attempt = structs.replace(broken.attempts[0], error="agent error: Traceback\n  File x\nValueError")
    text = "\n".join(case_section(structs.replace(broken, attempts=(attempt,))))
    assert "**agent error: Traceback**" in text
    assert "```text\n  File x\nValueError\n```" in text


def test_checkpoints_are_described_and_judges_heard():
    missed = results.missed_checkpoint()
    attempt = missed.attempts[0]
    first, *rest = attempt.checkpoints
    judged = Verdict(outcome=Outcome.PASSED, reason="it asks", score=0.934, spec=spec("agent", value="asks politely"))
    described = structs.replace(first, description="Asks for the type", verdicts=(judged,))
    attempt = structs.replace(attempt, checkpoints=(described, *rest), verdicts=(judged,))
    text = "\n".join(case_section(structs.replace(missed, attempts=(attempt,))))
    assert f"{first.id.replace('_', chr(92) + '_')}: Asks for the type" in text
    assert 'agent "asks politely"' in text
    assert text.count("it asks (score 0.93)") == 2


def test_what_an_agent_left_in_its_workspace_is_shown_with_the_difference():
    result = results.plain("a")
    after = WorkspaceAfter(
        source="shop",
        files=("a_b.txt",),
        changes=(FileChange(path="a_b.txt", change="changed", size=2, size_before=2, diff="-a\n+```b"),),
        more_changes=2,
    )
    attempt = structs.replace(result.attempts[0], workspace=after)
    text = "\n".join(case_section(structs.replace(result, attempts=(attempt,))))
    assert "**Workspace shop: 3 changes**" in text
    assert "- changed a\\_b.txt (2 bytes → 2 bytes)\n- … and 2 more" in text
    assert "````text\na_b.txt\n-a\n+```b\n````" in text
    assert "**Files afterwards**\n\n```text\na_b.txt\n```" in text


def test_what_tells_a_run_from_others_is_in_the_table():
    report = results.report_of([results.plain("a")])
    agents = {"shop": AgentVersion(model="gpt-5")}
    info = structs.replace(
        report.info, title="night|ly", revision="3f2a90c1b7de", branch="main", dirty=True, agents=agents
    )
    rows = summary_rows(info, report.summary)
    assert ("Title", "night|ly") in rows
    assert ("Commit", "3f2a90c (with uncommitted changes) on main") in rows
    assert ("Model", "gpt-5") in rows
    assert "Title" not in dict(summary_rows(report.info, report.summary))
