"""A run at the terminal: its exit codes, the listing of a dry run, flags that contradict each other."""

import json
from pathlib import Path
from typing import Any

import pytest

from vivavoce.app.listening import Listener
from vivavoce.app.planning import NothingSelected
from vivavoce.app.request import RunRequest
from vivavoce.cli.examining import examined, refuse_opposites
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from vivavoce.model.events import CaseFinished, Event


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("agents: {a: {python: agent.py:reply}}\nagent: a\n")
    Path("agent.py").write_text("def reply(text):\n    open('called', 'w').close()\n    return text\n")
    cases = [{"id": "A", "input": "hi", "expected": "hi"}, {"id": "B", "input": "hi", "expected": "no"}]
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


async def run(*listeners: Listener, **options: Any) -> int:
    given = {"inputs": ("cases.jsonl",), "history": False, **options}
    return await examined(RunRequest.of(given, {}), *listeners)


async def test_the_exit_code_is_the_runs_and_the_console_shows_it(capsys: pytest.CaptureFixture[str]):
    assert await run() == EXIT_FAILED
    assert "[B]" in capsys.readouterr().out
    assert await run(pattern="A") == EXIT_PASSED


async def test_others_may_listen_too():
    ids: list[str] = []

    class Heard(Listener):
        def handle(self, event: Event) -> None:
            if isinstance(event, CaseFinished):
                ids.append(event.result.case.id)

    await run(Heard())
    assert sorted(ids) == ["A", "B"]


async def test_a_dry_run_lists_the_cases_and_calls_nobody(capsys: pytest.CaptureFixture[str]):
    assert await run(dry_run=True) == EXIT_PASSED
    listed = capsys.readouterr().out
    assert ("cases.jsonl" in listed, Path("called").exists()) == (True, False)


async def test_nothing_selected_is_an_error_unless_that_is_allowed(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(NothingSelected):
        await run(pattern="zzz")
    assert await run(pattern="zzz", pass_with_no_tests=True) == EXIT_PASSED
    assert capsys.readouterr().out == "no cases selected\n"


def test_quiet_and_verbose_are_opposites():
    with pytest.raises(UsageError, match="-q and -v ask for opposite things"):
        refuse_opposites({"quiet": True, "verbose": True})
    refuse_opposites({"quiet": True, "verbose": None})
