"""A recorded conversation is judged as it was when it was held."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.fakes.agents import FakeSimulator, agent_raises, calling
from tests.fakes.assertion_table import ROWS
from tests.fakes.examining import case_of
from tests.fakes.random_values import at_most
from tests.fakes.recording import again, held

from vivavoce.engine.rejudge import STALE
from vivavoce.model.case import Case, NotReached
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt, ToolCall, Unread
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import EndReason
from vivavoce.plugins.catalog import ASSERTIONS

OTHERS = {"agent", "script", "javascript", "script_test", "file", "command", "http", "snapshot"}
"""Types that are no function of the transcript alone."""
TIMED = {"latency", "max_duration_ms", "max_gap_ms"}
"""Their reasons tell times, which a result file keeps to the microsecond."""
BY_TRANSCRIPT = [row for row in ROWS if row.type not in OTHERS and row.judge == "no judge was expected"]
PAY, AGAIN = {"input": "pay"}, {"input": "again"}
SAID = {"type": "contains", "value": "paid"}


def written(row: Any) -> dict[str, Any]:
    return {"type": row.type, **row.fields}


CHECKS = st.sampled_from(BY_TRANSCRIPT).map(written)
LISTS = st.lists(st.tuples(CHECKS, st.booleans()), max_size=3).map(
    lambda some: [{**check, **({"negate": True} if negated else {})} for check, negated in some]
)
REPLIES = st.one_of(
    st.sampled_from([turn.reply for row in BY_TRANSCRIPT for turn in row.seen.turns]),
    st.sampled_from(
        [
            "What is your name?",
            calling("pay", "ship", text="Paid 5 EUR."),
            AgentReply(text="?", unread=(Unread("<x>", may_hold="call"),)),
            AgentReply(text="plain", shows_calls=False),
            AgentReply(calls=(ToolCall(id="a", name="pay"),)),
            AgentReply(text="done", late_results=(ToolCall(id="a", name="pay", result={"ok": True}),)),
            AgentReply(status=ExchangeStatus.ERROR, error="boom", text="half"),
            AgentReply(status=ExchangeStatus.INTERRUPTED, interrupts=(Interrupt(id="i"),)),
            AgentReply(text="odd", violations=("late event",)),
            agent_raises("boom"),
        ]
    ),
)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Case, list[Any]]:
    replies = draw(st.lists(REPLIES, min_size=1, max_size=3))
    if draw(st.booleans()):
        return _decoded(input="hello", **{"assert": draw(LISTS)}), replies
    turns = [{"input": f"line {n}", "assertions": draw(LISTS)} for n in range(draw(st.integers(1, 3)))]
    more: dict[str, Any] = {"final_assertions": draw(LISTS)} if draw(st.booleans()) else {"assertions": draw(LISTS)}
    if draw(st.booleans()):
        more["checkpoints"] = [{"id": "c", "assert": draw(LISTS.filter(bool)), "required": draw(st.booleans())}]
    if draw(st.booleans()):
        more["stop_on_failure"] = True
    return _decoded(turns=turns, on_missing_input=draw(st.sampled_from(["skip", "fail", "end"])), **more), replies


def _decoded(**fields: Any) -> Case:
    stop = fields.pop("stop_on_failure", False)
    case = case_of(**fields)
    return msgspec.structs.replace(case, rules=msgspec.structs.replace(case.rules, stop_on_failure=stop))


def told(attempt: Attempt) -> Any:
    """Everything that judging decides."""
    verdicts = [
        (v.spec, v.outcome, v.score, v.fault, None if v.spec and v.spec.type in TIMED else v.reason)
        for v in (*attempt.all_verdicts(), *(v for c in attempt.checkpoints for v in c.verdicts))
    ]
    reached = [(c.id, c.reached_at_turn) for c in attempt.checkpoints]
    ending = attempt.transcript.ending
    return attempt.status, attempt.fault, verdicts, reached, ending and ending.reason, len(attempt.transcript.turns)


def test_the_property_below_covers_every_type_that_is_a_function_of_the_transcript():
    assert {row.type for row in BY_TRANSCRIPT} == set(ASSERTIONS.built_in) - OTHERS


@settings(max_examples=at_most(150), deadline=None)
@given(conversations())
async def test_nothing_changed_so_the_verdict_is_the_one_of_the_live_run(made: tuple[Case, list[Any]]):
    case, says = made
    live = await held(case, *says)
    assert told(await again(case, live)) == told(live)


async def test_an_edited_check_is_judged_without_the_agent():
    then = case_of(input="pay", **{"assert": [SAID]})
    live = await held(then, "I paid 5 EUR")
    now = case_of(input="pay", **{"assert": [{"type": "contains", "value": "refunded"}]})
    assert (live.status, (await again(now, live)).status) == (Status.PASSED, Status.FAILED)


async def test_a_check_that_would_have_ended_the_conversation_ends_it():
    then = case_of(turns=[PAY, AGAIN])
    live = await held(then, "no", "paid")
    turns = [{"input": "pay", "assertions": [SAID]}, AGAIN]
    now = _decoded(turns=turns, stop_on_failure=True)
    judged = await again(now, live)
    assert judged.transcript.ending is not None
    assert (judged.transcript.ending.reason, len(judged.transcript.turns)) == (EndReason.TURN_FAILED, 1)


async def test_a_recording_that_a_check_cut_short_is_never_green_by_an_easier_check():
    strict = [{"input": "pay", "assertions": [SAID]}, AGAIN]
    live = await held(_decoded(turns=strict, stop_on_failure=True), "no", "no")
    judged = await again(_decoded(turns=[PAY, AGAIN], stop_on_failure=True), live)
    assert judged.status is Status.NOT_RUN
    assert judged.error == f"{STALE}a check ended the recording after turn 1"
    left = NotReached(turns=1, fingerprint="", content_hash="")
    read_back = structs.replace(_decoded(turns=[PAY], stop_on_failure=True), not_reached=left)
    assert (await again(read_back, live)).status is Status.NOT_RUN, "a turn whose words are not kept is a turn"


async def test_a_simulated_conversation_that_ended_at_its_checkpoints_would_have_gone_on():
    simulated: dict[str, Any] = {"simulator": {"use": "sim"}, "input": "hi"}
    then = case_of(**simulated, checkpoints=[{"id": "c", "assert": SAID}])
    live = await held(then, "I paid it", simulator=FakeSimulator(['{"input": "go on"}']))
    now = case_of(**simulated, checkpoints=[{"id": "c", "assert": {"type": "contains", "value": "shipped"}}])
    assert live.status is Status.PASSED
    assert (await again(now, live)).status is Status.NOT_RUN
    assert (await again(then, live)).status is Status.PASSED


async def test_a_turn_sees_a_late_result_only_when_it_came():
    answered = {"type": "tool_result", "tool": "pay", "result": {"ok": True}}
    turns = [{"input": "pay", "assertions": [{**answered, "negate": True}]}, {"input": "go on"}]
    case = case_of(turns=turns, final_assertions=[answered])
    says = (
        AgentReply(calls=(ToolCall(id="a", name="pay"),)),
        AgentReply(text="done", late_results=(ToolCall(id="a", name="pay", result={"ok": True}),)),
    )
    live = await held(case, *says)
    assert told(await again(case, live)) == told(live)
