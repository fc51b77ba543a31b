"""Whether the agent waits for an answer: what it declares, then the tools it called, then the wording of its text."""

from functools import cache

from msgspec import UNSET, Struct

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Awaiting
from vivavoce.notation.json_text import whole_json
from vivavoce.notation.patterns import compile_pattern
from vivavoce.project.settings import AwaitingConfig

ASKING_TOOLS = ("request_confirmation", "ask_user", "get_user_input")

# A sentence begins with the text, after a full stop, or on a new line, perhaps behind a list mark or a quote.
_SENTENCE_START = r"""(?:^|[.!?。！？:]["'”’)*_]{0,3}\s|\n)[\s>#*_"'“‘(-]{0,6}"""
# A dot inside a number or an abbreviation does not end the sentence.
_SENTENCE_REST = r"(?:[^.!?。！？\n]|[.!?]\S)*"
_LEAD_IN = r"(?:(?:to|before|so|now|first|next|then|also|and)\b[^,.!?\n]{0,80},?\s+)?"

QUESTION_PATTERNS = (
    # A closing question mark, perhaps inside quotes or before an emoji.
    r"[?？؟][^\p{L}\p{N}.!。！]{0,8}$",
    r"^(?:what|how|when|where|which|who|please|could you)\b",
    r"\b(?:confirm|verify|proceed|continue)\s?[?？]",
    # "… Please provide the PO number."
    rf"{_SENTENCE_START}{_LEAD_IN}please\b{_SENTENCE_REST}[^\p{{L}}\p{{N}}?]*$",
    # "Got it. What is the amount": a question that lost its mark; with a full stop it would be a statement.
    rf"{_SENTENCE_START}(?:what|how|when|where|which|who|could you)\b{_SENTENCE_REST}[^\p{{L}}\p{{N}}.!?。！]*$",
    # A question followed by nothing but the choices.
    r"[?？][*_\s]*(?:\n\s*(?:[-*•]|\d+[.)]|\(?[a-zA-Z][.)])\s[^\n]*)+$",
)

_ASKING_MARKS = ("?", "？", "؟", "wh", "how", "please", "could you")

# Cut short, or still busy with its tools; Anthropic's words beside OpenAI's.
_UNFINISHED = frozenset({"length", "max_tokens", "tool_calls", "tool_use"})
_INTERRUPTED = ExchangeStatus.INTERRUPTED
_HEAD_CHARS = 400
_TAIL_CHARS = 1600


class AwaitingRules(Struct, frozen=True):
    """How a waiting agent is recognised. A project can set its own tools and patterns."""

    tools: tuple[str, ...]
    patterns: tuple[JsonValue, ...] | None
    """Compiled patterns: a text that matches one is a question. None: viva's own patterns."""

    @classmethod
    def of(cls, config: AwaitingConfig) -> "AwaitingRules":
        """Returns the rules of a configuration, whose lists replace viva's own. Raises UsageError for a bad pattern."""
        tools = ASKING_TOOLS if config.tools is None else tuple(config.tools)
        if config.patterns is None:
            return cls(tools, None)
        try:
            return cls(tools, tuple(compile_pattern(pattern) for pattern in config.patterns))
        except ValueError as error:
            raise UsageError(f"awaiting.patterns: {error}") from None

    def detect(self, reply: AgentReply) -> Awaiting:
        """Returns whether the agent expects an answer, and the reason; its own declaration comes first."""
        if (declared := _declared(reply)) is not None:
            return Awaiting(declared, "agent_declared")
        if reply.interrupts or reply.status is _INTERRUPTED:
            return Awaiting(True, "interrupt_open")
        if reply.calls and any(call.is_named(tool) for call in reply.calls for tool in self.tools):
            return Awaiting(True, "tool_requires_confirmation")
        if reply.finish_reason in _UNFINISHED:
            return Awaiting(False, "finish_reason")
        if self._asks(reply.text):
            return Awaiting(True, "content_is_question")
        return Awaiting(False, "completed")

    def _asks(self, text: str) -> bool:
        text = text.strip()
        if len(text) > _HEAD_CHARS + _TAIL_CHARS:
            text = _head_and_tail(text)
        if not text or (self.patterns is None and not _may_ask(text)):
            return False
        patterns = _own_patterns() if self.patterns is None else self.patterns
        try:
            return any(pattern.search(text) is not None for pattern in patterns)
        except UnicodeEncodeError:
            # RE2 reads UTF-8, which cannot hold half a surrogate pair.
            readable = text.encode(errors="replace").decode()
            return any(pattern.search(readable) is not None for pattern in patterns)


def _declared(reply: AgentReply) -> bool | None:
    """What the agent declares: beside its answer, or as `awaiting_input` in an answer that is a JSON object."""
    if reply.awaiting is not None:
        return reply.awaiting
    answer: JsonValue = reply.data
    if answer is UNSET:
        if "awaiting_input" not in reply.text:
            return None
        answer = whole_json(reply.text)
    said = answer.get("awaiting_input") if is_object(answer) else None
    return said if isinstance(said, bool) else None


@cache
def _own_patterns() -> tuple[JsonValue, ...]:
    """All patterns as one, compiled when first needed."""
    return (compile_pattern("(?i)" + "|".join(f"(?:{pattern})" for pattern in QUESTION_PATTERNS)),)


def _may_ask(text: str) -> bool:
    """Returns False for a text no pattern can match: each needs a question mark or one of these word beginnings."""
    lowered = text.lower()
    for mark in _ASKING_MARKS:  # noqa: SIM110 - a generator costs three times as much, and every reply comes here
        if mark in lowered:
            return True
    return False


def _head_and_tail(text: str) -> str:
    """Returns the start and the end of a long text, where questions are; the middle is not searched."""
    return f"{text[:_HEAD_CHARS]} … {text[-_TAIL_CHARS:]}"
