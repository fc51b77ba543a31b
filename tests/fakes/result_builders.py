"""Small builders of results: what a test does not name has a plain default, everything else is a keyword."""

from typing import Any

from msgspec import UNSET

from vivavoce.model.case import AssertionSpec, Case, Origin, ScriptedTurn
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.model.transcript import Awaiting, Ending, EndReason, Line, Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict

BEGAN_MS = 1_734_429_600_000.0
"""2024-12-17 10:00:00 UTC, the moment at which the examples of the seeds began."""


def spec(kind: str, **written: Any) -> AssertionSpec:
    """A check as its author wrote it."""
    fields = {k: v for k, v in written.items() if k not in ("negate", "message")}
    return AssertionSpec(
        type=kind,
        fields=fields,
        negate=written.get("negate", False),
        message=written.get("message"),
        written={"type": kind, **written},
    )


def passed(check: AssertionSpec) -> Verdict:
    return Verdict(outcome=Outcome.PASSED, spec=check)


def failed(check: AssertionSpec, reason: str, *, expected: Any = UNSET, actual: Any = UNSET, **details: Any) -> Verdict:
    return Verdict(outcome=Outcome.FAILED, reason=reason, expected=expected, actual=actual, details=details, spec=check)


def broken(check: AssertionSpec, reason: str) -> Verdict:
    return Verdict(outcome=Outcome.BROKEN, reason=reason, spec=check)


def call(name: str, args: Any, *, at: float | None = None, began: float | None = None, **fields: Any) -> ToolCall:
    """A tool call; `began` and `at` are milliseconds after the beginning of the run."""
    times = {"started_ms": began, "completed_ms": at}
    return ToolCall(name=name, args=args, **{k: BEGAN_MS + ms for k, ms in times.items() if ms is not None}, **fields)


def turn(
    number: int,
    said: str,
    answer: str = "",
    *,
    source: Any = "static",
    calls: tuple[ToolCall, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
    awaiting: bool = False,
    seconds: float = 2.0,
    reached: tuple[str, ...] = (),
    **line: Any,
) -> Turn:
    """A line and its answer; turns begin three seconds apart."""
    started = BEGAN_MS + 1000 * 3 * (number - 1)
    return Turn(
        number=number,
        line=Line(content=said, source=source, assertions=tuple(v.spec for v in verdicts if v.spec), **line),
        reply=AgentReply(text=answer, calls=calls),
        awaiting=Awaiting(awaiting, "question" if awaiting else "completed"),
        verdicts=verdicts,
        reached=reached,
        started_ms=started,
        ended_ms=started + seconds * 1000,
    )


def bare_turn(said: str, seconds: float, reply: AgentReply | None = None, **fields: Any) -> Turn:
    """The only turn of a conversation, of which nothing was judged."""
    times = {"started_ms": BEGAN_MS, "ended_ms": BEGAN_MS + seconds * 1000}
    return Turn(**{"number": 1, "line": Line(content=said), "reply": reply or AgentReply(), **times, **fields})


def case(case_id: str, *says: Any, at: str = "tests/expense.jsonl:1", **fields: Any) -> Case:
    """A case that says these lines, written at `path:line`."""
    path, _, line = at.rpartition(":")
    turns = tuple(ScriptedTurn(content=said) for said in says)
    return Case(**{"id": case_id, "origin": Origin(path, int(line)), "turns": turns, **fields})


def script_of(turns: tuple[Turn, ...]) -> tuple[ScriptedTurn, ...]:
    """The script that leads to these turns."""
    return tuple(ScriptedTurn(content=t.line.content, assertions=t.line.assertions) for t in turns)


def attempt(
    *turns: Turn,
    status: Status = Status.PASSED,
    ending: EndReason | Ending = EndReason.COMPLETED,
    seconds: float = 1.0,
    history: Any = (),
    **fields: Any,
) -> Attempt:
    """One run of a case; a failed one is the agent's fault."""
    ended = ending if isinstance(ending, Ending) else Ending(ending)
    known = {
        "status": status,
        "fault": "agent" if status in (Status.FAILED, Status.TIMEOUT) else None,
        "transcript": Transcript(history=history, turns=turns, ending=ended),
        "started_ms": BEGAN_MS,
        "duration_ms": seconds * 1000,
    }
    return Attempt(**{**known, **fields})


def result(of: Case, *attempts: Attempt, index: int = 1, **fields: Any) -> CaseResult:
    """A case's result, with the status of its first attempt."""
    return CaseResult(**{"case": of, "status": attempts[0].status, "attempts": attempts, "index": index, **fields})
