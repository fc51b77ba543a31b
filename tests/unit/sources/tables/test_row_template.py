"""`${column}` is filled in; variables stay; what stands in a cell is never a variable."""

from typing import Any

import pytest

from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import interpolate
from vivavoce.sources.tables.row_template import BadCell, MissingCell, RowTemplate, uses_of


def _fill(case: dict[str, Any], **row: Any) -> dict[str, Any]:
    return RowTemplate(case, lambda name: name.startswith("ENV.") or name == "TOKEN").fill(row)


def test_a_text_is_filled_in_and_a_lone_reference_becomes_the_cell() -> None:
    case = {"input": "refund ${order}", "expected": "${wanted}", "metadata": {"list": ["${order}", 7]}}
    assert _fill(case, order="A-1", wanted={"n": 1}) == {
        "input": "refund A-1",
        "expected": {"n": 1},
        "metadata": {"list": ["A-1", 7]},
    }


def test_a_cell_can_be_read_as_json() -> None:
    assert _fill({"expected": "${n|json}", "name": "n=${n|json}"}, n="[1, 2]") == {
        "expected": [1, 2],
        "name": "n=[1,2]",
    }
    with pytest.raises(BadCell, match=r"n: wanted JSON, found 'one'"):
        _fill({"expected": "${n|json}"}, n="one")


@pytest.mark.parametrize("cell", ["${HOME}", "$${x}", "a${", "5$", "${ENV.SECRET} ${}", "{x} $ {y}"])
def test_what_a_cell_says_arrives_as_it_is(cell: str) -> None:
    filled = _fill({"input": "say ${text}!", "name": "${text}"}, text=cell)
    assert interpolate(filled["input"], {"HOME": "no", "x": "no"}, Secrets()) == f"say {cell}!"
    assert filled["name"] == cell


def test_variables_are_left_for_the_run_and_a_literal_stays_one() -> None:
    filled = _fill({"input": "${TOKEN} ${ENV.X:-y} $${order} ${order}", "name": "costs $${order}"}, order="1")
    assert filled == {"input": "${TOKEN} ${ENV.X:-y} $${order} 1", "name": "costs ${order}"}


def test_a_missing_cell_is_named_unless_there_is_a_default() -> None:
    assert _fill({"input": "${a:-none}"}, b=1) == {"input": "none"}
    with pytest.raises(MissingCell) as caught:
        _fill({"turns": [{"user": "${a}"}]}, b=1)
    assert caught.value.name == "a"


def test_the_names_a_case_uses_and_where() -> None:
    case = {"turns": [{"user": "${a} $${b}"}], "name": "${c|json}${d:-x}"}
    assert list(uses_of(case)) == [("a", ("turns", 0, "user")), ("c", ("name",)), ("d", ("name",))]
