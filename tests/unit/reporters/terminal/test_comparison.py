"""What `viva diff` prints, and what it asks of a page."""

import re
from io import StringIO
from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes.kept_runs import changed, keep_run
from tests.fakes.result_builders import attempt, call, case, result, turn
from tests.fakes.results import conversation, flaky, hostile, plain

from vivavoce.model.result import CaseResult, Status
from vivavoce.reporters.html.comparison_page import write_comparison
from vivavoce.reporters.terminal.comparison import comparison_lines
from vivavoce.reporters.terminal.style import Look
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.results.comparison.run_comparison import compare_runs as comparison_of
from vivavoce.results.history.reading import History
from vivavoce.results.stored_runs import StoredRun


@pytest.fixture
def compare_runs(tmp_path: Path):
    def runs(before: list[CaseResult], after: list[CaseResult]) -> RunComparison:
        history = History(tmp_path / "history.db")
        keep_run(tmp_path / "history.db", "before", before)
        keep_run(tmp_path / "history.db", "after", after)
        return comparison_of(StoredRun(history, "before"), StoredRun(history, "after"))

    return runs


def text_of(found: RunComparison, *, all_replies: bool = False) -> str:
    return "\n".join(comparison_lines(found, Look(width=100), all_replies=all_replies))


def test_what_broke_comes_first_with_the_difference_of_its_replies(compare_runs):
    found = compare_runs(
        [changed(plain("a"), says="All is well.\nSee you."), changed(plain("b"), status=Status.FAILED), plain("gone")],
        [changed(plain("a"), says="All is lost.\nSee you.", status=Status.FAILED), plain("b"), plain("new")],
    )
    text = text_of(found)
    assert re.search(
        r"New failures \(1\)\n  \[a\]\s+passed → failed\n(    .*\n)?      - All is well\.\n      \+ All is lost\.", text
    )
    assert "See you" in text
    assert re.search(r"Fixed \(1\)\n  \[b\]\s+failed → passed", text)
    assert "Added (1)\n  [new]" in text
    assert "Not in the later run (1)\n  [gone]" in text
    assert "1 new failure, 1 fixed, 1 added, 1 removed" in text
    assert found.regressed


def test_the_two_runs_are_named_in_lines_that_fit(compare_runs):
    found = compare_runs([plain("a")], [plain("a")])
    lines = list(comparison_lines(found, Look(width=40), all_replies=False))
    head = lines[: lines.index("")]
    assert len(head) > 2
    assert max(len(line) for line in head) <= 40
    assert " ".join(" ".join(head).split()).count("passed)") == 2


def test_replies_of_cases_judged_as_before_are_shown_only_when_asked_for(compare_runs):
    found = compare_runs([changed(plain("a"), says="good day")], [changed(plain("a"), says="good evening")])
    assert "good evening" not in text_of(found)
    assert "1 with other replies" in text_of(found)
    assert "+ good evening" in text_of(found, all_replies=True)
    assert not found.regressed


def test_lines_that_look_like_a_patch_are_shown_too(compare_runs):
    found = compare_runs([changed(plain("a"), says="-- old\nx")], [changed(plain("a"), says="++ new\nx")])
    text = text_of(found, all_replies=True)
    assert "- -- old" in text
    assert "+ ++ new" in text


def test_slower_cases_say_by_how_much(compare_runs):
    found = compare_runs([changed(plain("a"), ms=1000)], [changed(plain("a"), ms=3000)])
    assert re.search(r"Slower \(1\)\n  \[a\]\s+passed  1s → 3s \(\+200 %\)", text_of(found))


def test_repeated_cases_say_how_probable_the_change_is_by_chance(compare_runs):
    steady = structs.replace(
        flaky(),
        status=Status.PASSED,
        attempts=tuple(structs.replace(a, status=Status.PASSED) for a in flaky().attempts),
    )
    assert "by chance alone:" in text_of(compare_runs([steady], [flaky()]))


def test_an_incomplete_later_run_is_never_called_free_of_regressions(tmp_path: Path, compare_runs):
    found = compare_runs([plain("a"), plain("b")], [plain("a")])
    assert not found.regressed
    cut = structs.replace(found.kept_after, summary=structs.replace(found.kept_after.summary, not_run=1))
    assert structs.replace(found, kept_after=cut).regressed
    assert "incomplete: 1 of its cases" in text_of(structs.replace(found, kept_after=cut))


def test_escape_sequences_do_not_reach_the_terminal(compare_runs):
    found = compare_runs([changed(plain("a"), says="hi")], [changed(plain("a"), says="\x1b]0;owned\x07 hi"), hostile()])
    assert "\x1b" not in text_of(found, all_replies=True)


def test_the_page_holds_every_change_and_nothing_that_could_end_its_blocks(compare_runs):
    found = compare_runs(
        [changed(plain("a"), says="fine"), plain("same")],
        [changed(plain("a"), says="</script><script>alert(1)</script>"), plain("same"), conversation()],
    )
    out = StringIO()
    write_comparison(found, out)
    page = out.getvalue()
    assert page.count('class="row"') == 3, "both sides of a, and the added one"
    assert "<script>alert" not in page
    assert "\nimport " not in page
    assert "fetch(" not in page


def test_a_new_failure_says_why(compare_runs):
    failed = changed(plain("a"), status=Status.FAILED)
    attempt = structs.replace(failed.attempts[0], error="output does not contain 'refund'")
    found = compare_runs([plain("a")], [structs.replace(failed, attempts=(attempt,))])
    assert re.search(r"\[a\]\s+passed → failed\n    output does not contain 'refund'\n", text_of(found))


def test_other_tool_calls_are_shown_without_opening_anything_also_of_cases_that_pass(compare_runs):
    def calling(case_id: str, *names: str, status: Status = Status.PASSED) -> CaseResult:
        made = turn(1, "hi", "ok", calls=tuple(call(name, {"id": 7}) for name in names))
        return result(case(case_id, "hi"), attempt(made, status=status))

    found = compare_runs(
        [calling("a", "lookup", "refund"), calling("b", "lookup")],
        [calling("a", "refund", "lookup", "mail"), calling("b", status=Status.FAILED)],
    )
    text = text_of(found)
    assert re.search(r"\[b\]  passed → failed\n    - dropped: lookup\(\{id: 7\}\) in turn 1", text)
    assert "Other tool calls (1), judged as before\n  [a]  passed\n    → moved: " in text
    assert "    + added: mail({id: 7}) in turn 1" in text
    assert "2 with other tool calls" in text


def test_lines_fit_a_narrow_terminal(compare_runs):
    slow = structs.replace(flaky(), attempts=tuple(structs.replace(a, duration_ms=9e6) for a in flaky().attempts))
    found = compare_runs([flaky(), plain("b")], [slow, changed(plain("b"), ms=90_000, says="other")])
    lines = list(comparison_lines(found, Look(width=40, color=False, verbose=False), all_replies=False))
    assert max(map(len, lines)) <= 40
    assert any(line.startswith("    passed") for line in lines) or any("Slower" in line for line in lines)
