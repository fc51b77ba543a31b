"""A case's label on the console: whatever its author wrote, one neutral line that fits."""

from itertools import product

import pytest

from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.wording.results import case_label, clipped_label
from vivavoce.wording.terminal_text import clip

ODD = [
    "",
    "x",
    " x",
    "x ",
    "a b",
    "a  b",
    'a "b"',
    "a\tb",
    "a\nb",
    "\x1b[31m",
    "é",
    "日本",
    "x" * 60,
    "x" * 61,
    "x" * 200,
]


@pytest.mark.parametrize("case_id", [text for text in ODD if text])
def test_a_label_says_the_same_whichever_way_it_is_made(case_id: str):
    for name, said, width in product([None, *ODD], [None, [{"type": "text", "text": "hello"}], *ODD], [20, 64, 400]):
        turns = () if said is None else (ScriptedTurn(content=said),)
        case = Case(id=case_id, name=name, turns=turns)
        assert clipped_label(case, width) == clip(case_label(case), width), (name, said, width)
