"""What a baseline counts, and how runs are added to it."""

from msgspec import structs

from vivavoce.insight.baselines.baseline import MOST_VALUES, Baseline, BaselineCase, baseline_of, case_of, with_more
from vivavoce.model.result import Status
from vivavoce.results.history.facts import AttemptFact, CaseFacts

PASS = AttemptFact(Status.PASSED, duration_ms=10.0, input_tokens=5, output_tokens=2, cost=0.5)
FAIL = AttemptFact(Status.FAILED, "agent", 20.0)
BROKE = AttemptFact(Status.ERROR, "judge", 30.0)
REPLAYED = structs.replace(PASS, replayed=True)


def facts(
    *attempts: AttemptFact, run: str = "r1", key: str = "a::T1", content: str = "h", agent: str = "shop"
) -> CaseFacts:
    return CaseFacts(
        key=key,
        case_id=key.partition("::")[2],
        agent=agent,
        started_ms=1,
        status=attempts[0].status,
        case_hash=content,
        reply_digest="d",
        attempts=attempts,
        run_id=run,
        branch="main",
    )


def test_attempts_that_others_broke_are_counted_apart():
    case = case_of(facts(PASS, FAIL, BROKE))
    assert (case.runs, case.passed, case.broken) == (2, 1, 1)
    assert case.durations_ms == (10.0, 20.0)
    assert (case.tokens, case.costs) == ((7,), (0.5,))
    assert not case.always_passed


def test_a_replayed_attempt_counts_but_its_time_does_not():
    case = case_of(facts(REPLAYED))
    assert (case.runs, case.durations_ms, case.tokens) == (1, (), (7,))


def test_a_case_that_never_ran_did_not_always_pass():
    assert not BaselineCase(key="k", id="k", agent="", case_hash="h").always_passed
    assert case_of(facts(PASS)).always_passed


def test_runs_of_the_same_case_are_added_up():
    both = case_of(facts(PASS)).plus(case_of(facts(FAIL, BROKE)))
    assert (both.runs, both.passed, both.broken, both.durations_ms) == (2, 1, 1, (10.0, 20.0))


def test_a_changed_case_begins_anew():
    newer = case_of(facts(FAIL, content="other"))
    assert case_of(facts(PASS)).plus(newer) == newer


def test_only_the_newest_values_are_kept_and_all_are_counted():
    case = case_of(facts(PASS))
    for number in range(MOST_VALUES + 5):
        case = case.plus(structs.replace(case_of(facts(PASS)), durations_ms=(float(number),)))
    assert len(case.durations_ms) == MOST_VALUES
    assert case.durations_ms[-1] == MOST_VALUES + 4
    assert case.runs == MOST_VALUES + 6


def test_a_run_that_is_in_it_is_not_counted_again():
    one, two = baseline_of("main", [facts(PASS)]), baseline_of("main", [facts(FAIL, run="r2")])
    together = one.plus(two)
    assert [run.run_id for run in together.runs] == ["r1", "r2"]
    assert (together.attempts, together.passed) == (2, 1)
    assert together.plus(two) == together


def test_agents_are_counted_apart():
    found = baseline_of("main", [facts(PASS), facts(FAIL, agent="other")])
    assert [(case.agent, case.passed) for case in found.cases] == [("shop", 1), ("other", 0)]
    assert found.runs[0].branch == "main"


def test_a_confirmation_adds_runs_and_no_times():
    more = with_more(case_of(facts(FAIL)), [PASS, BROKE, FAIL])
    assert (more.runs, more.passed, more.durations_ms) == (3, 1, (20.0,))


def test_an_empty_baseline():
    assert baseline_of("main", []) == Baseline(name="main")
