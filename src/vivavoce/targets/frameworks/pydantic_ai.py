"""A pydantic-ai Agent: its output, tool calls with their outcome, usage, and the approvals it waits for."""

import base64
from collections.abc import Iterator, Sequence
from importlib import import_module

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import compact_json, text_of
from vivavoce.model.message import Content, ContentPart, Interrupt, Message, text_of_content
from vivavoce.notation.hidden_calls import marks_of_calls
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.framework import Foreign, Opening
from vivavoce.targets.frameworks.offered_tools import Offered
from vivavoce.targets.frameworks.turn_record import TurnRecord, plain
from vivavoce.targets.resume_answers import Resumption
from vivavoce.wording.quoting import shorten

_SUCCEEDED = ("success", None)
_NO_RESULTS = ("Final result processed", "Output tool not used", "Tool not executed")
_OUTPUT_TOOL = "final_result"
"""How pydantic-ai names the tool it invents to get structured output."""
_EXTERNAL = "external"
"""The reason of an interrupt whose tool somebody else has to run: the answer is its result."""


class Agent:
    one_turn = ""
    one_at_a_time = ""
    takes_deps = True

    def __init__(self, agent: Foreign) -> None:
        self._agent = agent

    def open(self, opening: Opening) -> "PydanticAiConversation":
        return PydanticAiConversation(self._agent, opening.deps)


class PydanticAiConversation:
    """What the library remembered of the last run goes into the next."""

    def __init__(self, agent: Foreign, deps: Foreign) -> None:
        self._agent = agent
        self._deps = deps
        self._remembered: list[Foreign] | None = None

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        if self._remembered is None:
            self._remembered = _history(earlier)
        await self._run(seen, user_prompt=_prompt(content))

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        library: Foreign = import_module("pydantic_ai")
        given = library.DeferredToolResults()
        for each in answers:
            call_id = each.interrupt.tool_call_id
            if each.interrupt.reason == _EXTERNAL:
                given.calls[call_id] = each.answer.payload
                continue
            decided = decision(each.answer)
            refusal = library.ToolDenied(decided.reason) if decided.reason else False
            given.approvals[call_id] = True if decided.approved else refusal
        await self._run(seen, deferred_tool_results=given)

    async def close(self) -> None: ...

    async def _run(self, seen: TurnRecord, **given: Foreign) -> None:
        with import_module("pydantic_ai").capture_run_messages() as messages:
            known = len(self._remembered or ())
            finished = False
            try:
                result = await self._agent.run(message_history=self._remembered, deps=self._deps, **given)
                finished = True
            finally:
                if not finished:
                    read_messages(messages[known:], seen)
                    self._name_missing_deps(seen)
        self._remembered = result.all_messages()
        read_result(result, seen)

    def _name_missing_deps(self, seen: TurnRecord) -> None:
        """Says what may be the cause when the run of an agent raised that is meant to have `deps` and has none."""
        wanted = getattr(self._agent, "deps_type", None)
        if self._deps is None and wanted not in (None, type(None), object):
            name = getattr(wanted, "__name__", wanted)
            seen.warn(f"the agent takes deps of type {name} and was given none: write `deps:` at the agent")


def read_result(result: Foreign, seen: TurnRecord) -> None:
    """The outcome of a run."""
    read_messages(result.new_messages(), seen)
    output = result.output
    if type(output).__name__ == "DeferredToolRequests":
        for call in output.approvals:
            seen.waits(_waiting(call, "approval"))
        for call in output.calls:
            seen.waits(_waiting(call, _EXTERNAL))
    elif isinstance(output, str):
        seen.said(output)
    else:
        seen.answered(output)
    # `usage` is a method in earlier versions.
    usage = result.usage if hasattr(result.usage, "input_tokens") else result.usage()
    seen.spent(usage.input_tokens, usage.output_tokens)


