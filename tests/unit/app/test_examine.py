"""The use case: a request in, events to the listeners, an outcome."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.examine import examine
from vivavoce.app.listening import Listener, RunAhead, RunDone
from vivavoce.errors import EXIT_BROKEN, EXIT_FAILED, EXIT_PASSED, CallFailed, UsageError
from vivavoce.model.events import CaseFinished, Event, TurnFinished

GOOD = {"id": "A", "input": "hi", "expected": "echo: hi"}
BAD = {"id": "B", "input": "hi", "expected": "no"}


class Noted(Listener):
    """Notes the order in which it is told things."""

    def __init__(self, *, every_step: bool = False) -> None:
        self.wants_every_step = every_step
        self.told: list[str] = []
        self.done: RunDone | None = None

    def starting(self, run: RunAhead) -> None:
        self.told.append(f"starting {run.info.total_cases}")

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished | TurnFinished):
            self.told.append(type(event).__name__)

    def finished(self, run: RunDone) -> None:
        self.told.append("finished")
        self.done = run

    def close(self) -> None:
        self.told.append("closed")


async def test_listeners_are_told_in_order_and_the_file_is_there_when_it_is_over(root: Path, request_for: MakeRequest):
    listener = Noted()
    outcome = await examine(request_for(GOOD, BAD), [listener])
    assert listener.told == ["starting 2", "CaseFinished", "CaseFinished", "finished", "closed"]
    assert (outcome.exit_code, outcome.summary.passed, outcome.summary.failed) == (EXIT_FAILED, 1, 1)
    assert listener.done is not None
    assert listener.done.files == ("out.jsonl",)
    assert len((root / "out.jsonl").read_text().splitlines()) == 4


async def test_turns_are_told_only_to_those_who_want_them(request_for: MakeRequest):
    listener = Noted(every_step=True)
    await examine(request_for(GOOD), [listener])
    assert "TurnFinished" in listener.told


async def test_an_agent_that_raises_costs_its_case_alone(request_for: MakeRequest):
    outcome = await examine(request_for({"id": "R", "input": "raise"}, GOOD))
    assert (outcome.exit_code, outcome.summary.errors, outcome.summary.passed) == (EXIT_FAILED, 1, 1)


async def test_what_is_wrong_is_raised_before_any_listener_hears_of_it(root: Path, request_for: MakeRequest):
    listener = Noted()
    with pytest.raises(UsageError, match="unknown agent"):
        await examine(request_for(GOOD, agent="nobody"), [listener])
    assert listener.told == []
    assert not (root / "out.jsonl").exists()


async def test_after_runs_although_before_defined_what_the_cases_use(root: Path, request_for: MakeRequest):
    hooks = "def before(run): return {'WORD': 'moin'}\ndef after(run, summary): open('after', 'w').write('ran')\n"
    write_files(root, {"scripts/around.py": hooks})
    case = {"id": "A", "input": "${WORD}", "expected": "echo: moin"}
    outcome = await examine(request_for(case, before="scripts:around.before", after="scripts:around.after"))
    assert outcome.exit_code == EXIT_PASSED
    assert (root / "after").read_text() == "ran"


async def test_a_before_that_fails_runs_nothing_and_closes_everything(root: Path, request_for: MakeRequest):
    write_files(root, {"scripts/around.py": "def before(run): raise ValueError('no database')\n"})
    listener = Noted()
    with pytest.raises(CallFailed, match="no database"):
        await examine(request_for(GOOD, before="scripts:around.before"), [listener])
    assert listener.told == ["starting 1", "closed"]


async def test_an_after_that_fails_breaks_a_run_that_passed(root: Path, request_for: MakeRequest, capsys):
    write_files(root, {"scripts/around.py": "def after(run): raise ValueError('still there')\n"})
    outcome = await examine(request_for(GOOD, after="scripts:around.after"))
    assert (outcome.exit_code, outcome.summary.passed) == (EXIT_BROKEN, 1)
    assert "still there" in capsys.readouterr().err
