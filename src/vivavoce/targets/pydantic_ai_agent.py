"""A pydantic-ai Agent as it is: its output, its tool calls, its usage. Nothing is imported before one is seen."""

import base64
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from msgspec import UNSET, structs

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import compact_json, text_of
from vivavoce.model.message import AgentReply, Content, ContentPart, Message, ToolCall, Usage, text_of_content
from vivavoce.model.transcript import Line, Transcript
from vivavoce.scripts.plain_json import as_json

_SUCCEEDED = ("success", None)
_NO_RESULTS = ("Final result processed", "Output tool not used", "Tool not executed")
_OUTPUT_TOOL = "final_result"
"""How pydantic-ai names the tool it invents to get structured output."""


def is_pydantic_ai_agent(value: Any) -> bool:
    if isinstance(value, type) or not hasattr(value, "run_stream"):
        return False
    return any(kind.__module__.partition(".")[0] == "pydantic_ai" for kind in type(value).__mro__)


class PydanticAiConversation:
    """One conversation: what the library remembered of the last run goes into the next."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._remembered: list[Any] | None = None

    async def say(self, line: Line, transcript: Transcript) -> AgentReply:
        history = _history(transcript.history) if self._remembered is None else self._remembered
        result: Any = await self._agent.run(_prompt(line.content), message_history=history)
        self._remembered = result.all_messages()
        output: Any = result.output
        structured = not isinstance(output, str)
        data: Any = as_json(output) if structured else UNSET
        return AgentReply(
            text=text_of(data) if structured else output,
            data=data,
            calls=tuple(_calls(result.new_messages())),
            usage=_usage(result),
        )


def _calls(messages: list[Any]) -> Iterator[ToolCall]:
    parts = [(message, part) for message in messages for part in message.parts]
    answers = {part.tool_call_id: part for _, part in parts if part.part_kind.endswith(("tool-return", "retry-prompt"))}
    for message, part in parts:
        if part.part_kind.endswith("tool-call") and not _is_output(part, answers.get(part.tool_call_id)):
            call = ToolCall(
                id=part.tool_call_id,
                name=part.tool_name,
                args=part.args_as_dict(),
                started_ms=message.timestamp.timestamp() * 1000,
            )
            yield _answered(call, answers[call.id]) if call.id in answers else call


def _is_output(part: Any, answer: Any) -> bool:
    """Whether a call only hands over structured output. A user's own tool may have such a name, and a real result."""
    if not part.tool_name.startswith(_OUTPUT_TOOL):
        return False
    return answer is None or answer.part_kind == "retry-prompt" or str(answer.content).startswith(_NO_RESULTS)


def _answered(call: ToolCall, answer: Any) -> ToolCall:
    content = as_json(answer.content)
    # Since 2.62 a tool that asks for another try is told as a return with this outcome.
    refused = answer.part_kind == "retry-prompt" or getattr(answer, "outcome", "success") not in _SUCCEEDED
    return structs.replace(
        call,
        result=UNSET if refused else content,
        error=text_of(content) if refused else None,
        completed_ms=answer.timestamp.timestamp() * 1000,
    )


def _usage(result: Any) -> Usage:
    usage: Any = result.usage
    if not hasattr(usage, "input_tokens"):
        usage = usage()  # a method in earlier versions
    return Usage(usage.input_tokens, usage.output_tokens)


def _history(messages: tuple[Message, ...]) -> list[Any]:
    library: Any = import_module("pydantic_ai.messages")
    said: list[Any] = []
    for message in messages:
        if message.role == "assistant":
            said.append(library.ModelResponse(parts=[library.TextPart(message.text)]))
        elif message.role == "system":
            said.append(library.ModelRequest(parts=[library.SystemPromptPart(message.text)]))
        else:
            said.append(library.ModelRequest(parts=[library.UserPromptPart(_prompt(message.content))]))
    return said


def _prompt(content: Content) -> str | list[Any]:
    """Words as a string; what comes with media as the library's own parts, in order."""
    if isinstance(content, str) or all(part.get("type") == "text" for part in content):
        return text_of_content(content)
    library: Any = import_module("pydantic_ai.messages")
    return [_part(part, library) for part in content]


def _part(part: ContentPart, library: Any) -> Any:
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
            raise CallFailed(f"pydantic-ai agents take no content like {compact_json(part):.80}", fault="test")


def _binary(url: str, library: Any) -> Any:
    head, _, data = url.removeprefix("data:").partition(",")
    return library.BinaryContent(base64.b64decode(data), media_type=head.removesuffix(";base64"))
