"""Verdicts as rows: the assertion as its author wrote it, and nothing lost on the way back."""

from random import Random
from typing import Any

import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct

from vivavoce.model.verdict import Verdict
from vivavoce.results.verdict_rows import specs_in, verdict_of, verdict_row


@pytest.mark.parametrize(
    "more",
    [
        {"negate": True},
        {"message": "so it must be"},
        {"path": "$.answer"},
        {"fields": {"type": "contains", "value": "x"}},
        {"fields": {}},
        {"written": {}},
        {"written": {"type": "contains", "value": "x", "path": "$.answer"}},
        {"written": {"type": "contains", "value": "x", "score": 1}},
    ],
    ids=str,
)
def test_a_check_that_its_written_form_does_not_give_back_is_kept_beside_it(more: dict[str, Any]):
    spec = structs.replace(results.spec("contains", value="x"), **more)
    row = verdict_row(results.passed(spec))
    assert "compiled" in row or "spec" in row
    assert verdict_of(row) == results.passed(spec)


def test_a_check_is_shown_in_the_order_its_author_wrote_it():
    spec = structs.replace(results.spec("contains", value="x"), written={"value": "x", "type": "contains"})
    assert list(verdict_row(results.passed(spec)))[:2] == ["value", "type"]


@pytest.mark.parametrize("field", sorted({*Verdict.__struct_fields__} - {"spec"}))
def test_every_field_of_a_verdict_is_kept(field: str):
    rng = Random(field)
    verdict = results.passed(results.spec("contains", value="x"))
    values = (getattr(any_struct(Verdict, rng), field) for _ in range(1000))
    other = next(value for value in values if value != getattr(verdict, field))
    changed = structs.replace(verdict, **{field: other})
    assert verdict_of(verdict_row(changed)) == changed


@pytest.mark.parametrize("seed", range(30))
def test_the_checks_alone_are_those_of_the_verdicts(seed: int):
    rows = tuple(verdict_row(any_struct(Verdict, Random(seed + n))) for n in range(3))
    assert specs_in(rows) == tuple(spec for row in rows if (spec := verdict_of(row).spec) is not None)
