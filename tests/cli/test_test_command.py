"""`viva test` as a user meets it: the real process, its files, its exit codes."""

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject
from tests.fakes.commands import text_of

SAYS_ECHO = {"assert": {"type": "contains", "value": "echo"}}


def test_all_passed_is_exit_0_and_the_default_file_lies_beside_the_input(project: VivaProject):
    project.cases({"id": "a", "input": "hi", **SAYS_ECHO}, name="tests/cases.jsonl")
    done = project.viva("test", "-i", "tests/cases.jsonl")
    assert done.code == 0
    assert done.counts["Passed"] == 1
    [written] = (project.root / "tests").glob("output-*.jsonl")
    assert written.name in done.out


def test_a_failure_is_exit_1_and_says_where_what_and_how_to_run_it_again(project: VivaProject):
    project.cases({"id": "a", "input": "hi", "assert": {"type": "contains", "value": "goodbye"}})
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code == 1
    for piece in ("cases.jsonl:1", "goodbye", "echo: hi", "viva test -i cases.jsonl::a"):
        assert piece in done.out
    again = project.viva("test", "-i", "cases.jsonl::a")
    assert again.code == 1


def test_the_result_file_has_start_result_and_summary_lines(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "x", "skip": True})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    rows = project.rows()
    assert [row["type"] for row in rows] == ["start", "result", "result", "summary"]
    assert rows[0]["total_cases"] == 2
    assert (rows[-1]["total"], rows[-1]["passed"], rows[-1]["skipped"]) == (2, 1, 1)


def test_several_outputs_in_one_run(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    names = ["r.jsonl", "r.json", "r.md", "r.xml", "r.html"]
    done = project.viva("test", "-i", "cases.jsonl", *(flag for name in names for flag in ("-o", name)))
    assert done.code == 0
    assert all((project.root / name).stat().st_size > 50 for name in names)


def test_a_direct_message_prints_the_answer_and_writes_no_file(project: VivaProject):
    before = set(project.root.iterdir())
    done = project.viva("test", "-i", "what is 1/2")
    assert done.code == 0
    assert "echo: what is 1/2" in done.out
    assert {p.name for p in set(project.root.iterdir()) - before} <= {".viva", "__pycache__"}


def test_cases_from_stdin(project: VivaProject):
    done = project.viva(
        "test", "-i", "-", "-o", "out.jsonl", stdin='{"id": "a", "input": "hi"}\n{"id": "b", "input": "x"}'
    )
    assert done.code == 0
    assert project.statuses() == {"a": "passed", "b": "passed"}


def test_every_strange_agent_gets_the_right_status_and_the_others_still_run(project: VivaProject):
    wanted = {
        "hi": "passed",
        "hang": "timeout",
        "raise": "error",
        "print": "passed",
        "bytes": "passed",
        "bad bytes": "error",
        "nan": "error",
        "huge": "passed",
    }
    project.cases(*({"id": text, "input": text, "timeout": "2s"} for text in wanted))
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-j", "8")
    assert done.code == 1
    assert project.statuses() == wanted
    rows = {row["id"]: row for row in project.rows() if row["type"] == "result"}
    assert "printed by the agent" in json.dumps(rows["print"])
    assert "printed by the agent" not in done.out
    assert rows["raise"]["error"].startswith("agent error: ValueError: boom")
    assert len(rows["huge"]["output"]) == 50_000_000
    assert len(done.out) < 20_000


def test_a_blocking_function_that_never_returns_is_cut_and_viva_still_exits(project: VivaProject):
    project.cases({"id": "a", "input": "hang", "timeout": "300ms"}, {"id": "b", "input": "fine"})
    began = time.monotonic()
    done = project.viva("test", "-i", "cases.jsonl", "-n", "blocking", "-o", "out.jsonl")
    assert time.monotonic() - began < 20
    assert done.code == 1
    assert project.statuses() == {"a": "timeout", "b": "passed"}


@pytest.mark.parametrize(
    "deed", ["cases.unlink()", "cases.write_text('{')", "cases.write_text(cases.read_text()[:9000])"]
)
def test_a_case_file_that_changes_while_its_cases_run_changes_nothing(project: VivaProject, deed: str):
    project.cases(*({"id": f"T{n}", "input": f"number {n}", **SAYS_ECHO} for n in range(600)))
    project.write(
        "agent.py",
        f"""
from pathlib import Path

async def echo(messages):
    if messages[-1]["content"] == "number 5":
        cases = Path(__file__).with_name("cases.jsonl")
        {deed}
    return "echo: " + messages[-1]["content"]
""",
    )
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0, done.text
    reported = [row["id"] for row in project.rows() if row["type"] == "result"]
    assert sorted(reported) == sorted(f"T{n}" for n in range(600))


def test_fail_fast_keeps_what_finished(project: VivaProject):
    project.cases(
        {"id": "a", "input": "hi"},
        {"id": "b", "input": "raise"},
        *({"id": f"s{n}", "input": "slow"} for n in range(40)),
    )
    done = project.viva("test", "-i", "cases.jsonl", "-x", "-o", "out.jsonl")
    assert done.code == 1
    assert project.statuses() == {"a": "passed", "b": "error", **{f"s{n}": "not_run" for n in range(40)}}
    assert project.rows()[-1]["not_run"] == 40


def test_ctrl_c_keeps_results_and_exits_130(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "hang"})
    process = project.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    _wait_for(lambda: '"id":"a"' in text_of(project.root / "out.jsonl"))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=200)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert project.statuses() == {"a": "passed", "b": "not_run"}
    assert project.rows()[-1]["type"] == "summary"
    assert re.search(r"Passed: +1", out)


