"""A turn as a person at the terminal reads it."""

from collections.abc import Iterator

from vivavoce.model.json_value import text_of
from vivavoce.model.message import Interrupt, ToolCall
from vivavoce.model.transcript import Turn
from vivavoce.wording.quoting import shorten
from vivavoce.wording.terminal_text import clip, neutral, quoted

_LONGEST_ARGS = 200
_LONGEST_TEXT = 20_000


def describe_turn(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yields the pieces of a turn as (label, text), without the line the person typed."""
    if turn.line.source != "interactive" and turn.line.text:
        yield "User", neutral(turn.line.text)
    for call in turn.reply.calls:
        yield "", neutral(tool_text(call))
    said = turn.reply.text or text_of(turn.reply.output)
    if said:
        yield "Agent", neutral(shorten(said, _LONGEST_TEXT))
    for interrupt in turn.reply.interrupts:
        yield "Asks", neutral(_interrupt_text(interrupt))


def tool_text(call: ToolCall) -> str:
    """`[tool: create_expense({amount: 3500})]`, as seed 004's console shows it."""
    failure = f" failed: {call.error}" if call.error else ""
    return f"[tool: {call.name}({clip(quoted(call.args), _LONGEST_ARGS)})]{failure}"


def _interrupt_text(interrupt: Interrupt) -> str:
    return interrupt.message or interrupt.reason or interrupt.tool_name or interrupt.id
