"""What the answer cost, as the provider reported it."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from vivavoce.model.message import Usage
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.protocols import Evidence, Helpers, Sight


class Cost(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All turns together cost at most this much money, and at most so many tokens."""

    max: Annotated[float, Meta(ge=0)] | None = None
    max_tokens: Annotated[int, Meta(ge=0)] | None = None
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "nothing"
    doubted_by: ClassVar[Sight] = "both"

    def __post_init__(self) -> None:
        if self.max is None and self.max_tokens is None:
            raise ValueError("say `max` (money) or `max_tokens`")

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        silent = [turn.number for turn in evidence.turns if turn.reply.usage is None]
        if silent:
            return _unknown(f"no usage was reported for turn {', '.join(map(str, silent))}")
        if self.max is not None:
            unpriced = [t.number for t in evidence.turns if t.reply.usage is not None and t.reply.usage.cost is None]
            if unpriced:
                return _unknown(f"usage of turn {', '.join(map(str, unpriced))} came without a cost")
        spent = Usage()
        for turn in evidence.turns:
            spent = spent.plus(turn.reply.usage)
        return self._judge(spent.cost or 0.0, spent.input_tokens + spent.output_tokens)

    def _judge(self, money: float, tokens: int) -> Verdict:
        seen: list[str] = []
        within = True
        if self.max is not None:
            seen.append(f"cost {money:g}, allowed {self.max:g}")
            within = money <= self.max
        if self.max_tokens is not None:
            seen.append(f"{tokens} tokens, allowed {self.max_tokens}")
            within = within and tokens <= self.max_tokens
        reason = "; ".join(seen)
        if within:
            return passed(reason)
        limits = {"max": self.max, "max_tokens": self.max_tokens}
        expected = {name: limit for name, limit in limits.items() if limit is not None}
        return failed(reason, expected=expected, actual={"cost": money, "tokens": tokens})


def _unknown(reason: str) -> Verdict:
    """Returns a failure, also for a negated check: an unknown cost may be a high one."""
    return failed(reason, negatable=False)