def read_messages(messages: Sequence[Foreign], seen: TurnRecord) -> None:
    """The tool calls of some messages and what became of them."""
    parts = [(message, part) for message in messages for part in message.parts]
    answers = {part.tool_call_id: part for _, part in parts if _is_answer(part)}
    for message, part in parts:
        if part.part_kind.endswith("tool-call"):
            if not _is_output(part, answers.get(part.tool_call_id)):
                seen.called(part.tool_call_id, part.tool_name, part.args_as_dict(), _milliseconds(message))
        elif part.part_kind == "thinking" and marks_of_calls(part.content):
            seen.missed(part.content, "the thinking", "call")
        elif _is_answer(part) and part.tool_name and not _of_output(part):
            failed = part.part_kind == "retry-prompt" or getattr(part, "outcome", "success") not in _SUCCEEDED
            error = text_of(plain(part.content)) if failed else None
            at_ms = _milliseconds(part)
            seen.returned(part.tool_call_id, part.content, error=error, name=part.tool_name, at_ms=at_ms)
        elif not _is_answer(part) and getattr(part, "tool_name", None):
            seen.missed(part.tool_name, f"a part of kind {part.part_kind}", "call")


def _is_answer(part: Foreign) -> bool:
    return part.part_kind.endswith(("tool-return", "retry-prompt"))


def _is_output(part: Foreign, answer: Foreign) -> bool:
    """Whether a call only hands over structured output. A user's own tool may have such a name, and a real result."""
    return part.tool_name.startswith(_OUTPUT_TOOL) and (answer is None or _of_output(answer))


def _of_output(answer: Foreign) -> bool:
    if not answer.tool_name.startswith(_OUTPUT_TOOL):
        return False
    return answer.part_kind == "retry-prompt" or str(answer.content).startswith(_NO_RESULTS)


def _waiting(call: Foreign, reason: str) -> Interrupt:
    return Interrupt(
        id=call.tool_call_id,
        reason=reason,
        tool_call_id=call.tool_call_id,
        tool_name=call.tool_name,
        payload=call.args_as_dict(),
    )


def _milliseconds(told: Foreign) -> float | None:
    at: Foreign = getattr(told, "timestamp", None)
    return None if at is None else at.timestamp() * 1000


def _history(messages: Sequence[Message]) -> list[Foreign]:
    library: Foreign = import_module("pydantic_ai.messages")
    said: list[Foreign] = []
    for message in messages:
        if message.role == "assistant":
            said.append(library.ModelResponse(parts=[library.TextPart(message.text)]))
        elif message.role == "system":
            said.append(library.ModelRequest(parts=[library.SystemPromptPart(message.text)]))
        else:
            said.append(library.ModelRequest(parts=[library.UserPromptPart(_prompt(message.content))]))
    return said


def _prompt(content: Content) -> str | list[Foreign]:
    """Words as a string; what comes with media as the library's own parts, in order."""
    if isinstance(content, str) or all(part.get("type") == "text" for part in content):
        return text_of_content(content)
    library: Foreign = import_module("pydantic_ai.messages")
    return [_part(part, library) for part in content]


def _part(part: ContentPart, library: Foreign) -> Foreign:
    match part:
        case {"type": "text", "text": text}:
            return str(text)
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return _binary(url, library) if url.startswith("data:") else library.ImageUrl(url)
        case {"type": "input_audio", "input_audio": {"data": data, "format": kind}}:
            media_type = "audio/mpeg" if kind == "mp3" else f"audio/{kind}"
            return _binary(f"data:{media_type};base64,{data}", library)
        case {"type": "file", "file": {"url": str(url)} | {"file_data": str(url)}}:
            return _binary(url, library) if url.startswith("data:") else library.DocumentUrl(url)
        case _:
            raise CallFailed(f"pydantic-ai agents take no content like {shorten(compact_json(part), 80)}", fault="test")


def _binary(url: str, library: Foreign) -> Foreign:
    head, _, data = url.removeprefix("data:").partition(",")
    return library.BinaryContent(base64.b64decode(data), media_type=head.removesuffix(";base64"))


def tools_of(agent: Foreign) -> Iterator[Offered]:
    """The tools it offers to its model; those of MCP servers are not known before it runs."""
    for toolset in agent.toolsets:
        for name, tool in getattr(toolset, "tools", {}).items():
            yield name, tool.function_schema.json_schema
