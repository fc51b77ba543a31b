"""`--budget`: what a run may spend, in money or tokens, and when that is used up."""

from collections.abc import Sequence

from vivavoce.model.case import Case
from vivavoce.model.message import Usage
from vivavoce.model.result import Attempt
from vivavoce.notation.budgets import Allowance

NO_PRICE = "budget: a model was used that has no price: list it under `prices:` in viva.yaml"


class Spending:
    """Counts what attempts used, their judges and simulators included."""

    def __init__(self, allowance: Allowance, before: Usage | None = None) -> None:
        self._allowance = allowance
        self._spent = before or Usage()
        self._unpriced = False
        self._uncounted = 0

    def add(self, attempt: Attempt) -> None:
        used = [usage for usage in (attempt.usage, attempt.overhead) if usage is not None]
        if not used and attempt.transcript.turns:
            self._uncounted += 1
        for usage in used:
            self._count(usage)

    def pay(self, usage: Usage | None) -> None:
        """Counts one answer outside of any attempt; None: it did not say what it used."""
        if usage is None:
            self._uncounted += 1
        else:
            self._count(usage)

    def _count(self, usage: Usage) -> None:
        self._spent = usage.plus(self._spent)
        if usage.cost is None and usage.input_tokens + usage.output_tokens > 0:
            self._unpriced = True

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent, or cannot be watched because a price is missing."""
        return self._so_far >= self._allowance.amount or (self._allowance.is_money and self._unpriced)

    def warnings(self) -> tuple[str, ...]:
        """Returns what the report says about the budget."""
        said: list[str] = []
        if self._allowance.is_money and self._unpriced:
            said.append(NO_PRICE)
        elif self.is_over:
            said.append(f"budget: {self._amount(self._so_far)} spent of {self._amount(self._allowance.amount)}")
        if self._uncounted:
            said.append(f"budget: {self._uncounted:,} answers did not say what they used and count as free")
        return tuple(said)

    @property
    def _so_far(self) -> float:
        spent = self._spent
        return (spent.cost or 0.0) if self._allowance.is_money else float(spent.input_tokens + spent.output_tokens)

    def _amount(self, value: float) -> str:
        return f"{value:.4g} {self._allowance.unit}" if self._allowance.is_money else f"{value:,.0f} tokens"


class Budgets:
    """`--budget` of a run: one for all its cases, or the same amount for each contender of a comparison."""

    def __init__(self, allowance: Allowance, before: Usage | None = None, contenders: Sequence[str] = ()) -> None:
        """`before` is what generators used: it counts against a budget for all cases."""
        self._by_label = {label: Spending(allowance) for label in contenders}
        self._shared = Spending(allowance, before)

    @property
    def is_shared(self) -> bool:
        """Whether the run ends when the budget is spent; else only that contender's cases are left out."""
        return not self._by_label

    @property
    def shared(self) -> Spending:
        """What counts against the budget for all cases."""
        return self._shared

    def of(self, case: Case) -> Spending:
        return self._by_label.get(case.agent or "", self._shared)

    def warnings(self) -> tuple[str, ...]:
        """Returns what the report says about the budget."""
        if self.is_shared:
            return self._shared.warnings()
        return tuple(f"{label}: {said}" for label, one in self._by_label.items() for said in one.warnings())
