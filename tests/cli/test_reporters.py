"""`-r` in the real process: built-ins, agents, and what happens when one fails."""

import json

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

REPORTERS = """
import json, time

def lines(request, ctx):
    print("printed by the reporter")
    report = request["report"]
    return "\\n".join([f"{request['format']} {json.dumps(request['options'])} {ctx['metadata']['test_mode']}",
                      " ".join(sorted(report)), *(f"{r['id']}: {r['status']}" for r in report["results"])])

def fenced():
    return "<think>hm</think>\\n```html\\n<h1>done</h1>\\n```"

def data(request):
    return {"passed": request["report"]["summary"]["passed"]}

def breaks():
    raise ValueError("no paper")

def empty():
    return ""

def hangs():
    time.sleep(600)
"""


@pytest.fixture
def reporting(project: VivaProject) -> VivaProject:
    project.write("scripts/rep.py", REPORTERS)
    project.cases({"id": "A", "input": "hi"}, {"id": "B", "input": "hi", "expected": "never"})
    return project


def run(project: VivaProject, *flags: str):
    return project.viva("test", "-i", "cases.jsonl", *flags)


def test_an_agent_writes_the_first_output_whatever_its_suffix(reporting: VivaProject):
    done = run(reporting, "-r", "scripts:rep.lines", "-v", "-o", "summary.slack", "-o", "out.jsonl")
    assert done.code == 1, done.text
    assert (reporting.root / "summary.slack").read_text().splitlines() == [
        'text {"verbose": true, "include_outputs": true} reporter',
        "environment metadata results summary",
        "A: passed",
        "B: failed",
    ]
    assert reporting.statuses() == {"A": "passed", "B": "failed"}
    assert "Report: summary.slack" in done.out
    assert "printed by the reporter" not in done.out


def test_without_an_output_the_report_stands_alone_on_stdout(reporting: VivaProject):
    done = run(reporting, "-r", "scripts:rep.data")
    assert json.loads(done.out) == {"passed": 1}
    assert "B" in done.err
    assert len(list(reporting.root.glob("output-*.jsonl"))) == 1


@pytest.mark.parametrize(
    ("suffix", "format_name"), [(".html", "html"), (".md", "markdown"), (".json", "json"), (".txt", "text")]
)
def test_the_format_follows_the_suffix(reporting: VivaProject, suffix: str, format_name: str):
    run(reporting, "-r", "scripts:rep.lines", "-o", f"report{suffix}")
    assert (reporting.root / f"report{suffix}").read_text().startswith(format_name)
    assert not list(reporting.root.glob("*.jsonl.*"))
    assert not list(reporting.root.glob("output-*"))
    assert not list((reporting.root / ".viva").glob("journal-*"))


def test_thoughts_and_the_fence_around_a_document_are_not_part_of_it(reporting: VivaProject):
    run(reporting, "-r", "scripts:rep.fenced", "-o", "report.html")
    assert (reporting.root / "report.html").read_text() == "<h1>done</h1>\n"


@pytest.mark.parametrize(
    ("built_in", "begins"),
    [
        ("report.json", '{"summary"'),
        ("report.markdown", "# Agent Test Report"),
        ("report.html", "<!doctype html>"),
        ("report.summary", "echo: 1 of 2 passed"),
    ],
)
def test_the_built_in_reporters_need_no_agent(reporting: VivaProject, built_in: str, begins: str):
    to_stdout = run(reporting, "-r", built_in)
    assert to_stdout.code == 1
    assert to_stdout.out.startswith(begins)
    run(reporting, "-r", built_in, "-o", "report.whatever")
    assert (reporting.root / "report.whatever").read_text().startswith(begins)


@pytest.mark.parametrize(
    ("reporter", "why"),
    [("breaks", "no paper"), ("empty", "its reply is empty"), ("hangs", "timed out after 4s")],
)
def test_a_reporter_that_fails_is_replaced_by_the_built_in_and_the_exit_is_3(
    reporting: VivaProject, reporter: str, why: str
):
    done = run(reporting, "-r", f"scripts:rep.{reporter}", "--timeout", "4s", "-o", "report.md")
    assert done.code == 3
    assert why in done.err
    assert (reporting.root / "report.md").read_text().startswith("# Agent Test Report")


@pytest.mark.parametrize(
    ("name", "begins"), [("r.json", '{"summary"'), ("r.jsonl", '{"type":"start"'), ("r.txt", "echo: ")]
)
def test_the_built_in_that_steps_in_has_the_same_format(reporting: VivaProject, name: str, begins: str):
    assert run(reporting, "-r", "scripts:rep.breaks", "-o", name).code == 3
    assert (reporting.root / name).read_text().startswith(begins)


def test_a_failing_reporter_without_an_output_leaves_the_summary_on_stdout(reporting: VivaProject):
    done = run(reporting, "-r", "scripts:rep.breaks")
    assert done.code == 3
    assert done.out.startswith("echo: 1 of 2 passed")


def test_a_reporter_nobody_knows_is_told_before_anything_runs(reporting: VivaProject):
    done = run(reporting, "-r", "nobody", "-o", "report.md", "-o", "out.jsonl")
    assert done.code == 2
    assert "unknown agent 'nobody'" in done.err
    assert not (reporting.root / "out.jsonl").exists()


def test_a_place_that_cannot_be_written_is_told_before_anything_runs(reporting: VivaProject):
    reporting.write("file", "")
    done = run(reporting, "-r", "scripts:rep.lines", "-o", "file/report.txt")
    assert done.code == 3
    assert "cannot write file/report.txt" in done.err
