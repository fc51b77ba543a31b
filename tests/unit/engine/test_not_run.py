"""Cases that a stopped run did not come to: each has a row that says so, and none of them is green."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.agents import FakeTarget, agent_raises
from tests.fakes.examining import case_of, run_all
from tests.fakes.random_values import at_most

from vivavoce.engine.not_run import not_run, unfinished
from vivavoce.engine.run import result_of
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, exit_code_of
from vivavoce.model.events import CaseFinished
from vivavoce.model.result import UNSUCCESSFUL, Attempt, Status, Summary
from vivavoce.protocols import Job


@pytest.mark.parametrize("parallel", [1, 4])
@pytest.mark.parametrize("runs", [1, 3])
async def test_every_selected_case_has_one_result_when_a_run_is_stopped(parallel: int, runs: int):
    def stop(run, event):  # type: ignore[no-untyped-def]
        if isinstance(event, CaseFinished) and event.result.status is Status.PASSED:
            run.stop("ctrl-c")

    class AnswersTwo(FakeTarget):
        async def open(self, context):  # type: ignore[no-untyped-def]
            self.says = ["ok"] if context.case_id in ("T0", "T1") else [30.0]
            return await super().open(context)

    cases = [case_of(id=f"T{n}", input="x") for n in range(30)]
    summary, results = await run_all(cases, AnswersTwo(), parallel=parallel, runs=runs, on_event=stop)
    assert sorted(result.index for result in results) == list(range(1, 31))
    left = [result for result in results if result.status is Status.NOT_RUN]
    assert len(left) == summary.not_run == 28
    assert summary.passed == 30 - len(left)
    assert all("ctrl-c" in str(result.decisive.error) for result in left)


async def test_a_case_that_is_skipped_anyway_stays_skipped():
    cases = [case_of(id="a", input="x"), case_of(id="b", input="x", skip="later"), case_of(id="c", input="x")]
    _, results = await run_all(cases, FakeTarget([agent_raises("boom")]), parallel=1, max_failures=1)
    assert [result.status for result in results] == [Status.ERROR, Status.SKIPPED, Status.NOT_RUN]


@settings(max_examples=at_most(200), deadline=None)
@given(st.lists(st.sampled_from([s for s in Status if s is not Status.NOT_RUN]), min_size=1, max_size=6), st.data())
def test_a_case_whose_runs_were_broken_off_passes_only_when_the_rest_cannot_matter(ended: list[Status], data):  # type: ignore[no-untyped-def]
    runs = data.draw(st.integers(len(ended) + 1, 8))
    case = case_of(
        id="a", input="x", runs=runs, **data.draw(st.sampled_from([{}, {"min_pass": 1}, {"min_pass": runs}]))
    )
    job = Job(case=case, index=1, runs=runs)
    came = tuple(Attempt(status=status, run=n) for n, status in enumerate(ended, 1))
    result = unfinished(job, result_of(job, came), "budget")
    passed = ended.count(Status.PASSED)
    if result.status is Status.PASSED:
        assert case.min_pass is not None
        assert passed >= case.min_pass
    elif result.status is not Status.NOT_RUN:
        assert case.min_pass is not None or any(status in UNSUCCESSFUL for status in ended)
    else:
        assert f"{len(ended)} of {runs} runs" in str(result.decisive.error)


def test_a_row_says_why():
    result = not_run(Job(case=case_of(id="a", input="x"), index=7, runs=1), "budget")
    assert (result.status, result.index, result.decisive.error) == (Status.NOT_RUN, 7, "not run: budget")


@pytest.mark.parametrize("stopped", ["budget", "time limit", "fail-fast"])
def test_what_was_not_run_is_allowed_only_when_asked_for_and_something_ran(stopped: str):
    some = Summary(total=3, passed=2, not_run=1, interrupted=stopped)
    assert exit_code_of(some) == EXIT_FAILED
    assert exit_code_of(some, allow_not_run=True) == EXIT_PASSED
    none = Summary(total=3, not_run=3, interrupted=stopped)
    assert exit_code_of(none, allow_not_run=True) == EXIT_FAILED
    failed = Summary(total=3, passed=1, failed=1, not_run=1, interrupted=stopped)
    assert exit_code_of(failed, allow_not_run=True) == EXIT_FAILED
