"""A test function run as often as its mark says, each time with conversations of its own."""

import asyncio
import inspect
from collections.abc import Iterator, Mapping
from functools import wraps
from typing import Any

import pytest
from msgspec import Struct

from vivavoce.api.talking import Stage, Viva
from vivavoce.errors import UsageError
from vivavoce.model.result import Attempt, Status
from vivavoce.pytest_plugin import RUNS
from vivavoce.pytest_plugin.shown_by_pytest import shown
from vivavoce.reporters.transcript_text import transcript_text


class RepeatRule(Struct, frozen=True):
    """How often, and how many of them must pass."""

    runs: int
    min_pass: int

    @classmethod
    def by(cls, mark: pytest.Mark | None) -> "RepeatRule":
        said: Mapping[str, Any] = {} if mark is None else mark.kwargs
        unknown = [name for name in said if name not in ("runs", "min_pass", "agent")]
        if mark is not None and (mark.args or unknown):
            raise UsageError(f"@pytest.mark.viva takes runs, min_pass and agent, not {unknown or mark.args}")
        runs = said.get("runs", 1)
        wanted = cls(runs, said.get("min_pass", runs))
        if not all(type(number) is int for number in (wanted.runs, wanted.min_pass)):
            raise UsageError("@pytest.mark.viva: runs and min_pass are whole numbers")
        if not 1 <= wanted.min_pass <= wanted.runs:
            raise UsageError(f"@pytest.mark.viva: {wanted.min_pass} of {wanted.runs} runs cannot pass")
        return wanted


class Tries:
    """Counts the runs of one test. The only run of a test fails as it always would; of several, enough must pass."""

    def __init__(self, item: pytest.Function, wanted: RepeatRule, stage: Stage | None) -> None:
        self._item = item
        self._wanted = wanted
        self._stage = stage
        self._run = 0
        self._failed: dict[int, BaseException] = {}
        self._conversations: list[Viva] = []

    @property
    def left(self) -> bool:
        return self._run < self._wanted.runs

    def __enter__(self) -> None:
        self._run += 1
        if self._stage is not None:
            self._conversations = self._stage.conversations

    def __exit__(self, kind: Any, problem: BaseException | None, traceback: Any) -> bool:
        """Whether the problem was only one of several runs failing."""
        if problem is None:
            return False
        for conversation in self._conversations:
            attempt = Attempt(status=Status.FAILED, transcript=conversation.transcript)
            title = "conversation" if self._wanted.runs == 1 else f"conversation of run {self._run}"
            self._item.add_report_section("call", title, shown(transcript_text(attempt)))
        if self._wanted.runs == 1 or not _is_failure(problem):
            return False
        self._failed[self._run] = problem
        return True

    def settle(self) -> None:
        """Fails the test when too few of its runs passed."""
        __tracebackhide__ = True
        runs, needed = self._wanted.runs, self._wanted.min_pass
        if runs == 1:
            return
        passed = runs - len(self._failed)
        self._item.user_properties.append((RUNS, f"{passed}/{runs} passed"))
        if passed < needed:
            pytest.fail("\n".join([f"{passed}/{runs} passed, {needed} needed", *self._problems()]), pytrace=False)

    def _problems(self) -> Iterator[str]:
        """A line for every run that failed, and where the first of them did."""
        for run, problem in self._failed.items():
            said = str(problem).partition("\n")[0]
            yield f"run {run}: {type(problem).__name__}: {said}"
        info: Any = pytest.ExceptionInfo
        yield f"\n{info.from_exception(next(iter(self._failed.values()))).getrepr(style='short')}"


def _is_failure(problem: BaseException) -> bool:
    """Whether a single run failed; False when the whole test was wrong, skipped, cancelled or out of time."""
    if isinstance(problem, pytest.fail.Exception):
        return not isinstance(problem, pytest.xfail.Exception) and "pytest-timeout" not in str(problem)
    return isinstance(problem, Exception) and not isinstance(problem, UsageError)


def examined(item: pytest.Function) -> Any:
    """The item's function, repeated and with its conversations ended; awaitable when the function is."""
    test: Any = item.obj
    stage = stage_of(item)
    try:
        tries = Tries(item, RepeatRule.by(item.get_closest_marker("viva")), stage)
    except UsageError as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None

    @wraps(test)
    async def awaited(*args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        while tries.left:
            with tries:
                try:
                    await test(*args, **kwargs)
                finally:
                    if stage is not None:
                        await stage.clear()
        tries.settle()

    @wraps(test)
    def called(*args: Any, **kwargs: Any) -> None:
        __tracebackhide__ = True
        while tries.left:
            with tries:
                try:
                    test(*args, **kwargs)
                finally:
                    if stage is not None:
                        stage.close()
        tries.settle()

    return awaited if inspect.iscoroutinefunction(test) else called


def waited_for(item: pytest.Function) -> None:
    """Runs the item's coroutine function to its end, where its conversations are held or will be."""
    __tracebackhide__ = True
    arguments = {name: item.funcargs[name] for name in inspect.signature(item.obj).parameters if name in item.funcargs}
    work: Any = item.obj(**arguments)
    if (stage := stage_of(item)) is not None:
        stage.wait_for(work)
    else:
        # A factory keeps the runner from replacing the thread's current loop, which is somebody else's.
        with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
            runner.run(work)


def stage_of(item: pytest.Function) -> Stage | None:
    """Where the conversations of this test are held, when it asked for one."""
    viva: Any = item.funcargs.get("viva")
    return viva.stage if isinstance(viva, Viva) else None
