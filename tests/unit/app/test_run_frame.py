"""Everything around the conversations of one run: the order of its steps, its files, its exit code."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.result_builders import attempt, result
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.listening import Listener, RunAhead, RunDone
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.app.run_frame import Outcome, RunFrame
from vivavoce.errors import EXIT_BROKEN, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_PASSED, UsageError, VivaError
from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.result import Status

CASE = {"id": "A", "input": "hi"}
HOOKS = """
from pathlib import Path

def note(what):
    with Path("order").open("a") as out:
        out.write(what + " ")

def before():
    note("before")

def after(request):
    note("after")

def breaks():
    raise ValueError("no water")
"""


class Noted(Listener):
    """Notes what it is told, in the file the hooks write to."""

    def __init__(self) -> None:
        self.ahead: RunAhead | None = None
        self.done: RunDone | None = None
        self.closed = 0

    def starting(self, run: RunAhead) -> None:
        self.ahead = run
        with Path("order").open("a") as out:
            out.write("starting ")

    def finished(self, run: RunDone) -> None:
        self.done = run

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(autouse=True)
def _hooks(root: Path) -> None:
    (root / "scripts").mkdir()
    (root / "scripts" / "hooks.py").write_text(HOOKS)


async def framed(
    request: RunRequest,
    status: Status = Status.PASSED,
    interrupted: str | None = None,
    listener: Listener | None = None,
) -> Outcome:
    """A run of one case that ended so; no agent is called."""
    async with planned(request) as ready:
        frame = RunFrame(ready, [listener or Listener()])
        try:
            await frame.begin()
            frame.emit(RunStarted(frame.info))
            [case] = ready.plan.cases()
            one = result(case, attempt(status=status))
            frame.tally.add(one)
            frame.emit(CaseFinished(one))
            summary = frame.tally.summary(interrupted)
            frame.emit(RunFinished(frame.info, summary))
            outcome = await frame.finish(summary)
            await frame.run_after(summary)
            return outcome
        finally:
            frame.close()


def rows(name: str = "out.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


async def test_listeners_hear_of_the_run_before_the_hook_runs_and_the_files_are_there_at_the_end(
    request_for: MakeRequest,
):
    noted = Noted()
    request = request_for(
        CASE, before="scripts:hooks.before", after="scripts:hooks.after", outputs=("out.jsonl", "r.md")
    )
    await framed(request, listener=noted)
    assert Path("order").read_text() == "starting before after "
    assert noted.ahead is not None
    assert noted.done is not None
    assert (noted.done.files, noted.done.result_file, noted.closed) == (("out.jsonl", "r.md"), "out.jsonl", 1)
    assert noted.done.report is not None
    assert [one.case.id for one in noted.done.report().results()] == ["A"]


@pytest.mark.parametrize(
    ("status", "interrupted", "code"),
    [
        (Status.PASSED, None, EXIT_PASSED),
        (Status.FAILED, None, EXIT_FAILED),
        (Status.PASSED, "ctrl-c", EXIT_INTERRUPTED),
    ],
)
async def test_the_exit_code_is_that_of_the_summary(
    request_for: MakeRequest, status: Status, interrupted: str | None, code: int
):
    assert (await framed(request_for(CASE), status, interrupted)).exit_code == code


async def test_a_failing_reporter_or_hook_is_a_broken_run(request_for: MakeRequest):
    broken = await framed(request_for(CASE, reporter="scripts:hooks.breaks", outputs=("r.md",)))
    assert broken.exit_code == EXIT_BROKEN
    with pytest.raises(VivaError, match="no water"):
        await framed(request_for(CASE, before="scripts:hooks.breaks"))


async def test_the_history_is_kept_only_when_it_is_wanted(root: Path, request_for: MakeRequest):
    await framed(request_for(CASE, history=False))
    assert not list(root.glob(".viva/*.db"))
    await framed(request_for(CASE, history=True))
    assert list(root.glob(".viva/*.db"))


async def test_a_run_that_is_kept_says_what_was_examined(request_for: MakeRequest):
    await framed(request_for(CASE))
    start = rows()[0]
    assert start["exam"]
    assert start["agents"]


async def test_a_run_of_which_nothing_is_kept_leaves_no_key_behind(root: Path, request_for: MakeRequest):
    await framed(request_for(CASE, outputs=(), history=False))
    assert not (root / ".viva" / "exam.key").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"baseline": "nobody"}, "nobody"),
        ({"reporter": "nobody"}, "nobody"),
        ({"outputs": ("cases.jsonl",)}, r"cases\.jsonl"),
    ],
)
async def test_what_cannot_work_is_refused_before_a_file_is_opened(
    root: Path, request_for: MakeRequest, options: dict[str, Any], said: str
):
    request = request_for(CASE, **{"outputs": ("out.jsonl",), **options})
    before = (root / "cases.jsonl").read_text()
    with pytest.raises(UsageError, match=said):
        await framed(request)
    assert (root / "cases.jsonl").read_text() == before
    assert not (root / "out.jsonl").exists()


async def test_results_are_streamed_when_o_is_a_dash(request_for: MakeRequest, capsys: pytest.CaptureFixture[str]):
    await framed(request_for(CASE, outputs=("-",)))
    assert [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()] == ["start", "result", "summary"]


async def test_after_a_broken_run_the_hook_hears_that_nothing_ran(root: Path, request_for: MakeRequest):
    (root / "scripts" / "hooks.py").write_text(
        "import json\n\ndef after(info, summary):\n    open('heard', 'w').write(json.dumps(summary))\n"
    )
    async with planned(request_for(CASE, after="scripts:hooks.after")) as ready:
        frame = RunFrame(ready, [])
        await frame.run_after(None)
        frame.close()
    assert '"broken"' in Path("heard").read_text()
