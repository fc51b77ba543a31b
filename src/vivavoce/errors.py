"""Errors meant for people, and the exit codes they end in."""

from vivavoce.model.case import Origin
from vivavoce.model.result import Summary
from vivavoce.model.verdict import Fault

EXIT_PASSED = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_BROKEN = 3
EXIT_INTERRUPTED = 130


class VivaError(Exception):
    """Something a person should read: what, where, and what to do. Never shown with a traceback."""

    exit_code = EXIT_BROKEN

    def __init__(self, what: str, *, at: Origin | str | None = None, hint: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.at = at
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.at}: " if self.at and str(self.at) else ""
        advice = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.what}{advice}"


class UsageError(VivaError):
    """The user's input or configuration is wrong: exit 2."""

    exit_code = EXIT_USAGE

    def each(self) -> "list[UsageError]":
        """Returns the problems this error reports: itself, or all that it gathers."""
        return [self]

    def placed(self, at: Origin | str) -> "UsageError":
        """Returns the same problem at this place, unless it has one of its own."""
        return self if self.at else UsageError(self.what, at=at, hint=self.hint)


class ManyProblems(UsageError):
    """Every problem found, not only the first."""

    def __init__(self, problems: list[UsageError]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    def each(self) -> list[UsageError]:
        return self.problems

    def placed(self, at: Origin | str) -> UsageError:
        return ManyProblems([problem.placed(at) for problem in self.problems])


class Problems:
    """Gathers the usage errors of several steps, each run inside `with problems:`, to raise them together."""

    def __init__(self) -> None:
        self.found: list[UsageError] = []

    def __enter__(self) -> "Problems":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, UsageError):
            return False
        self.add(error)
        return True

    def add(self, error: UsageError) -> None:
        self.found += error.each()

    def error(self) -> UsageError:
        """Returns all that was gathered (at least one problem) as one error, the same problem only once."""
        found = list({str(problem): problem for problem in self.found}.values())
        return found[0] if len(found) == 1 else ManyProblems(found)

    def raise_any(self) -> None:
        """Raises what was gathered, if anything."""
        if self.found:
            raise self.error()


class BrokenEnvironment(VivaError):
    """The environment keeps every call from working: it ends the run (exit 3) and is no result of any case."""


class CallFailed(VivaError):
    """A call to an agent, model, tool or script did not work. The attempt turns it into a result."""

    def __init__(self, what: str, *, fault: Fault, hint: str | None = None, retryable: bool = False) -> None:
        super().__init__(what, hint=hint)
        self.fault: Fault = fault
        self.retryable = retryable
        """Nothing was executed yet, so asking again cannot do harm."""


class TurnedAway(CallFailed):
    """The server was too busy to begin (HTTP 429, 503, 529): nothing was executed."""

    def __init__(self, what: str, *, status: int, retry_after_s: float | None, hint: str | None = None) -> None:
        super().__init__(what, fault="target", hint=hint, retryable=True)
        self.status = status
        self.retry_after_s = retry_after_s
        """How long the server wants to be left alone, when it said so."""


_SYNONYMS = {
    "eval": "test",
    "evaluate": "test",
    "run": "test",
    "providers": "agents",
    "provider": "agent",
    "prompt": "input",
    "question": "input",
    "query": "input",
    "expected_output": "expected",
    "reference": "expected",
    "checks": "assert",
    "must_contain": "must_match",
    "must_not_contain": "must_not_match",
}
"""Words that people write, and what viva calls them: no count of letters finds these."""


def did_you_mean(word: str, known: list[str]) -> str | None:
    """A hint naming the known word that means the same, or the closest one, if any is close."""
    same = _SYNONYMS.get(word.lower())
    best = same if same in known else nearest(word, known)
    return f"did you mean {best!r}?" if best is not None else None


def nearest(word: str, known: list[str]) -> str | None:
    """The known word that is most like this one; None when none is close."""
    # Imported here: rapidfuzz is only needed once something is already wrong.
    from rapidfuzz import fuzz, process

    best = process.extractOne(word.lower(), known, scorer=fuzz.ratio, score_cutoff=60, processor=str.lower)
    return best[0] if best else None


def exit_code_of(summary: Summary, *, allow_not_run: bool = False) -> int:
    """What a finished run answers: 0 only when nothing failed and everything that was to run did.

    Under `allow_not_run` a spent budget or time limit is no failure, as long as some case was run.
    """
    if summary.interrupted == "ctrl-c":
        return EXIT_INTERRUPTED
    if summary.is_red:
        return EXIT_FAILED
    incomplete = summary.not_run or summary.interrupted
    return EXIT_FAILED if incomplete and not (allow_not_run and summary.not_run < summary.total) else EXIT_PASSED