def test_kill_9_leaves_every_finished_case_on_disk(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "slow" if n > 3 else "hi"} for n in range(50)))
    process = project.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    _wait_for(lambda: len(text_of(project.root / "out.jsonl").splitlines()) > 5)
    process.kill()
    process.communicate()
    assert len(project.statuses()) >= 4
    report = project.viva("report", "out.jsonl", "-o", "report.md")
    assert report.code == 0
    assert "c0" in (project.root / "report.md").read_text()


def test_last_failed_runs_only_what_did_not_pass_until_it_does(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "raise"}, {"id": "c", "input": "hi"})
    nothing = project.viva("test", "-i", "cases.jsonl", "--last-failed")
    assert nothing.code == 2
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    project.viva("test", "-i", "cases.jsonl", "--lf", "-o", "second.jsonl")
    assert project.statuses("second.jsonl") == {"b": "error"}
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "fixed"}, {"id": "c", "input": "hi"})
    assert project.viva("test", "-i", "cases.jsonl", "--lf", "-o", "third.jsonl").code == 0
    everything = project.viva("test", "-i", "cases.jsonl", "--lf", "-o", "fourth.jsonl")
    assert (everything.code, len(project.statuses("fourth.jsonl"))) == (0, 3)
    assert "nothing failed last time, so all cases are taken" in everything.err


def test_failures_elsewhere_are_no_reason_to_run_other_cases(project: VivaProject):
    project.cases({"id": "a", "input": "raise"})
    project.cases({"id": "b", "input": "hi"}, name="other.jsonl")
    project.viva("test", "-i", "cases.jsonl")
    done = project.viva("test", "-i", "other.jsonl", "--lf", "--run", "b")
    assert done.code == 2
    assert "the only case found is not selected (look at --run and --last-failed (none of these failed" in done.err


@pytest.mark.parametrize(
    ("flags", "ids"),
    [
        (("--run", "^a"), {"a1", "a2"}),
        (("-k", "b"), {"b1"}),
        (("--tag", "slow"), {"a2", "b1"}),
        (("--sample", "2", "--seed", "3"), 2),
    ],
)
def test_selection(project: VivaProject, flags: tuple[str, ...], ids: set[str] | int):
    project.cases(
        {"id": "a1", "input": "x"},
        {"id": "a2", "input": "x", "tags": ["slow"]},
        {"id": "b1", "input": "x", "tags": ["slow"]},
    )
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *flags)
    found = set(project.statuses())
    assert len(found) == ids if isinstance(ids, int) else found == ids


def test_shards_share_the_cases_out(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "x"} for n in range(30)))
    seen: list[str] = []
    for part in ("1/3", "2/3", "3/3"):
        project.viva("test", "-i", "cases.jsonl", "--shard", part, "-o", "out.jsonl")
        seen += project.statuses()
    assert sorted(seen) == sorted(f"c{n}" for n in range(30))


def test_nothing_selected_is_exit_2_unless_allowed(project: VivaProject):
    project.cases({"id": "a", "input": "x"})
    assert project.viva("test", "-i", "cases.jsonl", "--run", "zzz").code == 2
    assert project.viva("test", "-i", "cases.jsonl", "--run", "zzz", "--pass-with-no-tests").code == 0


def test_dry_run_lists_and_writes_cases_without_calling_the_agent(project: VivaProject):
    project.cases({"id": "a", "input": "raise", **SAYS_ECHO})
    done = project.viva("test", "-i", "cases.jsonl", "--dry-run", "-o", "again.jsonl")
    assert done.code == 0
    assert "cases.jsonl::a" in done.out
    listed = project.viva("list", "-i", "again.jsonl")
    assert "again.jsonl::a" in listed.out


