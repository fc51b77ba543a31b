"""Every way a conversation can end, and what it means."""

import pytest
from tests.fakes.agents import FakeTarget, agent_raises, calling
from tests.fakes.examining import attempt_once, case_of

from vivavoce.engine.attempt.outcome import Ruling, rule
from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import CallFailed
from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt
from vivavoce.model.result import Status
from vivavoce.model.transcript import Ending, EndReason, Transcript
from vivavoce.model.verdict import Fault, Verdict, broken, failed, passed, skipped
from vivavoce.project.run_options import AttemptOptions

CONTAINS_OK = {"type": "contains", "value": "ok"}


async def test_a_case_without_assertions_passes_when_the_agent_answered():
    attempt = await attempt_once(case_of(input="hi"), FakeTarget(["anything"]))
    assert attempt.status is Status.PASSED


async def test_every_failed_assertion_is_in_the_error():
    case = case_of(input="hi", assertions=[{"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}])
    attempt = await attempt_once(case, FakeTarget(["zzz"]))
    assert attempt.status is Status.FAILED
    assert attempt.fault == "agent"
    assert attempt.error is not None
    assert "'a'" in attempt.error or '"a"' in attempt.error
    assert "'b'" in attempt.error or '"b"' in attempt.error


async def test_an_agent_that_raises_is_an_error_of_the_agent():
    attempt = await attempt_once(case_of(input="hi"), FakeTarget([agent_raises("boom")]))
    assert (attempt.status, attempt.fault, attempt.error) == (Status.ERROR, "agent", "agent error: boom")
    assert attempt.transcript.turns[0].error == "agent error: boom"


async def test_an_agent_that_raises_later_on_is_told_with_its_turn():
    case = case_of(turns=[{"input": "a"}, {"input": "b"}])
    attempt = await attempt_once(case, FakeTarget(["fine", agent_raises("boom")]))
    assert attempt.error == "agent error: boom (turn 2)"
    assert [turn.error for turn in attempt.transcript.turns] == [None, "agent error: boom"]


@pytest.mark.parametrize("fault", ["target", "test"])
async def test_a_call_that_could_not_be_made_is_not_the_agents_fault(fault: Fault):
    attempt = await attempt_once(case_of(input="hi"), FakeTarget([CallFailed("refused", fault=fault)]))
    assert (attempt.status, attempt.fault, attempt.error) == (Status.ERROR, fault, "refused")


async def test_a_hanging_agent_is_cut_during_the_call_and_earlier_turns_are_kept():
    case = case_of(turns=[{"input": "a"}, {"input": "b"}, {"input": "c"}], timeout="100ms")
    attempt = await attempt_once(case, FakeTarget(["fine", "fine", 30.0]))
    assert (attempt.status, attempt.error) == (Status.TIMEOUT, "timeout after 100ms")
    assert [t.reply.text for t in attempt.transcript.turns] == ["fine", "fine", ""]
    assert attempt.transcript.turns[-1].error == "timeout after 100ms"


async def test_a_failed_turn_stops_a_case_only_when_it_says_so():
    turns = [{"input": "a", "assertions": [CONTAINS_OK]}, {"input": "b", "assertions": [CONTAINS_OK]}]
    patient = await attempt_once(case_of(turns=turns), FakeTarget(["no", "ok"]))
    strict = await attempt_once(case_of(turns=turns, stop_on_failure=True), FakeTarget(["no", "ok"]))
    assert (patient.status, len(patient.transcript.turns)) == (Status.FAILED, 2)
    assert (strict.status, len(strict.transcript.turns)) == (Status.FAILED, 1)
    assert strict.transcript.ending is not None
    assert strict.transcript.ending.reason is EndReason.TURN_FAILED


async def test_a_failed_turn_makes_the_case_failed_even_when_input_runs_out():
    case = case_of(turns=[{"input": "a", "assertions": [CONTAINS_OK]}])
    attempt = await attempt_once(case, FakeTarget(["And what next?"]))
    assert attempt.status is Status.FAILED


@pytest.mark.parametrize(
    ("policy", "status"), [("skip", Status.SKIPPED), ("fail", Status.FAILED), ("end", Status.PASSED)]
)
async def test_what_happens_when_nobody_has_the_next_line(policy: str, status: Status):
    case = case_of(turns=[{"input": "a"}], on_missing_input=policy)
    attempt = await attempt_once(case, FakeTarget(["Which one?"]))
    assert attempt.status is status


async def test_the_flag_on_missing_input_beats_the_case():
    case = case_of(turns=[{"input": "a"}], on_missing_input="skip")
    attempt = await attempt_once(case, FakeTarget(["Which one?"]), settings=RunSettings(on_missing_input="fail"))
    assert attempt.status is Status.FAILED


async def test_a_script_of_exactly_max_turns_is_fine_and_one_more_is_too_many():
    turns = [{"input": "a"}, {"input": "b"}]
    exact = await attempt_once(case_of(turns=turns, max_turns=2), FakeTarget(["done."]))
    over = await attempt_once(case_of(turns=[*turns, {"input": "c"}], max_turns=2), FakeTarget(["done."]))
    assert exact.status is Status.PASSED
    assert (over.status, over.error) == (Status.FAILED, "max turns (2) exceeded")


async def test_a_broken_check_is_an_error_and_negation_does_not_help():
    spec = {"type": "script", "script": "scripts:nowhere.to.be.found"}
    for extra in ({}, {"negate": True}):
        attempt = await attempt_once(case_of(input="hi", assertions=[spec | extra]), FakeTarget())
        assert (attempt.status, attempt.fault) == (Status.ERROR, "test")


async def test_a_broken_check_is_not_hidden_by_a_skip():
    spec = {"type": "script", "script": "scripts:nowhere.to.be.found"}
    case = case_of(turns=[{"input": "a", "assertions": [spec]}])
    attempt = await attempt_once(case, FakeTarget(["Which one?"]))
    assert attempt.status is Status.ERROR


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (ExchangeStatus.ERROR, "agent"),
        (ExchangeStatus.CANCELLED, "agent"),
        (ExchangeStatus.HTTP_ERROR, "target"),
        (ExchangeStatus.PROTOCOL_ERROR, "target"),
        (ExchangeStatus.TRUNCATED, "target"),
    ],
)
async def test_an_exchange_that_went_wrong_is_never_a_pass(status: ExchangeStatus, fault: str):
    attempt = await attempt_once(case_of(input="hi"), FakeTarget([AgentReply(status=status, error="seen this")]))
    assert (attempt.status, attempt.fault) == (Status.ERROR, fault)
    assert "seen this" in (attempt.error or "")


async def test_tools_called_before_the_stream_broke_are_still_judged():
    broke = calling("delete_order", status=ExchangeStatus.TRUNCATED, error="no terminal event")
    case = case_of(turns=[{"input": "a", "assert": {"tools": {"forbid": ["delete_order"]}}}])
    attempt = await attempt_once(case, FakeTarget([broke]))
    assert attempt.status is Status.FAILED
    assert "delete_order" in (attempt.error or "")


async def test_an_interrupt_left_open_fails_the_case():
    waiting = AgentReply(status=ExchangeStatus.INTERRUPTED, interrupts=(Interrupt(id="i1", reason="approve payment"),))
    case = case_of(turns=[{"input": "pay"}], on_missing_input="end")
    attempt = await attempt_once(case, FakeTarget([waiting]))
    assert (attempt.status, attempt.fault) == (Status.FAILED, "test")
    assert "approve payment" in (attempt.error or "")


async def test_protocol_violations_warn_by_default_and_fail_when_strict():
    sloppy = FakeTarget([AgentReply(text="ok", violations=("TEXT_MESSAGE_END without START",))])
    lenient = await attempt_once(case_of(input="hi"), sloppy)
    strict = await attempt_once(
        case_of(input="hi"), sloppy, settings=RunSettings(options=AttemptOptions(strict_protocol=True))
    )
    assert lenient.status is Status.PASSED
    assert "TEXT_MESSAGE_END" in lenient.warnings[0]
    assert strict.status is Status.FAILED


async def test_the_session_is_closed_whatever_happens():
    agent = FakeTarget([agent_raises("boom")])
    await attempt_once(case_of(input="hi"), agent)
    assert agent.closed_sessions == 1


async def test_an_agent_that_answers_nothing_is_told_of():
    silent = await attempt_once(case_of(input="hi"), FakeTarget([""]))
    assert (silent.status, silent.warnings) == (Status.PASSED, ("turn 1: the agent answered nothing",))
    acting = await attempt_once(case_of(input="hi"), FakeTarget([calling("pay")]))
    assert acting.warnings == ()


async def test_required_checkpoints_that_were_never_reached_are_not_skipped():
    case = case_of(input="hi", checkpoints=[{"id": "paid", "assert": CONTAINS_OK}])
    attempt = await attempt_once(case, FakeTarget(["And what next?"]))
    assert (attempt.status, attempt.error) == (
        Status.FAILED,
        "missing checkpoints: paid (Agent awaiting input, no next turn defined)",
    )


async def test_a_checkpoint_whose_script_breaks_is_not_blamed_on_the_judge_beside_it():
    checks = [{"type": "script", "use": "scripts:nowhere"}, {"type": "agent", "use": "judge", "value": "polite"}]
    case = case_of(input="hi", checkpoints=[{"id": "c", "assert": checks}])
    attempt = await attempt_once(case, FakeTarget(["ok"]))
    assert (attempt.status, attempt.fault) == (Status.ERROR, "test")


async def test_a_check_that_an_empty_variable_empties_is_an_error():
    case = case_of(input="hi", assertions=[{"type": "contains", "value": "${ORDER:-}"}])
    attempt = await attempt_once(case, FakeTarget(["anything"]))
    assert (attempt.status, attempt.fault) == (Status.ERROR, "test")
    assert "a check would be empty: ${ORDER:-}" in str(attempt.error)


async def test_an_answer_that_was_cut_off_is_told_of():
    cut = await attempt_once(case_of(input="hi"), FakeTarget([AgentReply(text="So far so", finish_reason="length")]))
    assert cut.warnings == ("turn 1: the answer was cut off (finish_reason: length)",)


def ruled(*verdicts: Verdict) -> Ruling:
    """The ruling over a completed conversation with these verdicts."""
    done = Transcript(ending=Ending(EndReason.COMPLETED))
    return rule(Case(id="T"), done, verdicts, (), 30.0)


def test_a_skipped_check_makes_the_case_skipped_with_its_reason():
    assert ruled(passed(), skipped("not here")) == Ruling(Status.SKIPPED, None, "not here")


@pytest.mark.parametrize(("worse", "status"), [(failed("no"), Status.FAILED), (broken("no"), Status.ERROR)])
def test_what_failed_or_broke_is_not_hidden_by_a_skip(worse: Verdict, status: Status):
    assert ruled(skipped("not here"), worse).status is status


def test_a_broken_check_may_name_whose_fault_it_is():
    assert ruled(broken("no", fault="judge")).fault == "judge"
