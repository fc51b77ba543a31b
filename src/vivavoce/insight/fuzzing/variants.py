"""Cases × operators × seed → variants. The same seed gives the same variants, whatever else is asked for."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from random import Random

from msgspec import Struct, structs

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.insight.fuzzing.hostile import HOSTILE
from vivavoce.insight.fuzzing.operator import Operator
from vivavoce.insight.fuzzing.preserving import PRESERVING
from vivavoce.model.case import Case

OPERATORS: tuple[Operator, ...] = (*PRESERVING, *HOSTILE)
PARAPHRASE = "paraphrase"
_FRUITLESS = 3
"""After this number of rounds without a new variant the search ends."""


class Variant(Struct, frozen=True):
    """A case with one line changed."""

    case: Case
    """The case as it was, with a new id and the changed line; its checks are those of the original."""
    original: Case
    operator: Operator
    turn: int
    """The number of the turn that was changed, from 0."""
    seed: str
    """The seed of the operator."""


def operators_named(names: Sequence[str], more: Sequence[Operator] = ()) -> tuple[Operator, ...]:
    """The operators of these names or kinds (`meaning`, `hostile`); all of them without names. Raises UsageError."""
    known = (*OPERATORS, *more)
    wanted = [name.strip() for given in names for name in given.split(",") if name.strip()]
    if not wanted:
        return known
    found = tuple(one for one in known if one.name in wanted or one.kind in wanted)
    for name in wanted:
        if name not in {word for one in known for word in (one.name, one.kind)}:
            names_known = ["meaning", "hostile", *(one.name for one in known)]
            hint = did_you_mean(name, names_known) or f"known: {', '.join(names_known)}"
            raise UsageError(f"unknown operator {name!r}", at="--operators", hint=hint)
    return found


def lines_of(case: Case) -> dict[int, str]:
    """The lines that can be changed, by the number of their turn: plain text without a `${NAME}`."""
    return {
        at: turn.content
        for at, turn in enumerate(case.turns)
        if isinstance(turn.content, str) and turn.content and "${" not in turn.content
    }


def variants_of(cases: Sequence[Case], operators: Sequence[Operator], seed: int, most: int) -> Iterator[Variant]:
    """At most `most` variants, spread over all cases and operators; none equals its case or another variant."""
    pairs = [(case, operator) for case in cases if lines_of(case) for operator in operators]
    Random(f"{seed}").shuffle(pairs)
    seen: set[tuple[str, int, str]] = set()
    fruitless = 0
    for number in count():
        before = len(seen)
        for case, operator in pairs:
            if len(seen) == most:
                return
            variant = _variant(case, operator, f"{seed}:{number}", seen)
            if variant is not None:
                yield variant
        fruitless = 0 if len(seen) > before else fruitless + 1
        if not pairs or fruitless == _FRUITLESS:
            return


def _variant(case: Case, operator: Operator, seed: str, seen: set[tuple[str, int, str]]) -> Variant | None:
    rng = Random(f"{seed}:{operator.name}:{case.id}")
    lines = lines_of(case)
    turn = rng.choice(sorted(lines))
    said = operator.change(lines[turn], rng)
    key = (case.key, turn, said)
    if said == lines[turn] or key in seen:
        return None
    seen.add(key)
    changed = structs.replace(with_line(case, turn, said), id=f"{case.id}~{operator.name}~{seed.replace(':', '-')}")
    return Variant(changed, case, operator, turn, seed)


def with_line(case: Case, turn: int, said: str) -> Case:
    """The case with another text in one of its turns."""
    changed = structs.replace(case.turns[turn], content=said)
    return structs.replace(case, turns=(*case.turns[:turn], changed, *case.turns[turn + 1 :]))


def paraphrases_operator(known: Mapping[str, Sequence[str]]) -> Operator:
    """An operator that takes one of the paraphrases that an agent made of a line."""

    def paraphrase(text: str, rng: Random) -> str:
        """The same in other words, written by an agent."""
        return rng.choice(list(known.get(text) or (text,)))

    return Operator(PARAPHRASE, "meaning", paraphrase)
