"""Where a suggested check belongs in its case."""

from typing import Literal

from msgspec import UNSET, structs

from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonObject
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

Where = Literal["turn", "assertions", "final_assertions"]


def place_of(case: Case, turn: int) -> Where:
    """With the checks of its turn, if the case writes that turn; else with the checks of the case.

    A case with `expected` and no assertions gets a final assertion: with `assert` it would ignore `expected`.
    """
    if case.rules.multi_turn and turn <= len(case.turns):
        return "turn"
    return "final_assertions" if case.expected is not UNSET and not case.assertions else "assertions"


def with_check(case: Case, turn: int, check: JsonObject) -> Case:
    """The case with one more check."""
    specs = decode_assertions([check], Origin("a suggested check"))
    where = place_of(case, turn)
    if where == "turn":
        at = turn - 1
        asked = structs.replace(case.turns[at], assertions=(*case.turns[at].assertions, *specs))
        return structs.replace(case, turns=(*case.turns[:at], asked, *case.turns[turn:]))
    if where == "assertions":
        return structs.replace(case, assertions=(*case.assertions, *specs))
    return structs.replace(case, final_assertions=(*case.final_assertions, *specs))
