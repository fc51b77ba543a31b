"""--budget: counting money and tokens, and ending a run cleanly."""

import asyncio

from tests.fakes.agents import FakeTarget
from tests.fakes.examining import attempt_once, case_of, run_all

from vivavoce.engine.spending import Budgets, Spending
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, exit_code_of
from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.notation.budgets import parse_budget


def cases(count: int):  # type: ignore[no-untyped-def]
    return [case_of(id=f"T{n}", input="x", expected="ok") for n in range(count)]


def agent_using(usage: Usage | None) -> FakeTarget:
    return FakeTarget([AgentReply(text="ok", usage=usage)])


def ran(results: list[CaseResult]) -> int:
    return sum(result.status is not Status.NOT_RUN for result in results)


async def test_once_spent_nothing_more_is_begun_and_the_run_is_not_green():
    spending = Budgets(parse_budget("100tok"))
    summary, results = await run_all(cases(20), agent_using(Usage(20, 10)), parallel=1, spending=spending)
    assert [result.status for result in results] == [Status.PASSED] * 4 + [Status.NOT_RUN] * 16
    assert results[-1].decisive.error == "not run: budget"
    assert (summary.interrupted, summary.not_run, summary.passed) == ("budget", 16, 4)
    assert summary.warnings == ("budget: 120 tokens spent of 100 tokens",)
    assert exit_code_of(summary) == EXIT_FAILED
    assert exit_code_of(summary, allow_not_run=True) == EXIT_PASSED


async def test_what_is_under_way_may_finish():
    class Slow(FakeTarget):
        async def open(self, context):  # type: ignore[no-untyped-def]
            await asyncio.sleep(0.05)
            return await super().open(context)

    agent = Slow([AgentReply(text="ok", usage=Usage(20, 10))])
    spending = Budgets(parse_budget("1tok"))
    summary, results = await run_all(cases(20), agent, parallel=4, spending=spending)
    assert ran(results) == 4
    assert summary.not_run == 16


async def test_spent_by_the_very_last_case_is_no_early_end():
    spending = Budgets(parse_budget("100tok"))
    summary, _ = await run_all(cases(5), agent_using(Usage(10, 10)), parallel=1, spending=spending)
    assert (summary.interrupted, summary.not_run) == (None, 0)
    assert exit_code_of(summary) == EXIT_PASSED


async def test_a_case_cut_short_in_its_runs_is_not_green_either():
    spending = Budgets(parse_budget("30tok"))
    summary, [result] = await run_all(cases(1), agent_using(Usage(10, 5)), parallel=1, runs=9, spending=spending)
    assert [attempt.status for attempt in result.attempts] == [Status.PASSED, Status.PASSED, Status.NOT_RUN]
    assert result.decisive.error == "2 of 9 runs came to their end: budget"
    assert (summary.passed, summary.not_run, summary.interrupted) == (0, 1, "budget")
    assert exit_code_of(summary) == EXIT_FAILED


async def test_money_is_counted_by_cost():
    spending = Budgets(parse_budget("0.05usd"))
    summary, results = await run_all(cases(20), agent_using(Usage(1, 1, 0.02)), parallel=1, spending=spending)
    assert ran(results) == 3
    assert summary.warnings == ("budget: 0.06 usd spent of 0.05 usd",)


async def test_tokens_without_a_price_end_a_run_that_has_a_budget_of_money():
    spending = Budgets(parse_budget("5usd"))
    summary, results = await run_all(cases(20), agent_using(Usage(1000, 1000)), parallel=1, spending=spending)
    assert ran(results) == 1
    assert summary.interrupted == "budget"
    assert "prices:" in summary.warnings[0]


async def test_answers_that_do_not_say_what_they_used_are_told():
    spending = Budgets(parse_budget("5usd"))
    summary, _ = await run_all(cases(3), agent_using(None), spending=spending)
    assert summary.passed == 3
    assert summary.warnings == ("budget: 3 answers did not say what they used and count as free",)


def test_judges_and_lost_tries_count_and_so_does_what_was_used_before():
    spending = Spending(parse_budget("100tok"), before=Usage(50, 0))
    spending.add(Attempt(status="passed", overhead=Usage(30, 0)))  # type: ignore[arg-type]
    assert not spending.is_over
    spending.add(Attempt(status="passed", overhead=Usage(0, 20)))  # type: ignore[arg-type]
    assert spending.is_over


async def test_what_a_simulator_used_is_overhead_of_the_attempt():
    reply = AgentReply(text='{"input": "go on", "goal_achieved": true}', usage=Usage(7, 3))
    attempt = await attempt_once(
        case_of(input="hi", simulator={"use": "sim"}, max_turns=3),
        FakeTarget([AgentReply(text="what else?", usage=Usage(1, 1))]),
        simulator=FakeTarget([reply]),
    )
    assert attempt.overhead is not None
    assert attempt.overhead.input_tokens % 7 == 0
    assert attempt.usage == Usage(len(attempt.transcript.turns), len(attempt.transcript.turns))


async def test_a_contender_whose_budget_is_spent_is_left_out_and_the_others_go_on():
    compared = [case_of(id=f"T{n}", input="x", expected="ok", agent=label) for n in range(5) for label in ("a", "b")]
    spending = Budgets(parse_budget("50tok"), contenders=("a", "b"))
    spending.of(compared[0]).add(Attempt(status="passed", overhead=Usage(40, 0)))  # type: ignore[arg-type]
    summary, results = await run_all(compared, agent_using(Usage(5, 5)), parallel=1, spending=spending)
    ran = [result.case.agent for result in results if result.status is Status.PASSED]
    assert (ran.count("a"), ran.count("b")) == (1, 5)
    assert (summary.not_run, summary.interrupted) == (4, "budget")
    assert exit_code_of(summary) == EXIT_FAILED
    assert summary.warnings == ("a: budget: 50 tokens spent of 50 tokens", "b: budget: 50 tokens spent of 50 tokens")
