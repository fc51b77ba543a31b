"""The bounded loop: the model speaks, its tools run, their results go back, until it stops."""

import asyncio
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import msgspec
from msgspec import UNSET

from vivavoce.calling.model_faults import with_model_faults
from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.message import AgentReply, Message, ToolCall, Unread, Usage, calls_with_results
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.model_wires.heard_so_far import HeardSoFar
from vivavoce.notation.hidden_calls import looks_like_calls
from vivavoce.notation.suspected_calls import suspected_call
from vivavoce.protocols import Connector, Interventions, ModelReply, ModelRequest
from vivavoce.targets.agent_package.tools import RunTool, Tool, ToolFailed
from vivavoce.targets.call_payload import Context

MOST_MODEL_CALLS = 20


class ToolLoop:
    """One turn of an agent: asks the model and runs its tool calls until it makes no more."""

    def __init__(
        self,
        connector: Connector,
        tools: Mapping[str, Tool],
        options: dict[str, Any],
        ctx: Context,
        headers: Mapping[str, str] | None = None,
        interventions: Interventions | None = None,
    ) -> None:
        self._connector = connector
        self._tools = tools
        self._specs = tuple(tool.spec for tool in tools.values())
        self._options = options
        self._ctx = ctx
        self._headers = headers or {}
        self._interventions = interventions
        self._model_calls = 0
        self._usage: Usage | None = None
        self._texts: list[str] = []
        self._trace: list[dict[str, Any]] = []
        self._unread: list[Unread] = []
        self._heard = HeardSoFar()
        self.calls: list[ToolCall] = []
        self.added: list[Message] = []
        """What the turn adds to the history."""

    async def run(self, conversation: list[Message]) -> ModelReply:
        """Returns the model's last reply; adds all messages to `conversation`. Raises CallFailed if it never stops."""
        while True:
            reply = await self._ask(conversation)
            # Tools that the provider hosts have run already.
            self.calls.extend(call for call in reply.calls if call.is_answered)
            wanted = [call for call in reply.calls if not call.is_answered]
            if not wanted:
                self._say(Message(role="assistant", content=reply.text), conversation)
                return reply
            first = len(self.calls)
            # A call counts when it is made: its tool may never come back.
            self.calls.extend(wanted)
            done = await asyncio.gather(*(self._run(call, first + at) for at, call in enumerate(wanted)))
            for message in calls_with_results(done, reply.text):
                self._say(message, conversation)
            if any(self._is_for_others(call) for call in done):
                return reply

    def listen(self, messages: list[Message], conversation: list[Message]) -> None:
        """Adds what a hook tells the model before it goes on."""
        for message in messages:
            self._say(message, conversation)

    def reply(self, last: ModelReply, data: Any) -> AgentReply:
        """The whole turn as one reply. `data` is what `Next` returned."""
        data = data if data is not UNSET else last.data
        missed = [suspected_call(data, "structured output")] if data is not UNSET and looks_like_calls(data) else []
        return AgentReply(
            text=last.text,
            texts=tuple(self._texts) if len(self._texts) > 1 else (),
            data=data,
            calls=tuple(self.calls),
            awaiting=last.extra.get("awaiting_input"),
            input_hint=last.extra.get("input_hint"),
            finish_reason=last.finish_reason,
            usage=self._usage,
            messages=tuple(self.added),
            trace=tuple(self._trace),
            unread=(*self._unread, *missed),
        )

    def so_far(self) -> AgentReply:
        """What was said and done in a turn that broke, with what the last stream had told."""
        heard = self._heard.reply()
        self.calls.extend(heard.calls)
        self._unread += heard.unread
        if heard.text:
            self._texts.append(heard.text)
        return self.reply(ModelReply(text=heard.text), UNSET)

    async def _ask(self, conversation: list[Message]) -> ModelReply:
        if self._model_calls == MOST_MODEL_CALLS:
            names = ", ".join(dict.fromkeys(call.name for call in self.calls))
            raise CallFailed(
                f"tool loop did not end: {MOST_MODEL_CALLS} model calls, {len(self.calls)} tool calls ({names})",
                fault="agent",
            )
        self._model_calls += 1
        request = ModelRequest(
            messages=conversation,
            tools=self._specs,
            options=self._options,
            metadata=self._ctx["metadata"],
            headers=self._headers,
        )
        with self._heard, nullcontext() if self._interventions is None else with_model_faults(self._interventions):
            reply = await self._connector.complete(request)
        if reply.usage is not None:
            self._usage = reply.usage.plus(self._usage)
        self._unread += reply.unread
        if reply.text:
            self._texts.append(reply.text)
        if reasoning := reply.extra.get("reasoning"):
            self._trace.append({"type": "reasoning", "text": reasoning})
        return reply

    async def _run(self, call: ToolCall, place: int) -> ToolCall:
        """The call with what came of it, also put in its place among all calls."""
        started_ms = now_ms()
        self.calls[place] = msgspec.structs.replace(call, started_ms=started_ms)
        result: Any = UNSET
        error: str | None = None
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            error = f"unknown tool {call.name!r} (known: {known})"
        elif tool.run is not None:
            answer = await self._answered(call, tool.run)
            result, error = answer.value, answer.error
        # The wall clock may jump; durations come from the steady one.
        completed_ms = now_ms()
        self.calls[place] = done = msgspec.structs.replace(
            call, result=result, error=error, started_ms=started_ms, completed_ms=completed_ms
        )
        return done

    async def _answered(self, call: ToolCall, run: RunTool) -> ToolAnswer:
        async def real() -> ToolAnswer:
            try:
                return ToolAnswer(value=await run(call.args, self._ctx))
            except ToolFailed as failure:
                return ToolAnswer(error=str(failure))

        between = self._interventions
        return await real() if between is None else await between.tool(call.name, call.args, real)

    def _is_for_others(self, call: ToolCall) -> bool:
        tool = self._tools.get(call.name)
        return tool is not None and tool.run is None

    def _say(self, message: Message, conversation: list[Message]) -> None:
        conversation.append(message)
        self.added.append(message)
