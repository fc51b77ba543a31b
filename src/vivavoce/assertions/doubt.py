"""The one rule about what was not read: a check that it could turn from pass to failure is broken.

Two things are not read: pieces of an answer that a target could not understand (`AgentReply.unread`), and calls of an
agent whose answers have no place for them (`AgentReply.shows_calls`). A check says by `judges` and `doubted_by` (see
protocols.Assertion) which of them concern it.
"""

import re
from functools import cache

from vivavoce.assertions.unread_calls import is_spelt_alike, letters_of
from vivavoce.model.message import ToolCall, Unread
from vivavoce.model.transcript import Turn
from vivavoce.model.verdict import Outcome, Verdict, broken
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Assertion, Evidence, Sight

NOT_SHOWN = "the agent's answer has no place for tool calls, so nobody can tell which tools it called"
HOW_TO_SHOW = (
    "return {content, tool_calls} instead of plain text, say where an HTTP agent's calls are with "
    "`tool_calls: $.path`, or read them from its spans with `otel: {}`; write `shows_calls: true` at the agent in "
    "viva.yaml if it calls no tools"
)
# Looked up once: a member of an enum is no ordinary attribute, and every check of some agents comes here.
_PASSED, _FAILED = Outcome.PASSED, Outcome.FAILED
_NO_LETTER = r"[\W_]+"
_NAMES = {"call": "a tool call", "words": "words", "both": "words or a tool call", "name": "a call of this tool"}


def certain(check: Assertion, verdict: Verdict, evidence: Evidence, *, negated: bool) -> Verdict:
    """The verdict; or a broken one when something unread could decide otherwise. `verdict` is negated already."""
    for turn in evidence.turns:
        reply = turn.reply
        if reply.unread or not reply.shows_calls:
            return _examined(check, verdict, evidence, negated=negated)
    return verdict


@cache
def is_tool_rule(assertion_type: str) -> bool:
    """Whether an assertion of this type judges tool calls."""
    return assertion_type in ASSERTIONS and getattr(ASSERTIONS.load(assertion_type), "judges", None) == "call"


def _examined(check: Assertion, verdict: Verdict, evidence: Evidence, *, negated: bool) -> Verdict:
    outcome = verdict.outcome
    if outcome is not _PASSED and outcome is not _FAILED:
        return verdict
    if (piece := _hidden_details(check, verdict, evidence)) is not None:
        return broken(f"what was called can be seen, but not with what: {piece.piece}", fault="test", unread=str(piece))
    judges: Sight = getattr(check, "judges", "both")
    sensitive = _turned_by(check, negated=negated)
    is_pass = outcome is _PASSED
    # A failure by calls that were seen is certain: one more call cannot undo it.
    if judges == "call" and (not evidence.calls or (is_pass and sensitive != "nothing")):
        for turn in filter(_hides_calls, evidence.turns):
            return broken(turn.reply.not_shown or f"{NOT_SHOWN} ({HOW_TO_SHOW})", fault="test")
    if not is_pass or sensitive == "nothing":
        return verdict
    for turn in evidence.turns:
        for piece in turn.reply.unread:
            if piece.may(sensitive) and _concerns(piece, check):
                return _doubted(piece, turn, evidence)
            if piece.is_name and sensitive == "call" and _may_name(piece, check, evidence):
                return _doubted(piece, turn, evidence)
    return verdict


def could_fail_by(unseen: Sight, check: Assertion, *, negated: bool) -> bool:
    """Whether more words or calls than were seen could turn a check from pass to failure."""
    return _turned_by(check, negated=negated) in (unseen, "both")


def _turned_by(check: Assertion, *, negated: bool) -> Sight:
    return getattr(check, "judges", "both") if negated else getattr(check, "doubted_by", "both")


def _hidden_details(check: Assertion, verdict: Verdict, evidence: Evidence) -> Unread | None:
    """Returns the piece that keeps a rule about arguments or results from being judged, if there is one."""
    if not getattr(check, "looks_inside", False) or (verdict.passed and getattr(check, "doubted_by", "") == "nothing"):
        return None
    names = _tools_of(check)
    for turn in evidence.turns:
        for piece in turn.reply.unread:
            if piece.may_hold == "details" and any(ToolCall(name=piece.where).is_named(name) for name in names):
                return piece
    return None


def _concerns(piece: Unread, check: Assertion) -> bool:
    """Whether a piece that can only be a call of some tools matters to a check, which may be about others."""
    names = _tools_of(check)
    if not (piece.tool and names):
        return True
    if " " not in piece.tool:
        return any(ToolCall(name=piece.tool).is_named(name) for name in names)
    letters = piece.tool.replace(" ", "").casefold()
    return any(re.sub(_NO_LETTER, "", letters_of(name)) in letters for name in names)


def _may_name(piece: Unread, check: Assertion, evidence: Evidence) -> bool:
    """Whether one of the words in a piece is a tool that a check is about, and of which no call was seen."""
    words = [ToolCall(name=word) for word in piece.tool.split()]
    return any(
        any(word.is_named(name) or is_spelt_alike(word, [name]) for word in words)
        and not any(call.is_named(name) for _, call in evidence.calls)
        for name in _tools_of(check)
    )


def _tools_of(check: Assertion) -> list[str]:
    """The tools that a check is about; empty when it is about all of them, or about something else."""
    if check.judges_output:  # the name of a snapshot is no tool's
        return []
    wanted = getattr(check, "name", None) or getattr(check, "tool", None) or ()
    return [wanted] if isinstance(wanted, str) else list(wanted)


def _hides_calls(turn: Turn) -> bool:
    return not turn.reply.shows_calls


def _doubted(piece: Unread, turn: Turn, evidence: Evidence) -> Verdict:
    place = f" (turn {turn.number})" if len(evidence.turns) > 1 else ""
    return broken(
        f"part of the answer could not be read and may hold {_NAMES[piece.may_hold]}{place}: {piece}",
        fault="agent",
        unread=str(piece),
    )
