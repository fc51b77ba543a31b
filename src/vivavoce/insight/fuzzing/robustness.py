"""How robust an agent is: for each operator, how many variants it passed."""

from collections.abc import Sequence

from msgspec import Struct

from vivavoce.insight.fuzzing.operator import Operator
from vivavoce.model.result import NOT_JUDGED, CaseResult, Status

_NOT_THE_AGENT = ("judge", "hook", "test", "simulator")


class OperatorScore(Struct, frozen=True):
    """What became of the variants of one operator."""

    operator: str
    kind: str
    held: int = 0
    finds: int = 0
    unclear: int = 0
    """A check broke, or something other than the agent failed: this counts neither as robust nor as a find."""
    not_run: int = 0

    @property
    def judged(self) -> int:
        return self.held + self.finds

    @property
    def share(self) -> float | None:
        """Percent of the judged variants that held."""
        return 100.0 * self.held / self.judged if self.judged else None


def is_find(result: CaseResult) -> bool:
    """Whether the agent failed a variant."""
    return result.status not in (Status.PASSED, *NOT_JUDGED) and result.decisive.fault not in _NOT_THE_AGENT


def scores_of(results: Sequence[tuple[Operator, CaseResult]]) -> list[OperatorScore]:
    """One score per operator that was used, those that keep the meaning first, by name."""
    by_operator: dict[str, list[CaseResult]] = {}
    kinds: dict[str, str] = {}
    for operator, result in results:
        by_operator.setdefault(operator.name, []).append(result)
        kinds[operator.name] = operator.kind
    scores = [_score(name, kinds[name], found) for name, found in by_operator.items()]
    return sorted(scores, key=lambda score: (score.kind != "meaning", score.operator))


def _score(name: str, kind: str, results: list[CaseResult]) -> OperatorScore:
    held = sum(result.status is Status.PASSED for result in results)
    finds = sum(map(is_find, results))
    not_run = sum(result.status in NOT_JUDGED for result in results)
    return OperatorScore(name, kind, held, finds, len(results) - held - finds - not_run, not_run)
