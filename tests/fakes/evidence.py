"""Small builders for what checks are given, and fakes at the sockets they call."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from vivavoce.model.case import AssertionSpec, CallOptions, Case
from vivavoce.model.message import AgentReply, Message, ToolCall, Unread, Usage
from vivavoce.model.transcript import Line, Turn
from vivavoce.model.verdict import Verdict
from vivavoce.plugins.assertion_building import build_check
from vivavoce.protocols import Evidence, Helpers, Scope


def call(name: str, args: Any = None, result: Any = UNSET, *, error: str | None = None, at: float | None = None):
    return ToolCall(name=name, args={} if args is None else args, result=result, error=error, completed_ms=at)


def turn(
    text: str = "",
    *calls: ToolCall,
    number: int = 1,
    says: Any = "hello",
    data: Any = UNSET,
    state: Any = UNSET,
    texts: tuple[str, ...] = (),
    usage: Usage | None = None,
    start: float = 0.0,
    end: float = 0.0,
    unread: tuple[Unread, ...] = (),
    shows_calls: bool = True,
) -> Turn:
    reply = AgentReply(
        text=text,
        data=data,
        calls=calls,
        state=state,
        texts=texts,
        usage=usage,
        unread=unread,
        shows_calls=shows_calls,
    )
    return Turn(number=number, line=Line(content=says), reply=reply, started_ms=start, ended_ms=end)


def evidence(
    *turns: Turn, scope: Scope = "turn", case: Case | None = None, history: Sequence[Message] = ()
) -> Evidence:
    """One turn or all of them; turns are numbered as they come."""
    numbered = tuple(
        Turn(number=at, line=t.line, reply=t.reply, started_ms=t.started_ms, ended_ms=t.ended_ms)
        for at, t in enumerate(turns, 1)
    )
    output = numbered[-1].reply.output if numbered else None
    return Evidence(turns=numbered, output=output, scope=scope, case=case or Case(id="T001"), history=tuple(history))


def answered(output: Any, **more: Any) -> Evidence:
    """A single reply: text when it is a string, structured data otherwise."""
    return evidence(turn(output) if isinstance(output, str) else turn(data=output), **more)


class FakeJudge:
    """An agent that answers with prepared texts (or raises), remembering what it was asked."""

    def __init__(self, *replies: str | AgentReply | Exception, delay_s: float = 0.0) -> None:
        self._replies = list(replies)
        self._delay_s = delay_s
        self.asked: list[tuple[str, Sequence[Message], CallOptions, str]] = []

    async def ask(
        self, ref: str, messages: Sequence[Message], options: CallOptions, *, test_id: str = ""
    ) -> AgentReply:
        reply = self._replies[min(len(self.asked), len(self._replies) - 1)]
        self.asked.append((ref, messages, options, test_id))
        await asyncio.sleep(self._delay_s)
        if isinstance(reply, Exception):
            raise reply
        return AgentReply(text=reply) if isinstance(reply, str) else reply


class FakeScripts:
    """A script that is one Python function of (output, input, expected, ctx)."""

    def __init__(self, function: Callable[..., Any], delay_s: float = 0.0) -> None:
        self._function = function
        self._delay_s = delay_s
        self.called: list[str] = []

    async def call(self, ref: str, *args: Any, ctx: dict[str, Any] | None = None) -> Any:
        self.called.append(ref)
        await asyncio.sleep(self._delay_s)
        return self._function(*args, ctx)


def helpers(
    judge: FakeJudge | None = None, scripts: FakeScripts | None = None, judge_timeout_s: float = 5.0
) -> Helpers:
    return Helpers(
        agents=judge or FakeJudge("no judge was expected"),
        scripts=scripts or FakeScripts(lambda *_: None),
        judge_timeout_s=judge_timeout_s,
    )


async def check(kind: str, seen: Evidence, /, **fields: Any) -> Verdict:
    """The verdict of one check, straight from its class."""
    return await build_check(AssertionSpec(type=kind, fields=fields)).check(seen, helpers())
