"""Every message and tool call in full, for `-v`."""

from vivavoce.model.json_value import rounded, text_of
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt
from vivavoce.notation.durations import format_ms
from vivavoce.reporters.attached_parts import attached_parts
from vivavoce.reporters.terminal.style import Look, hanging
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import call_text, outcome_text
from vivavoce.wording.terminal_text import neutral, quoted

_SHOWN_CHARACTERS = 20_000
_SPEAKERS = {"user": "User:  ", "assistant": "Agent: ", "system": "System: ", "tool": "Tool:  "}


def transcript_lines(attempt: Attempt, look: Look, indent: int) -> list[str]:
    lines: list[str] = []
    for message in attempt.transcript.history:
        head = _SPEAKERS.get(message.role, f"{neutral(message.role)}: ")
        said = message.text or quoted(message.tool_calls or "")
        lines += [look.dim(line) for line in _said(head, said, look, indent)]
    for turn in attempt.transcript.turns:
        said = " ".join(part for part in (turn.line.text, attached_parts(turn.line.content)) if part)
        lines += _said("User:  ", said, look, indent)
        for call in turn.reply.calls:
            lines += call_lines(call, look, indent)
        lines += _said("Agent: ", text_of(rounded(turn.reply.output)), look, indent)
        lines += interrupt_lines(turn.reply, look, indent) + log_lines(turn.reply.logs, look, indent)
    return lines + log_lines(attempt.logs, look, indent)


def call_lines(call: ToolCall, look: Look, indent: int) -> list[str]:
    """The call with its arguments, and what came of it."""
    lines = _said("Tool:  ", call_text(call), look, indent)
    outcome = outcome_text(call)
    if call.started_ms is not None and call.completed_ms is not None:
        outcome += f" ({format_ms(call.completed_ms - call.started_ms)})"
    return lines + _said("       → ", outcome, look, indent)


def interrupt_lines(reply: AgentReply, look: Look, indent: int) -> list[str]:
    """The interrupts of a turn, one after the other, with the agent's message for each."""
    lines: list[str] = []
    for stop in reply.interrupts:
        named = stop.reason or stop.tool_name or stop.id
        lines += _said("Interrupt: ", f"{named}: {stop.message}" if stop.message else named, look, indent)
    return lines


def log_lines(logs: str, look: Look, indent: int) -> list[str]:
    """What was printed on the way to a reply, or before an attempt broke."""
    return [look.dim(line) for line in _said("Log:   ", logs.rstrip("\n"), look, indent)] if logs.strip() else []


def _said(head: str, text: str, look: Look, indent: int) -> list[str]:
    return hanging(head, look.wrapped(neutral(shorten(text, _SHOWN_CHARACTERS)), indent + len(head)))
