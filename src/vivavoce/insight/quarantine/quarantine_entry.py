"""An entry of quarantine.yaml as plain data: which case, why, until when."""

from collections.abc import Iterable
from datetime import date, timedelta

from msgspec import Struct

from vivavoce.insight.flakiness import FlakyCase
from vivavoce.model.case import Origin
from vivavoce.results.history.facts import CaseFacts

RELEASE_AFTER = 10
"""After this number of passes in a row a case is proposed for release, unless the file has another number."""
DAYS = 30
"""How long a new entry holds."""


class QuarantineEntry(Struct, frozen=True, kw_only=True):
    case: str
    """An id, a key (`file::id`) or the end of a key."""
    agent: str | None = None
    """None: any agent."""
    why: str
    until: date
    """The last day on which it holds."""
    at: Origin = Origin("", 0)

    def names(self, key: str, case_id: str, agent: str) -> bool:
        """Whether the entry is about this case with this agent."""
        if self.agent is not None and self.agent != agent:
            return False
        # The path of a case is relative to where viva was started, which may be below or above the project's folder.
        return self.case in (case_id, key) or key.endswith(f"/{self.case}") or self.case.endswith(f"/{key}")

    def is_over(self, today: date) -> bool:
        return today > self.until

    @property
    def file(self) -> str | None:
        """The case file that the entry names, if it names one."""
        path, found, _ = self.case.rpartition("::")
        return path if found else None


def entry_for(case: FlakyCase, today: date) -> QuarantineEntry:
    """Returns the entry of a flaky case, with what the history knows as the reason."""
    since = f" since {case.since_revision[:10]}" if case.since_revision else ""
    return QuarantineEntry(
        case=case.key,
        agent=case.agent,
        why=f"flaky: {case.passed} of {case.runs} passed{since}",
        until=today + timedelta(days=DAYS),
    )


def passed_in_a_row(facts: Iterable[CaseFacts]) -> int:
    """Returns how many of the newest attempts passed without a failure between them. `facts` come oldest first.

    Attempts that a judge, a hook or the network broke do not count either way.
    """
    row = 0
    for one in facts:
        for attempt in one.attempts:
            if attempt.blames_agent:
                row = row + 1 if attempt.passed else 0
    return row
