"""The console as a listener: where it writes, in which form, and what it says when a run did not end."""

import io
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.result_builders import attempt, case, result
from tests.fakes.results import events_of, run_info, summary_of

from vivavoce.app.listening import RunAhead, RunDone
from vivavoce.app.request import RunRequest
from vivavoce.cli.console import Console, reporter_for
from vivavoce.model.result import Status, Summary
from vivavoce.project.settings import RunDefaults
from vivavoce.reporters.agent_format import AgentFormatReporter
from vivavoce.reporters.console import ConsoleReporter

RESULTS = [result(case("T1", "hi"), attempt()), result(case("T2", "hi"), attempt(status=Status.ERROR, error="boom"))]
INFO = structs.replace(run_info(2), command="viva test -i cases.jsonl")


def shown(capsys: pytest.CaptureFixture[str], *, done: dict[str, Any] | None = None, **options: Any) -> tuple[str, str]:
    """(stdout, stderr) of a run of two cases."""
    request = RunRequest.of({"inputs": ("cases.jsonl",), **options}, {}).with_defaults(RunDefaults())
    console = Console()
    console.starting(RunAhead(info=INFO, request=request, only_messages=False))
    for event in events_of(RESULTS):
        console.handle(event)
    ended = {"summary": summary_of(RESULTS), "files": ("out.jsonl",), "result_file": "out.jsonl", **(done or {})}
    console.finished(RunDone(info=INFO, exit_code=1, report=None, **ended))
    console.close()
    seen = capsys.readouterr()
    return seen.out, seen.err


def test_a_run_is_shown_on_stdout_with_its_files(capsys: pytest.CaptureFixture[str]):
    out, err = shown(capsys)
    assert ("[T2]" in out, "Report: out.jsonl" in out, err) == (True, True, "")
    assert "To go on with it" not in out


def test_where_stdout_is_taken_it_goes_to_stderr(capsys: pytest.CaptureFixture[str]):
    out, err = shown(capsys, outputs=("-",))
    assert (out, "[T2]" in err) == ("", True)


def test_a_coding_agent_gets_its_own_form(capsys: pytest.CaptureFixture[str]):
    out, _ = shown(capsys, format="agent")
    assert "═" not in out
    assert "T2" in out


def test_an_unfinished_run_says_how_to_go_on(capsys: pytest.CaptureFixture[str]):
    stopped = structs.replace(summary_of(RESULTS), interrupted="ctrl-c")
    out, _ = shown(capsys, done={"summary": stopped})
    assert out.endswith("To go on with it:\n  viva test -i cases.jsonl --resume out.jsonl\n")


def test_after_a_spent_budget_a_greater_one_is_told(capsys: pytest.CaptureFixture[str]):
    spent = structs.replace(summary_of(RESULTS), interrupted="budget")
    out, _ = shown(capsys, done={"summary": spent}, budget="100tok")
    assert "--budget 200tok --resume out.jsonl" in out


def test_without_a_file_there_is_nothing_to_go_on_with(capsys: pytest.CaptureFixture[str]):
    out, _ = shown(capsys, done={"summary": Summary(total=2, not_run=1), "files": (), "result_file": None})
    assert "--resume" not in out


def test_a_run_that_never_began_is_closed_without_a_word(capsys: pytest.CaptureFixture[str]):
    Console().close()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("form", "kind"), [(None, ConsoleReporter), ("agent", AgentFormatReporter)])
def test_the_form_is_the_one_that_was_asked_for(form: str | None, kind: type):
    assert isinstance(reporter_for(io.StringIO(), format=form, quiet=False, verbose=False, again=None), kind)
