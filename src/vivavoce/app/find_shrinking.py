"""A find of `viva fuzz`, made as small as it can be and written as a case."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.app.baselines import CTRL_C
from vivavoce.app.candidates import CandidateLimits, Candidates, Counted
from vivavoce.app.planning import Planned
from vivavoce.containment.stoppable import was_stopped
from vivavoce.engine.spending import Budgets
from vivavoce.insight.fuzzing.edits import edits_between
from vivavoce.insight.fuzzing.variants import Variant, with_line
from vivavoce.insight.shrinking.ddmin import ddmin
from vivavoce.insight.shrinking.failure import Failure, failures_of
from vivavoce.insight.shrinking.shrink import EnoughTried, Oracle, shrink
from vivavoce.model.case import Case
from vivavoce.model.message import text_of_content
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.sources.freezing import append_case
from vivavoce.wording.terminal_text import clip, one_line


class FuzzFinding(Struct, frozen=True, kw_only=True):
    """Something that makes the agent fail."""

    operators: tuple[str, ...]
    case: Case
    """The smallest case that was seen to fail."""
    original: str
    """The key of the case it was made from."""
    turn: int
    """The turn that was changed, from 0; where others were left out, the last one."""
    seed: str
    error: str
    times: int
    """How many variants failed like this."""
    failed: str
    """How often the smallest case failed, in words."""
    failed_again: bool | None
    """False: no run but the first one failed, so nothing could be left out. None: it was not repeated."""

    def plus(self, other: "FuzzFinding") -> "FuzzFinding":
        operators = tuple(dict.fromkeys((*self.operators, *other.operators)))
        return structs.replace(self, operators=operators, times=self.times + other.times)

    @property
    def line(self) -> str:
        """The beginning of the line that does it, as a literal: it may be blank."""
        at = min(self.turn, len(self.case.turns) - 1)
        return clip(repr(text_of_content(self.case.turns[at].content)), 100)


class FindShrinking(Struct, frozen=True):
    """How finds are shrunk: in which project, with what limits, on whose budget."""

    ready: Planned
    limits: CandidateLimits
    spending: Budgets | None = None
    owns_process: bool = False
    """Whether Ctrl-C ends it; the smallest case so far is returned then."""


async def shrunk_find(
    members: Sequence[tuple[Variant, CaseResult]], failure: Failure, how: FindShrinking
) -> tuple[FuzzFinding, str | None]:
    """The find that these variants are, by the shortest of them, and what ended the shrinking early."""
    ready = how.ready
    variant, result = min(members, key=lambda member: len(str(member[1].case.turns)))
    start = structs.replace(result.case, agent=ready.resources.agent_name(variant.original))
    failing: list[tuple[Case, Counted]] = []
    was_repeated = False

    async with Candidates(
        ready.request, ready.resources.project, start, how.limits, spending=how.spending
    ) as candidates:

        async def still_fails(case: Case) -> bool:
            seen = await candidates.fails(case, failure)
            if seen is not None:
                failing.append((case, seen))
            return seen is not None

        async def search() -> None:
            nonlocal was_repeated
            with suppress(EnoughTried):
                failed = await still_fails(start)
                was_repeated = True
                if failed:
                    await _shrink(variant, start, still_fails)

        interrupted = await was_stopped(search(), ready.request.judge_timeout_s, owns_process=how.owns_process)
    not_again = "1 run, and not again" if was_repeated else "1 run; it was not repeated"
    smallest, failed = (failing[-1][0], failing[-1][1].words) if failing else (start, not_again)
    if how.limits.runs > 1:
        # As often as it was tried: a find that comes and goes would often pass when it is run once.
        smallest = structs.replace(smallest, runs=how.limits.runs, min_pass=None)
    find = FuzzFinding(
        operators=(variant.operator.name,),
        case=smallest,
        original=variant.original.key,
        turn=variant.turn,
        seed=variant.seed,
        error=_error_of(failing[-1][1].attempts if failing else [result.decisive], failure),
        times=len(members),
        failed=failed,
        failed_again=bool(failing) if was_repeated else None,
    )
    return find, CTRL_C if interrupted else candidates.stopped_by


async def _shrink(variant: Variant, start: Case, still_fails: Oracle) -> None:
    """A hostile line loses whatever it can; one that must keep its meaning only takes edits back."""
    if variant.operator.kind == "hostile":
        await shrink(start, still_fails, long_word=1)
        return
    said = variant.original.turns[variant.turn].content
    now = start.turns[variant.turn].content
    if not variant.operator.in_edits or not isinstance(said, str) or not isinstance(now, str):
        return
    edits = edits_between(said, now)
    await ddmin(edits.numbers, lambda kept: still_fails(with_line(start, variant.turn, edits.only(kept))))


def _error_of(attempts: Sequence[Attempt], failure: Failure) -> str:
    """The words of the first attempt that failed in this way."""
    return next((one.error for one in attempts if one.error and failure in failures_of(one)), failure.what)


def save_find(find: FuzzFinding, path: Path) -> Case:
    """Adds a find to a file of cases; returns it as it was written."""
    operators = ", ".join(find.operators)
    comment = (
        f"Found by viva fuzz: {operators} (seed {find.seed}), from {one_line(find.original)}.\n"
        f"It failed in {find.failed}: {one_line(find.error)}"
    )
    metadata = {"operators": list(find.operators), "seed": find.seed, "from": find.original}
    tags = tuple(dict.fromkeys((*find.case.tags, "fuzz")))
    case = structs.replace(find.case, tags=tags, metadata={**find.case.metadata, "fuzz": metadata})
    return append_case(path, case, comment)
