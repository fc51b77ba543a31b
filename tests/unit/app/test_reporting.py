"""`-r`: who writes the report, where it goes, and what is refused before the run."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.result_builders import attempt, case, result
from tests.fakes.results import report_of
from tests.fakes.surroundings import write_files

from vivavoce.app.opening import open_project
from vivavoce.app.reporting import ChosenReport, chosen_report, named_format, report_names
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.result import RunReport

SCRIPTS = """
def lines(request):
    return f"{request['format']} " + " ".join(one["id"] for one in request["report"]["results"])

def breaks():
    raise ValueError("no paper")
"""


@pytest.fixture
async def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunResources]:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"viva.yaml": "{}\n", "scripts/rep.py": SCRIPTS})
    made = RunResources(open_project(None), RunSettings())
    yield made
    await made.close()


def a_report() -> RunReport:
    return report_of([result(case("T1", "hi"), attempt())])


def chosen(resources: RunResources, reporter: str, *outputs: str) -> ChosenReport:
    found = chosen_report(reporter, outputs, resources, verbose=False)
    assert found is not None
    return found


def test_only_a_known_format_is_named_so(resources: Any):
    assert {"report.json", "report.html", "report.summary"} <= set(report_names())
    assert [named_format(name) for name in ("report.json", "report.nothing", "json")] == ["json", None, None]


def test_nobody_is_chosen_without_the_flag(resources: RunResources):
    assert chosen_report(None, ["r.md"], resources, verbose=False) is None


def test_the_first_output_is_the_reports_and_gives_its_format(resources: RunResources):
    assert chosen(resources, "report.summary", "r.md", "r.json").path == Path("r.md")
    assert chosen(resources, "scripts:rep.lines", "r.md").format == "markdown"
    assert chosen(resources, "scripts:rep.lines", "r.slack").format == chosen(resources, "scripts:rep.lines").format


def test_a_reporter_nobody_knows_is_told_with_those_built_in(resources: RunResources):
    with pytest.raises(UsageError) as refused:
        chosen(resources, "reporter", "r.md")
    assert "formats: report." in str(refused.value)


def test_a_place_that_cannot_be_written_is_told_before_the_run(resources: RunResources):
    Path("file").write_text("")
    with pytest.raises(VivaError, match=r"cannot write file/r\.md"):
        chosen(resources, "report.summary", "file/r.md")


def test_a_file_that_viva_did_not_write_is_not_replaced(resources: RunResources):
    Path("notes.md").write_text("mine")
    with pytest.raises(UsageError, match=r"notes\.md"):
        chosen(resources, "report.summary", "notes.md")


async def test_a_built_in_writes_its_format_whatever_the_file_is_called(resources: RunResources):
    assert await chosen(resources, "report.json", "r.txt").write(a_report(), resources)
    assert json.loads(Path("r.txt").read_text())["summary"]["passed"] == 1


async def test_an_agent_is_asked_and_its_text_ends_with_its_line(resources: RunResources):
    assert await chosen(resources, "scripts:rep.lines", "r.md").write(a_report(), resources)
    assert Path("r.md").read_text() == "markdown T1\n"
    # What was written once may be written again.
    assert await chosen(resources, "scripts:rep.lines", "r.md").write(a_report(), resources)


async def test_without_a_file_the_report_goes_to_standard_output(
    resources: RunResources, capsys: pytest.CaptureFixture[str]
):
    assert await chosen(resources, "scripts:rep.lines").write(a_report(), resources)
    assert capsys.readouterr().out == "text T1\n"


async def test_an_agent_that_fails_is_replaced_and_the_answer_is_false(
    resources: RunResources, capsys: pytest.CaptureFixture[str]
):
    assert not await chosen(resources, "scripts:rep.breaks", "r.json").write(a_report(), resources)
    assert json.loads(Path("r.json").read_text())["summary"]["passed"] == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("viva: reporter scripts:rep.breaks failed: ")
    assert "no paper" in said
    assert said.endswith("; the built-in report is written")
