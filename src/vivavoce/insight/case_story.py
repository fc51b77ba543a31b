"""One case over all its runs: where its result changed, and which replies it got. Pure functions."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from vivavoce.results.history.facts import CaseFacts


class TurningPoint(Struct, frozen=True):
    """Two results that follow each other and differ."""

    before: CaseFacts
    after: CaseFacts

    @property
    def changed(self) -> tuple[str, ...]:
        """What changed between the two results, as far as viva knows."""
        names = ("case", "configuration", "code")
        pairs = zip(names, self.before.content, self.after.content, strict=True)
        return tuple(name for name, one, other in pairs if one != other)

    @property
    def known(self) -> bool:
        """Whether viva can read the agent's code. If not, the code may have changed too."""
        return self.after.source_hash is not None


class ReplyGroup(Struct, kw_only=True):
    """The results whose last reply was the same."""

    digest: str
    times: int = 0
    passed: int = 0
    first: CaseFacts
    last: CaseFacts


def turning_points(facts: Sequence[CaseFacts]) -> list[TurningPoint]:
    """Returns where passing turned into failing or back, newest first. `facts` are those of one case, oldest first."""
    flips = [
        TurningPoint(one, other)
        for one, other in pairwise(facts)
        if (one.status == "passed") != (other.status == "passed")
    ]
    return flips[::-1]


def reply_groups(facts: Sequence[CaseFacts]) -> list[ReplyGroup]:
    """Returns the different last replies, the most frequent first; runs without a reply are left out."""
    groups: dict[str, ReplyGroup] = {}
    for one in facts:
        if not one.reply_digest:
            continue
        group = groups.setdefault(one.reply_digest, ReplyGroup(digest=one.reply_digest, first=one, last=one))
        group.times += 1
        group.passed += one.status == "passed"
        group.last = one
    return sorted(groups.values(), key=lambda group: (-group.times, -group.last.started_ms))
