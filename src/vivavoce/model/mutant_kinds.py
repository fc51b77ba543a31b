"""The kinds of changes that `viva mutate` makes in recorded conversations: one declaration."""

from enum import StrEnum


class MutantKind(StrEnum):
    """As reports and a case's `mutants: {allow: […]}` write them."""

    CALL_DROPPED = "call-dropped"
    CALL_DOUBLED = "call-doubled"
    CALL_RENAMED = "call-renamed"
    CALL_MOVED = "call-moved"
    ARGUMENT_CHANGED = "argument-changed"
    ARGUMENT_MISSING = "argument-missing"
    ARGUMENT_TYPE = "argument-type"
    RESULT_ERROR = "result-error"
    REPLY_EMPTIED = "reply-emptied"
    REPLY_CUT = "reply-cut"
    REPLY_REPLACED = "reply-replaced"
    REPLY_SWAPPED = "reply-swapped"
    REPLY_NUMBER = "reply-number"
    CALL_ADDED = "call-added"
    TURN_SLOWER = "turn-slower"
    SECRET_SAID = "secret-said"
    PROMPT_SAID = "prompt-said"
    FORBIDDEN_SAID = "forbidden-said"


LIMITED = frozenset(
    {
        MutantKind.CALL_ADDED,
        MutantKind.TURN_SLOWER,
        MutantKind.SECRET_SAID,
        MutantKind.PROMPT_SAID,
        MutantKind.FORBIDDEN_SAID,
    }
)
"""Kinds that most cases have no check for: they count only where a check sets a limit."""
