"""Cases that check nothing are named by every report, not only on the console."""

import json

from tests.cli.conftest import VivaProject

WORDS = "2 cases check nothing: they pass whatever the agent answers (bare, talk)"
CASES = (
    {"id": "bare", "input": "hi"},
    {"id": "full", "input": "hi", "assert": {"type": "contains", "value": "echo"}},
    {"id": "talk", "turns": [{"input": "a"}, {"input": "b"}]},
)


def test_every_report_names_them(project: VivaProject):
    project.cases(*CASES)
    done = project.viva(
        "test",
        "-i",
        "cases.jsonl",
        *(part for end in ("jsonl", "json", "md", "html", "xml") for part in ("-o", f"r.{end}")),
    )
    assert done.code == 0, done.text
    assert f"! warning: {WORDS}" in done.out
    assert project.rows("r.jsonl")[-1]["warnings"] == [WORDS]
    assert json.loads((project.root / "r.json").read_text())["summary"]["unchecked"] == 2
    for report in ("r.json", "r.html"):
        assert WORDS in (project.root / report).read_text()
    assert WORDS in (project.root / "r.md").read_text().replace("\\", "")
    assert f'<property name="warning" value="{WORDS}"' in (project.root / "r.xml").read_text()
    for how in (("--format", "agent"), ("-q",)):
        assert WORDS in project.viva("test", "-i", "cases.jsonl", *how).text


def test_merged_shards_count_them_once(project: VivaProject):
    project.cases(*CASES)
    for shard in (1, 2):
        assert project.viva("test", "-i", "cases.jsonl", "--shard", f"{shard}/2", "-o", f"s{shard}.jsonl").code == 0
    assert project.viva("merge", "s1.jsonl", "s2.jsonl", "-o", "all.jsonl").code == 0
    (said,) = project.rows("all.jsonl")[-1]["warnings"]
    assert said.startswith("2 cases check nothing")


SILENT = "2 cases passed although the agent answered nothing (bare, no-damn)"
SKIPPED = "everything was skipped: nothing was tested"


def reports(project: VivaProject, *more: str) -> dict[str, str]:
    """What each report says, the console with -q and the format for coding agents among them."""
    ends = ("jsonl", "json", "md", "html", "xml")
    done = project.viva("test", "-i", "cases.jsonl", "-q", *more, *(p for end in ends for p in ("-o", f"r.{end}")))
    assert done.code == 0, done.text
    files = {end: (project.root / f"r.{end}").read_text().replace("\\", "") for end in ends}
    return {
        **files,
        "-q": done.text,
        "agent": project.viva("test", "-i", "cases.jsonl", *more, "--format", "agent").text,
    }


def test_every_report_names_the_cases_that_passed_on_an_empty_answer(project: VivaProject):
    (project.root / "quiet.py").write_text('def agent(messages):\n    return ""\n')
    project.cases(
        {"id": "bare", "input": "hi"},
        {"id": "no-damn", "input": "hi", "assert": {"type": "not_contains", "value": "damn"}},
    )
    for report, said in reports(project, "-n", "python:quiet:agent").items():
        assert SILENT in said, report


def test_an_agent_that_returns_nothing_keeps_no_promise_of_absence(project: VivaProject):
    (project.root / "quiet.py").write_text("def agent(messages):\n    print('damn')\n")
    project.cases({"id": "no-damn", "input": "hi", "assert": {"type": "not_contains", "value": "damn"}})
    done = project.viva("test", "-i", "cases.jsonl", "-n", "python:quiet:agent")
    assert done.code == 1
    assert "what the agent returned: None (is a `return` missing?)" in done.text.replace("\n  ", " ")


def test_every_report_of_a_run_in_which_everything_was_skipped_says_so(project: VivaProject):
    (project.root / "asks.py").write_text('def agent(messages):\n    return "Which one?"\n')
    project.cases({"id": "talk", "turns": [{"input": "a"}, {"input": "b"}]})
    told = reports(project, "-n", "python:asks:agent")
    for report, said in told.items():
        assert SKIPPED in said.lower().replace("skipped, nothing", "skipped: nothing"), report
    assert "\nSKIPPED: everything was skipped" in told["agent"]
    assert "PASS" not in told["agent"]
