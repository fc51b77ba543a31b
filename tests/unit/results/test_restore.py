"""Lines of a result file read back: also those of older versions, and errors for those that are none."""

import msgspec
import pytest
from tests.fakes import results

from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import Status
from vivavoce.results.restore import attempts_in, case_of, check_restorable, restored, result_of
from vivavoce.results.rows import result_row, row_of
from vivavoce.results.wire import ResultRow


def row(result: results.CaseResult, **changes: object) -> ResultRow:
    return msgspec.convert({**row_of(result), **changes}, ResultRow)


@pytest.mark.parametrize("result", results.every_kind(), ids=lambda result: result.case.id)
def test_the_case_alone_is_that_of_the_result(result: results.CaseResult):
    assert case_of(result_row(result)) == result.case == restored(result_row(result)).case


def test_a_case_that_ran_once_is_its_own_attempt():
    once, often = row(results.plain()), row(results.flaky())
    assert attempts_in(once) == (once,)
    assert len(attempts_in(often)) == len(results.flaky().attempts)


def test_the_checks_of_a_repeated_case_are_those_of_its_decisive_attempt():
    told = row_of(results.flaky())
    told["run_details"][0]["assertions"] = []
    first, *others = (attempt.status for attempt in results.flaky().attempts)
    assert first is not results.flaky().status
    assert results.flaky().status in others
    assert result_of(told).case.assertions == results.flaky().case.assertions


BROKEN: list[JsonObject] = [
    {"assertions": [{"type": "contains", "value": "x"}]},
    {"assertions": [{"type": "contains", "outcome": "nonsense"}]},
    {"final_assertions": [{"type": "contains", "outcome": 1}]},
    {"checkpoints": [{"id": "c", "reached_at_turn": 1, "passed": True, "required": True, "assertions": [{}]}]},
    {"turns": [{"turn": 1, "status": "passed", "assertions": [{"outcome": None}]}]},
]


@pytest.mark.parametrize("changes", BROKEN)
def test_what_is_no_verdict_is_an_error_in_both_readers(changes: JsonObject):
    broken = row(results.plain(), **changes)
    with pytest.raises(msgspec.ValidationError):
        restored(broken)
    with pytest.raises(msgspec.ValidationError):
        check_restorable(broken)


def test_the_fault_of_an_older_file_is_taken_out_of_the_details():
    old = {"type": "agent", "use": "judge", "outcome": "broken", "details": {"fault": "judge", "votes": 3}}
    (verdict,) = restored(row(results.plain(), assertions=[old])).attempts[0].verdicts
    assert (verdict.fault, verdict.details) == ("judge", {"votes": 3})
    strange = {**old, "details": {"fault": "the moon"}}
    (verdict,) = restored(row(results.plain(), assertions=[strange])).attempts[0].verdicts
    assert verdict.fault is None


def test_stability_of_an_older_file_lacks_what_came_later():
    told = row_of(results.flaky())
    told.pop("similar_consistency")
    stability = result_of(told).stability
    assert stability is not None
    assert stability.similar_consistency == stability.consistency


def test_a_reason_to_skip_is_the_error_of_the_attempt():
    skipped = results.skipped()
    told = row_of(skipped)
    assert "error" not in told
    assert result_of(told).attempts[0].error == skipped.attempts[0].error == told["skip_reason"]
    assert result_of(told).status is Status.SKIPPED
