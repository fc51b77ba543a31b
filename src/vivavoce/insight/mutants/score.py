"""The mutation score: how many changes of recorded conversations the checks of their cases notice."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.model.mutant_kinds import MutantKind


class Survivor(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change that no check noticed."""

    kind: MutantKind
    turn: int
    element: str
    change: str
    before: str = ""
    after: str = ""
    suggestion: JsonObject | None = None
    """A check that holds for the recording and notices the change; None when viva found none."""


class Counts(Struct, frozen=True):
    """Mutants by what became of them."""

    noticed: int = 0
    survived: int = 0
    allowed: int = 0
    """Survived, and the case allows this kind."""
    unlimited: int = 0
    """Survived, and no check sets a limit for this kind: listed, not counted."""

    @property
    def counted(self) -> int:
        return self.noticed + self.survived

    @property
    def percent(self) -> float | None:
        """None where nothing counts."""
        return 100.0 * self.noticed / self.counted if self.counted else None

    def plus(self, other: "Counts") -> "Counts":
        return Counts(
            self.noticed + other.noticed,
            self.survived + other.survived,
            self.allowed + other.allowed,
            self.unlimited + other.unlimited,
        )


class CaseScore(Struct, frozen=True, kw_only=True):
    """What became of the mutants of one recorded attempt."""

    key: str
    id: str
    file: str
    run: int
    """Which attempt was changed: the first that passed."""
    kinds: dict[MutantKind, Counts]
    survivors: tuple[Survivor, ...] = ()
    unlimited: tuple[Survivor, ...] = ()

    @property
    def counts(self) -> Counts:
        return summed(self.kinds.values())


class LeftOut(Struct, frozen=True):
    """A recorded case that has no score."""

    key: str
    why: str


class MutationReport(Struct, frozen=True, kw_only=True):
    """The scores of a run."""

    cases: Sequence[CaseScore]
    left_out: tuple[LeftOut, ...] = ()
    seed: int = 0
    with_judges: bool = False
    not_reached: int = 0
    """Cases without a score because of Ctrl-C."""
    unreadable: int = 0
    """Unreadable lines of the recording: with one of them `--fail-under` fails, because its content is unknown."""

    @property
    def counts(self) -> Counts:
        return summed(self.kinds.values())

    @property
    def kinds(self) -> dict[MutantKind, Counts]:
        """In the order in which the kinds are declared; those without a mutant are left out."""
        found: dict[MutantKind, Counts] = {}
        for case in self.cases:
            for kind, counts in case.kinds.items():
                found[kind] = found.get(kind, Counts()).plus(counts)
        return {kind: found[kind] for kind in MutantKind if found.get(kind, Counts()) != Counts()}


def summed(counts: Iterable[Counts]) -> Counts:
    total = Counts()
    for one in counts:
        total = total.plus(one)
    return total
