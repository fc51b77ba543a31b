"""What a test notes while it runs: the outcome of each check, its log, why it was skipped."""

import inspect
from pathlib import Path

from vivavoce.model.verdict import Fault, Outcome, Verdict
from vivavoce.script_testing.record import CheckRecord, ScriptTestRecord
from vivavoce.wording.terminal_text import neutral

_OURS = str(Path(__file__).parents[1])


class Stopped(BaseException):
    """Raised when the test ends itself. Not an Exception, so that the test cannot swallow it."""


class Notebook:
    """Filled from the test's thread; entries are kept, whatever the test does next."""

    def __init__(self, test: str) -> None:
        self._test = test
        self._checks: list[CheckRecord] = []
        self._logs: list[str] = []
        self._skipped: str | None = None

    def check(self, name: str, holds: bool, reason: str, message: str = "") -> bool:
        """Notes whether a check held; `reason` says what was seen where it did not."""
        outcome = Outcome.PASSED if holds else Outcome.FAILED
        self._add(name, outcome, message if holds else _worded(reason, message), line_of_the_test())
        return holds

    def failure(self, name: str, reason: str, line: int) -> None:
        self._add(name, Outcome.FAILED, reason, line)

    def broken(self, name: str, reason: str) -> bool:
        """A check that could not be made: no pass, and not the agent's fault."""
        self._add(name, Outcome.BROKEN, reason, line_of_the_test(), "test")
        return False

    def verdict(self, name: str, verdict: Verdict, message: str, line: int, blamed: Fault) -> bool:
        """What one of the ordinary assertions said; `blamed` is whose fault it is when that broke."""
        reason = verdict.reason if verdict.passed else _worded(verdict.reason, message)
        fault = blamed if verdict.outcome is Outcome.BROKEN else None
        self._checks.append(
            CheckRecord(
                check=name,
                outcome=verdict.outcome,
                reason=neutral(reason),
                line=line,
                fault=fault,
                details=verdict.details or None,
            )
        )
        return verdict.passed

    def log(self, text: str) -> None:
        self._logs.append(neutral(text))

    def skip(self, reason: str) -> None:
        self._skipped = neutral(reason)

    def record(self, error: str | None = None, fault: Fault | None = None) -> ScriptTestRecord:
        """All of it as plain data; `error` says why the test did not come to its end."""
        return ScriptTestRecord(
            test=self._test,
            checks=tuple(self._checks),
            logs=tuple(self._logs),
            skipped=self._skipped,
            error=None if error is None else neutral(error),
            fault=fault,
        )

    def _add(self, name: str, outcome: Outcome, reason: str, line: int, fault: Fault | None = None) -> None:
        self._checks.append(CheckRecord(check=name, outcome=outcome, reason=neutral(reason), line=line, fault=fault))


def line_of_the_test() -> int:
    """The line of the user's code that is being run: the nearest one that is not ours."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return 0 if frame is None else frame.f_lineno


def _worded(reason: str, message: str) -> str:
    return f"{message}: {reason}" if message else reason
