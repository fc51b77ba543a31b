"""Every row of the assertion table, and no assertion type without rows."""

import pytest
from tests.fakes.assertion_table import FAILED, PASSED, ROWS, Row

from vivavoce.engine.attempt.judging import judge
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome
from vivavoce.plugins.catalog import ASSERTIONS


def test_every_registered_type_has_a_row_that_passes_and_one_that_fails():
    found = {(row.type, row.outcome) for row in ROWS}
    wanted = {(kind, outcome) for kind in ASSERTIONS.built_in for outcome in (PASSED, FAILED)}
    assert wanted - found == set(), "add rows to tests/fakes/assertion_table.py"
    assert {row.type for row in ROWS} <= set(ASSERTIONS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
async def test_a_row_gets_its_verdict(row: Row):
    (verdict,) = await judge([AssertionSpec(type=row.type, fields=row.fields)], row.seen, row.helpers())
    assert verdict.outcome is row.outcome, verdict.reason


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
async def test_negating_never_makes_a_pass_of_what_is_not_known(row: Row):
    (plain,) = await judge([AssertionSpec(type=row.type, fields=row.fields)], row.seen, row.helpers())
    (verdict,) = await judge([AssertionSpec(type=row.type, fields=row.fields, negate=True)], row.seen, row.helpers())
    if row.outcome is Outcome.PASSED:
        assert verdict.outcome is Outcome.FAILED
    elif row.outcome is Outcome.FAILED:
        assert verdict.passed is plain.negatable
    else:
        assert verdict.outcome is row.outcome
