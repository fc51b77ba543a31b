"""Which case is worth running next."""

from benchmarks.detection import apfd, time_to_find

from vivavoce.insight.order.case_record import CaseRecord, failure_rate, records_of
from vivavoce.insight.order.risk import Now, chance_to_fail, places_by, random_rank, rank
from vivavoce.model.result import Status
from vivavoce.model.verdict import Fault
from vivavoce.results.history.facts import AttemptFact, CaseFacts

NOW = Now("case", "configuration", "source")


def fact(passed: bool, *, at: int = 0, ms: float = 1000, fault: Fault | None = "agent", key: str = "f::a") -> CaseFacts:
    status = Status.PASSED if passed else Status.FAILED
    return CaseFacts(
        key=key,
        case_id="a",
        agent="shop",
        started_ms=at,
        status=status,
        case_hash="case",
        configuration_hash="configuration",
        source_hash="source",
        attempts=(AttemptFact(status, None if passed else fault, ms),),
    )


def record(*passed: bool, ms: float = 1000, fault: Fault | None = "agent") -> CaseRecord:
    found = CaseRecord()
    for one in passed:
        found.add(fact(one, ms=ms, fault=fault))
    return found


def order(*records: CaseRecord | None, now: Now = NOW) -> list[int]:
    return list(places_by([rank(one, now, 0.1) for one in records]))


def test_cases_that_never_ran_come_first_then_what_failed_lately():
    assert order(record(True, True), record(True, False), None) == [2, 1, 0]


def test_recent_results_weigh_more():
    assert order(record(False, True, True), record(True, True, False)) == [1, 0]


def test_of_two_that_fail_alike_the_quicker_one_runs_first():
    assert order(record(False, ms=60_000), record(False, ms=500)) == [1, 0]


def test_a_failure_of_the_network_says_little_about_the_agent():
    assert order(record(True, False, fault="target"), record(True, False)) == [1, 0]


def test_what_was_edited_since_may_fail_again():
    steady = record(True, True, True)
    same, edited = chance_to_fail(steady, NOW, 0.1), chance_to_fail(steady, Now("x", "configuration", "source"), 0.1)
    other_agent = chance_to_fail(steady, Now("case", "configuration", "y"), 0.1)
    assert same < other_agent < edited


def test_an_important_case_runs_before_a_riskier_unimportant_one():
    ranks = [rank(record(True, False), Now("case", "configuration", "source", 3), 0.1)]
    ranks.append(rank(record(True, True), Now("case", "configuration", "source", 0), 0.1))
    assert list(places_by(ranks)) == [1, 0]


def test_records_are_kept_by_case_and_agent():
    found = records_of([fact(True), fact(False, key="f::b"), fact(False)])
    assert found["f::a", "shop"].last_failed
    assert found["f::b", "shop"].results == 1
    assert 0.5 < failure_rate(found) < 1
    assert failure_rate({}) == 0.5


def test_a_seed_gives_one_order_and_another_seed_another():
    keys = [f"f::{number}" for number in range(20)]
    orders = [list(places_by([random_rank(key, seed) for key in keys])) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == list(range(20))


def test_apfd_is_that_of_the_textbook():
    # Rothermel et al.: 1 - (sum of places) / (n m) + 1 / (2 n)
    assert apfd([True, False, False, False, False]) == 1 - 1 / 5 + 1 / 10
    assert apfd([False, False, True, False, True]) == 1 - 8 / 10 + 1 / 10
    assert time_to_find([False, True, True], [1.0, 2.0, 4.0], share=0.5) == 3.0
    assert time_to_find([False, True, True], [1.0, 2.0, 4.0]) == 7.0
