"""Whose fault a flaky failure was: the judge's, the simulator's, the target's or the agent's. Pure functions."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import Struct

from vivavoce.model.result import NOT_JUDGED, Attempt, Status
from vivavoce.model.transcript import Turn
from vivavoce.model.verdict import Fault


class FlakyReasons(Struct, frozen=True, kw_only=True):
    """The results of judging the failed conversations of a case again."""

    blamed: dict[Fault, int]
    """Failed conversations by whose fault they were."""
    again: int
    """How often each of them was judged again."""


def blame(failed: Attempt, again: Sequence[Status], passed: Iterable[Attempt]) -> Fault:
    """Returns who is to blame for a failed attempt.

    `again` are the results of judging the same conversation again; `passed` are attempts of the case that passed.
    """
    if failed.fault not in (None, "agent"):
        return failed.fault
    judged = [status for status in again if status not in NOT_JUDGED]
    if any(status is not failed.status for status in judged):
        return "judge"
    return _who_differed(failed, passed)


def _who_differed(failed: Attempt, passed: Iterable[Attempt]) -> Fault:
    """Finds the passed conversation that stays equal longest, and returns who said the first different text."""
    turns = failed.transcript.turns
    nearest = max(passed, key=lambda one: _same_turns(turns, one.transcript.turns), default=None)
    if nearest is None:
        return "agent"
    same = _same_turns(turns, nearest.transcript.turns)
    others = nearest.transcript.turns
    if same == len(turns) or same == len(others):
        # One conversation ends here. In the other the speaker went on, unless the agent ended it.
        longer = turns if same < len(turns) else others
        return "simulator" if same < len(longer) and longer[same].line.source == "simulator" else "agent"
    mine, other = turns[same].line, others[same].line
    is_simulated = "simulator" in (mine.source, other.source)
    return "simulator" if is_simulated and mine.text != other.text else "agent"


def _same_turns(turns: Sequence[Turn], others: Sequence[Turn]) -> int:
    """Returns how many turns both conversations have in common, line and reply."""
    pairs = zip(turns, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _words(pair[0]) == _words(pair[1]), pairs))


def _words(turn: Turn) -> tuple[object, ...]:
    calls = tuple((call.name, call.args) for call in turn.reply.calls)
    return turn.line.text, turn.reply.output, calls
