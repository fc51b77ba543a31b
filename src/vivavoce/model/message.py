"""Messages, tool calls, and the reply that every kind of agent gives."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, iter_texts, text_of

ContentPart = JsonObject
"""A part of a message in its canonical (OpenAI chat) form: text, image_url, input_audio, file."""

Content = str | list[ContentPart]

ATTACHMENT_NAME = "viva-attachment:"
"""The beginning of the text that result files have in place of an attachment's bytes."""


def is_only_named(part: ContentPart) -> bool:
    """Whether a recorded attachment has lost its bytes and has only its name left."""
    return any(text.startswith(ATTACHMENT_NAME) for text in iter_texts(part))


def text_of_content(content: Content) -> str:
    """Returns the text of a message, without its other parts."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content if part.get("type") == "text")


def words_of_content(content: Content) -> str:
    """Returns the text of a message, with a mark such as `[image_url]` for every other part."""
    if isinstance(content, str):
        return content
    pieces = (part.get("text") if part.get("type") == "text" else f"[{part.get('type')}]" for part in content)
    return "\n".join(str(piece) for piece in pieces if piece)


_NO_NAME = (
    r"\bmulti_tool_use\b|^[\s'`<(]|[\s'`>]$|\w\("
    r"|[{}\[\]\"\x00-\x1f\x7f\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]"
)
"""What the name of a tool never contains: blanks or quotes around it, brackets, invisible characters.
`multi_tool_use.parallel` is not a tool: models put several calls into its arguments."""


class ToolCall(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A tool the agent started, whether or not a result was seen."""

    id: str = ""
    name: str
    args: JsonValue = {}
    """The arguments as an object; the raw text if it was not a JSON object."""
    result: JsonValue | UnsetType = UNSET
    """UNSET when no result was seen, which is not the same as null."""
    error: str | None = None
    started_ms: float | None = None
    completed_ms: float | None = None
    """Unix milliseconds; without a result, the time of the call's last event."""
    frontend: bool = False
    """Whether viva answered it (a tool the app's front end would run)."""

    @property
    def is_answered(self) -> bool:
        """Whether a result or an error was seen."""
        return self.result is not UNSET or self.error is not None

    @property
    def has_a_name(self) -> bool:
        """Whether the name can be the name of a tool: not empty, and not a piece of JSON or code."""
        return bool(self.name) and re.search(_NO_NAME, self.name) is None

    def is_named(self, wanted: str) -> bool:
        """Exact name, or the part after a namespace: `setup` also names `shop__setup`, `a.setup`, `a/setup`."""
        if self.name == wanted:
            return True
        if not wanted or not self.name.endswith(wanted):
            return False
        return self.name.endswith((f"__{wanted}", f".{wanted}", f"/{wanted}"))


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One entry of a conversation's history, as it is sent to the agent."""

    role: str
    content: Content = ""
    name: str | None = None
    id: str | None = None
    tool_calls: list[JsonObject] | None = None
    """Calls of an assistant message, on the OpenAI wire form."""
    tool_call_id: str | None = None
    is_error: bool = False
    """Whether a tool's answer is an error. Sent to providers whose format has a field for it."""

    @property
    def text(self) -> str:
        return text_of_content(self.content)


class Usage(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a reply cost, as the provider said."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def plus(self, other: "Usage | None") -> "Usage":
        if other is None:
            return self
        cost = self.cost if other.cost is None else other.cost + (self.cost or 0.0)
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens, cost)


class Interrupt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The agent stopped and wants an answer before it goes on."""

    id: str
    reason: str | None = None
    message: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    schema: JsonObject | None = None
    payload: JsonValue = None


class ExchangeStatus(StrEnum):
    """How the exchange itself ended. Anything but SUCCESS fails the turn unless the test expects it."""

    SUCCESS = "success"
    ERROR = "error"
    INTERRUPTED = "interrupted"
    CANCELLED = "cancelled"
    TRUNCATED = "truncated"
    PROTOCOL_ERROR = "protocol_error"
    HTTP_ERROR = "http_error"


MayHold = Literal["call", "words", "both", "details", "name"]
"""What a piece that could not be read may contain.

