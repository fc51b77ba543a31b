"""One case of one contender: the same from a result and from its line."""

import pytest
from msgspec import structs
from tests.fakes.results import CaseResult, every_kind, plain, skipped

from vivavoce.model.result import Status
from vivavoce.results.contest.entry import Entry, Tried, entry_in, entry_of
from vivavoce.results.rows import row_line


def by_agent(result: CaseResult, label: str = "new") -> CaseResult:
    return structs.replace(result, case=structs.replace(result.case, agent=label))


@pytest.mark.parametrize("result", every_kind(), ids=lambda result: result.case.id)
def test_a_line_gives_the_same_entry_as_the_result(result: CaseResult):
    mine = by_agent(result)
    live, read = entry_of(mine, 3), entry_in(row_line(mine), 3)
    assert (read.label, read.position) == ("new", 3)
    assert structs.replace(read, tried=()) == structs.replace(live, tried=())
    for one, other in zip(read.tried, live.tried, strict=True):
        assert (one.passed, one.fault, one.usage) == (other.passed, other.fault, other.usage)
        assert one.duration_ms == pytest.approx(other.duration_ms, abs=0.001)


def test_attempts_that_were_not_judged_are_left_out():
    assert entry_of(skipped(), 0).tried == ()
    assert entry_of(plain(), 0).runs == 1


@pytest.mark.parametrize(
    ("tried", "telling"),
    [
        (Tried(True, 1.0, fault="judge"), 1),
        (Tried(False, 1.0), 1),
        (Tried(False, 1.0, fault="agent"), 1),
        (Tried(False, 1.0, fault="target"), 1),
        (Tried(False, 1.0, fault="judge"), 0),
        (Tried(False, 1.0, fault="simulator"), 0),
        (Tried(False, 1.0, fault="hook"), 0),
    ],
)
def test_runs_that_others_broke_tell_nothing_of_the_agent(tried: Tried, telling: int):
    entry = Entry(label="x", key="k", id="k", status=Status.FAILED, tried=(tried,), position=0)
    assert entry.conclusive_runs == telling
    assert entry.passed == tried.passed
