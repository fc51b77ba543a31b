"""`check`: every assertion there is, as a function. What does not hold raises AssertionError."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count, takewhile
from pathlib import Path
from typing import Any, TypeVar

from msgspec import structs

from vivavoce.api.talking import Reply
from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.engine.attempt.judging import judge
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.model.message import Message
from vivavoce.model.result import CaseResult
from vivavoce.model.transcript import Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict, broken
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.project.project import Project
from vivavoce.protocols import Evidence
from vivavoce.reporters.terminal.failure import verdict_lines
from vivavoce.reporters.terminal.style import Look
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

T = TypeVar("T")

Subject = Reply | Turn | Transcript | CaseResult
"""One answer, or a whole conversation."""

JUDGED = ("agent", "script")
"""These call somebody: code on an event loop awaits them."""
_ORDER = {"agent": ("value", "use")}
"""Positional arguments are an assertion's fields in their order; for a judge the criteria come first."""
_WIDTH = 100


class Judgement(Awaitable[Verdict]):
    """A judge's verdict to be awaited; without an event loop it is there at once."""

    def __init__(self, ask: Callable[[], Coroutine[Any, Any, Verdict]], name: str) -> None:
        __tracebackhide__ = True
        self._ask = ask
        self._ticket = next(_tickets)
        self._verdict: Verdict | None = None
        if loop_is_running():
            _unheard[self._ticket] = name
        else:
            self._verdict = _insisted(_at_once(ask()))

    def __await__(self) -> Generator[Any, None, Verdict]:
        _unheard.pop(self._ticket, None)
        return self._judged().__await__()

    async def _judged(self) -> Verdict:
        __tracebackhide__ = True
        if self._verdict is None:
            self._verdict = await self._ask()
        return _insisted(self._verdict)


_tickets = count()
_unheard: dict[int, str] = {}


def forgotten() -> list[str]:
    """The judges that were named but never awaited since this was last asked: nothing was judged there."""
    names = list(_unheard.values())
    _unheard.clear()
    return names


class Check:
    """`check.contains(reply, "x")`, or `check(reply, type="contains", value="x")`: any type of the registry."""

    def __call__(self, subject: Subject, /, *, type: str, **fields: Any) -> Any:  # noqa: A002 - as files spell it
        __tracebackhide__ = True
        given: Any = subject
        if not isinstance(given, Subject):
            raise TypeError(f"check judges a reply, turn, transcript or result, not a {given.__class__.__name__}")
        try:
            spec = _spec(type, fields)
        except UsageError as problem:
            # The message is enough: the traceback through the decoder would not help the author.
            raise problem.with_traceback(None) from None
        if type in JUDGED:
            return Judgement(lambda: _verdict(spec, subject), f"check.{type}")
        return _insisted(_at_once(_verdict(spec, subject)))

    def __getattr__(self, name: str) -> Callable[..., Verdict]:
        __tracebackhide__ = True
        if not name.startswith("_") and name not in ASSERTIONS:
            open_project(None)  # its plug-ins may bring the assertion
        if name.startswith("_") or name not in ASSERTIONS:
            known = sorted(ASSERTIONS)
            hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
            raise AttributeError(f"there is no assertion {name!r}; {hint}")

        def checked(subject: Subject, /, *positional: Any, **fields: Any) -> Verdict:
            __tracebackhide__ = True
            return self(subject, type=name, **_named(name, positional), **fields)

        return checked

    def __dir__(self) -> list[str]:
        return sorted(ASSERTIONS)

    def agent(self, subject: Subject, /, *positional: Any, **fields: Any) -> Judgement:
        """An agent judges by criteria: `await check.agent(reply, "is polite")`."""
        __tracebackhide__ = True
        return self(subject, type="agent", **_named("agent", positional), **fields)

    def script(self, subject: Subject, /, *positional: Any, **fields: Any) -> Judgement:
        """A script judges: `await check.script(reply, "scripts:tests.is_valid")`."""
        __tracebackhide__ = True
        return self(subject, type="script", **_named("script", positional), **fields)


check = Check()


def _named(type_name: str, positional: Sequence[Any]) -> dict[str, Any]:
    __tracebackhide__ = True
    names: Sequence[str] = _ORDER.get(type_name) or _in_order(ASSERTIONS.load(type_name))
    if len(positional) > len(names):
        raise TypeError(f"check.{type_name} takes at most {len(names)} arguments after what is judged: {names}")
    return dict(zip(names, positional, strict=False))


def _in_order(kind: Any) -> list[str]:
    """The fields that may be given by their place: those before the first switch, which needs its name to be read."""
    return [field.name for field in takewhile(lambda field: field.type is not bool, structs.fields(kind))]


def _spec(type_name: str, fields: dict[str, Any]) -> AssertionSpec:
    try:
        written = as_json(fields)
    except NotJson as problem:
        raise UsageError(f"check.{type_name} was given what is not JSON: {problem}") from None
    return decode_assertions({"type": type_name, **written}, Origin(f"check.{type_name}"))[0]


async def _verdict(spec: AssertionSpec, subject: Subject) -> Verdict:
    evidence = _evidence(subject)
    if (broken_turn := next((turn for turn in evidence.turns if turn.error is not None), None)) is not None:
        return broken(f"turn {broken_turn.number} is no answer to judge: {broken_turn.error}", fault="agent")
    if isinstance(subject, Reply):
        project = subject.project
    else:
        project = open_project(None) if spec.type in JUDGED else Project(root=Path.cwd())
    resources = RunResources(project, RunRequest().with_defaults(project.config.run).settings())
    try:
        return (await judge((spec,), evidence, resources.helpers))[0]
    finally:
        await resources.close()


def _evidence(subject: Subject) -> Evidence:
    if isinstance(subject, Reply):
        return _of_turn(subject.turn, tuple(subject.before.messages()))
    if isinstance(subject, Turn):
        return _of_turn(subject, ())
    if isinstance(subject, CaseResult):
        return _of_conversation(subject.decisive.transcript, subject.case)
    return _of_conversation(subject, _NO_CASE)


def _of_turn(turn: Turn, history: tuple[Message, ...]) -> Evidence:
    return Evidence(turns=(turn,), output=turn.reply.output, case=_NO_CASE, history=history)


def _of_conversation(transcript: Transcript, case: Case) -> Evidence:
    output = transcript.last.reply.output if transcript.last else None
    return Evidence(turns=transcript.turns, output=output, scope="case", case=case, history=transcript.history)


_NO_CASE = Case(id="check")


def _insisted(verdict: Verdict) -> Verdict:
    """The verdict, when it is not one that fails."""
    __tracebackhide__ = True
    if verdict.unsuccessful:
        raise AssertionError(_explained(verdict))
    return verdict


def _explained(verdict: Verdict) -> str:
    """The reason in the first line, which summaries show; below it what was wanted and what was there."""
    reason = f"could not be checked: {verdict.reason}" if verdict.outcome is Outcome.BROKEN else verdict.reason
    rest = structs.replace(verdict, outcome=Outcome.FAILED, reason="", score=None)
    return "\n".join([reason, *verdict_lines(rest, Look(width=_WIDTH), 0)[1:]])


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """Runs it to its end from code that cannot await, also when an event loop is running around that code."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