def test_a_directory_and_several_inputs(project: VivaProject):
    project.cases({"id": "a", "input": "x"}, name="tests/one.jsonl")
    project.write("tests/two.viva.yaml", "turns:\n  - user: hello\n    assert: {text: {must_match: echo}}\n")
    project.cases({"id": "c", "input": "x"}, name="more.jsonl")
    project.viva("test", "-i", "tests", "-i", "more.jsonl", "-o", "out.jsonl")
    assert project.statuses() == {"a": "passed", "two": "passed", "c": "passed"}


def test_flags_beat_variables_beat_the_configuration(project: VivaProject):
    project.write("viva.yaml", "agents:\n  echo: {python: agent.py:echo}\nagent: echo\nrun: {runs: 2}\n")
    project.cases({"id": "a", "input": "x"})

    def runs(*flags: str, **env: str) -> int:
        project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *flags, **env)
        return project.rows()[0]["runs_per_case"]

    assert runs() == 2
    assert runs(VIVA_RUNS="3") == 3
    assert runs("--runs", "4", VIVA_RUNS="3") == 4


def test_no_colour_without_a_terminal_and_colour_when_forced(project: VivaProject):
    project.cases({"id": "a", "input": "x"})
    assert "\x1b" not in project.viva("test", "-i", "cases.jsonl").out
    assert "\x1b" in project.viva("test", "-i", "cases.jsonl", FORCE_COLOR="1").out
    assert "\x1b" not in project.viva("test", "-i", "cases.jsonl", FORCE_COLOR="1", NO_COLOR="1").out


def test_escape_sequences_of_the_agent_do_not_reach_the_terminal(project: VivaProject):
    project.cases({"id": "a", "input": "\x1b]0;owned\x07\x1b[2Jgone", "assert": {"type": "contains", "value": "zzz"}})
    done = project.viva("test", "-i", "cases.jsonl", "-v")
    assert "\x1b" not in done.text
    assert "\x07" not in done.text


def test_an_ascii_terminal_is_enough(project: VivaProject):
    project.cases({"id": "a", "input": "héllo ✓"})
    done = project.viva("test", "-i", "cases.jsonl", "-v", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.code == 0


def test_a_closed_pipe_is_no_reason_to_complain(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "x"} for n in range(300)))
    process = project.start("test", "-i", "cases.jsonl", "-v")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert "Traceback" not in process.stderr.read()
    process.wait(timeout=200)


def test_an_output_that_cannot_be_written_is_found_before_the_first_call(project: VivaProject):
    project.cases({"id": "a", "input": "hang"})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "cases.jsonl/out.jsonl", timeout=200)
    assert done.code == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_exit_3_with_a_reason(project: VivaProject):
    os.symlink("/dev/full", project.root / "full.jsonl")
    project.cases({"id": "a", "input": "x"})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "full.jsonl")
    assert done.code == 3
    assert "full.jsonl" in done.err


def _wait_for(condition, seconds: float = 20) -> None:  # type: ignore[no-untyped-def]
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.02)


def test_github_gets_annotations_and_a_step_summary_by_itself(project: VivaProject):
    project.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "raise", "name": "it, raises: 100%"})
    summary = project.root / "summary.md"
    done = project.viva("test", "-i", "cases.jsonl", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
    assert done.code == 1
    assert "::error file=cases.jsonl,line=2,title=" in done.out
    assert "boom" in summary.read_text()
    assert "::error" not in project.viva("test", "-i", "cases.jsonl").out


def test_the_connector_of_the_configuration_is_only_for_agents_without_one(project: VivaProject):
    """A default must not beat what a case or package says; the flag does."""
    for name in ("one", "two"):
        rules = f'{{"type": "scripted", "options": {{"rules": [], "otherwise": "I am {name}"}}}}'
        project.write(f"connectors/{name}.conn.yao", rules)
    project.write("assistants/p/package.yao", '{"name": "P", "connector": "one"}')
    project.write("viva.yaml", "agent: p\nrun: {connector: two}\n")
    project.cases({"id": "a", "input": "x", "expected": "I am one"})
    assert project.viva("test", "-i", "cases.jsonl").code == 0
    assert project.viva("test", "-i", "cases.jsonl", "-c", "two").code == 1


def test_a_missing_attachment_costs_its_case_alone_and_no_agent_is_called_for_it(project: VivaProject):
    missing = [{"type": "file", "source": "file://gone.txt"}]
    project.cases({"id": "a", "turns": [{"input": "x", "attachments": missing}]}, {"id": "b", "input": "x"})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert (done.code, project.statuses()) == (1, {"a": "error", "b": "passed"}), done.text
    (row,) = [row for row in project.rows() if row.get("id") == "a"]
    assert (row["fault"], "no such file" in row["error"], row.get("total_turns", 0)) == ("test", True, 0)
