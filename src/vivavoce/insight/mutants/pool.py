"""What the cases of a run can lend to the mutants of the others."""

from collections.abc import Iterable

from msgspec import UNSET

from vivavoce.insight.mutants.mutant import RunPool
from vivavoce.model.result import CaseResult

_MOST_REPLIES, _MOST_TOOLS, _LONGEST_REPLY = 100, 100, 10_000


def pool_of(results: Iterable[CaseResult]) -> RunPool:
    """The last reply of each of the first cases, and the names of tools; a bounded number of both."""
    replies: dict[str, str] = {}
    tools: set[str] = set()
    for result in results:
        transcript = result.attempts[0].transcript if result.attempts else None
        for turn in transcript.turns if transcript is not None else ():
            tools.update(call.name for call in turn.reply.calls if len(tools) < _MOST_TOOLS)
            text = turn.reply.text
            known = result.case.key in replies or len(replies) < _MOST_REPLIES
            if known and text and len(text) <= _LONGEST_REPLY and turn.reply.data is UNSET:
                replies[result.case.key] = text
        if len(replies) >= _MOST_REPLIES and len(tools) >= _MOST_TOOLS:
            break
    return RunPool(tuple(sorted(replies.items())), tuple(sorted(tools)))