`details`: arguments or results of a call whose name is known. `name`: words that may be the name of a tool; only checks
of a tool with such a name are broken.
"""


class Unread(Struct, frozen=True, omit_defaults=True, gc=False):
    """A piece of a reply that could not be read. Checks that might fail because of it are broken."""

    piece: str
    """Its beginning, as received."""
    where: str = ""
    """Its place in the reply, such as `$.toolCalls`; for `details`, the tool's name."""
    may_hold: MayHold = "both"
    tool: str = ""
    """The tool that it may be a call of; empty for any tool. Several words are all the words in it, not only names."""

    def may(self, hold: str) -> bool:
        """Whether it may contain a `call`, `words`, or either of them (`both`)."""
        if self.may_hold in ("details", "name"):
            return False
        return hold in (self.may_hold, "both") or self.may_hold == "both"

    @property
    def is_name(self) -> bool:
        """Whether it matters only to checks of a tool that is named in it."""
        return self.may_hold == "name"

    def __str__(self) -> str:
        return f"{self.where}: {self.piece}" if self.where else self.piece


class AgentReply(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Everything an agent answered to one line: what every target returns."""

    text: str = ""
    """The final text."""
    texts: tuple[str, ...] = ()
    """All texts of the turn in order, when there was more than the final one."""
    data: JsonValue | UnsetType = UNSET
    """Structured output, when the agent gave one; it is then the output that assertions judge."""
    calls: tuple[ToolCall, ...] = ()
    late_results: tuple[ToolCall, ...] = ()
    """Calls of earlier turns whose result came only now; the transcript puts them where they belong."""
    awaiting: bool | None = None
    """Whether the agent says that it waits for an answer; None if it does not say."""
    input_hint: str | None = None
    interrupts: tuple[Interrupt, ...] = ()
    """Interrupts still open when the turn ended."""
    state: JsonValue | UnsetType = UNSET
    ended_ms: float | None = None
    """When the agent's last message arrived (Unix milliseconds), for targets that keep listening after it."""
    finish_reason: str | None = None
    usage: Usage | None = None
    status: ExchangeStatus = ExchangeStatus.SUCCESS
    error: str | None = None
    """What went wrong, if the status is not a success."""
    warnings: tuple[str, ...] = ()
    violations: tuple[str, ...] = ()
    """Breaches of the protocol's own rules; failures under --strict-protocol."""
    messages: tuple[Message, ...] = ()
    """What this reply adds to the history; empty means one assistant message with the text and calls."""
    trace: tuple[JsonObject, ...] = ()
    """Reasoning, sub-agents and other events worth showing but not judged."""
    logs: str = ""
    """What the agent's code printed."""
    unread: tuple[Unread, ...] = ()
    """The pieces of the reply that could not be read."""
    shows_calls: bool = True
    """False for a format that cannot contain tool calls, such as plain text: whether tools were called is unknown."""
    not_shown: str = ""
    """Why the calls are not shown, if the target knows more than `shows_calls` says."""

    @property
    def output(self) -> JsonValue:
        """What assertions judge: the structured data when there is any, else the text."""
        return self.text if self.data is UNSET else self.data

    @property
    def is_silent(self) -> bool:
        """Whether the reply is empty: no text, data, call, result, state or interrupt."""
        spoke = self.text or self.calls or self.late_results or self.interrupts
        return not spoke and self.data is UNSET and self.state is UNSET


def calls_with_results(calls: Sequence[ToolCall], said: str = "") -> tuple[Message, ...]:
    """Returns tool calls as history: one message with the calls and the text `said`, and a result for each call."""
    called = Message(
        role="assistant",
        content=said,
        tool_calls=[
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": call.args if isinstance(call.args, str) else compact_json(call.args),
                },
            }
            for call in calls
        ],
    )
    answers = [
        Message(
            role="tool",
            tool_call_id=call.id,
            content=call.error or ("" if call.result is UNSET else text_of(call.result)),
            is_error=call.error is not None,
        )
        for call in calls
    ]
    return (called, *answers)
