"""What a script test did, as plain data: it travels as the reply of the test's turn and is judged from there."""

from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.model.verdict import Fault, Outcome


class CheckRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One `t.assert_.…` and what came of it."""

    check: str
    """`Equal`, `Contains`, …; also `Fatal`, and `assert` for a plain one."""
    outcome: Outcome
    reason: str = ""
    line: int = 0
    """Where the test made it."""
    fault: Fault | None = None
    """Whose fault it was that the check broke."""
    details: JsonObject | None = None

    def __str__(self) -> str:
        place = f" (line {self.line})" if self.line else ""
        return f"{self.check}: {self.reason}{place}"


class ScriptTestRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole test: its checks in order, its log, and how it ended."""

    test: str
    checks: tuple[CheckRecord, ...] = ()
    logs: tuple[str, ...] = ()
    skipped: str | None = None
    """Why the test says it does not apply."""
    error: str | None = None
    """Why it never came to its end."""
    fault: Fault | None = None
    """Whose fault that was."""
