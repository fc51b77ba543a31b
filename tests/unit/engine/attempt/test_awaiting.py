"""Whether the agent waits for an answer, and how we know."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.engine.attempt.awaiting import AwaitingRules
from vivavoce.errors import UsageError
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt, ToolCall
from vivavoce.model.transcript import Awaiting
from vivavoce.project.settings import AwaitingConfig

RULES = AwaitingRules.of(AwaitingConfig())


def says(text: str) -> Awaiting:
    return RULES.detect(AgentReply(text=text))


@pytest.mark.parametrize(
    "text",
    [
        "What type of expense would you like to submit?",
        "  Is that right?  \n",
        "是吗？",
        "“Shall I book it?”",
        "**Shall I book it?**",
        "Shall I book it? 🙂",
        "HOW MUCH",
        "\n\n            How much it costs is for you to say.",
        "What's the amount",
        "could you tell me more",
        "Shall I proceed? Otherwise I stop.",
        "May I continue ？ I would rather stop.",
        "This requires manager approval. Please provide PO number.",
        "I'll create an expense for business travel, $3500. Please confirm.",
        "Fine.\n\nPlease send 3.5 copies, e.g., by mail",
        "All set. To continue, please sign in.",
        "Got it. What is the amount",
        "So, which one?\n- travel\n- meals",
        "Is it one of these?\n\n1. travel\n2) meals",
    ],
)
def test_a_text_that_asks_is_awaited(text: str):
    assert says(text) == Awaiting(True, "content_is_question")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n ",
        "Expense submitted.",
        "However, it is done.",
        "Whenever you like, it starts.",
        "Whose it was is known.",
        "Pleased to help.",
        "We were pleased. It pleases us.",
        "You asked what it costs? It costs five.",
        "Discontinue? No, it is done.",
        "Done. When it is approved you will be told.",
        "So, which one? Travel it is, then - done.",
    ],
)
def test_a_text_that_tells_is_complete(text: str):
    assert says(text) == Awaiting(False, "completed")


@pytest.mark.parametrize(
    ("reply", "waits"),
    [
        (AgentReply(text='{"awaiting_input": true, "ask": "which date"}'), True),
        (AgentReply(text='```json\n{"awaiting_input": false, "ask": "Sure?"}\n```'), False),
        (AgentReply(text="x", data={"awaiting_input": True}), True),
        (AgentReply(text='Like {"awaiting_input": true}'), None),
        (AgentReply(text='{"awaiting_input": "true"}'), None),
    ],
)
def test_an_answer_that_is_a_json_object_may_declare_it(reply: AgentReply, waits: bool | None):
    seen = RULES.detect(reply)
    assert seen == Awaiting(waits, "agent_declared") if waits is not None else seen.reason != "agent_declared"


def test_the_agents_own_word_beats_everything_else():
    asking = AgentReply(
        text="Really?", awaiting=False, calls=(ToolCall(name="ask_user"),), interrupts=(Interrupt(id="i"),)
    )
    assert RULES.detect(asking) == Awaiting(False, "agent_declared")
    assert RULES.detect(AgentReply(text="Done.", awaiting=True)) == Awaiting(True, "agent_declared")


def test_an_open_interrupt_waits_before_its_tool_is_looked_at():
    reply = AgentReply(calls=(ToolCall(name="ask_user"),), interrupts=(Interrupt(id="i1"),))
    assert RULES.detect(reply) == Awaiting(True, "interrupt_open")
    assert RULES.detect(AgentReply(status=ExchangeStatus.INTERRUPTED)) == Awaiting(True, "interrupt_open")


@pytest.mark.parametrize("name", ["ask_user", "request_confirmation", "get_user_input", "ui__ask_user", "ui.ask_user"])
def test_an_asking_tool_waits_even_when_its_turn_ended_in_tool_calls(name: str):
    reply = AgentReply(text="Done.", calls=(ToolCall(name=name),), finish_reason="tool_calls")
    assert RULES.detect(reply) == Awaiting(True, "tool_requires_confirmation")


@pytest.mark.parametrize("name", ["ask_users", "dont_ask_user", "create_expense"])
def test_a_tool_of_another_name_asks_nothing(name: str):
    assert RULES.detect(AgentReply(text="Done.", calls=(ToolCall(name=name),))) == Awaiting(False, "completed")


@pytest.mark.parametrize("reason", ["length", "tool_calls"])
def test_an_unfinished_reply_waits_for_nothing_whatever_it_sounds_like(reason: str):
    assert RULES.detect(AgentReply(text="What is it?", finish_reason=reason)) == Awaiting(False, "finish_reason")


def test_a_reply_that_stopped_normally_is_judged_by_its_text():
    assert RULES.detect(AgentReply(text="What is it?", finish_reason="stop")).awaiting


def test_configured_tools_and_patterns_replace_the_lists():
    rules = AwaitingRules.of(AwaitingConfig(tools=["confirm"], patterns=["/over to you/i"]))
    assert rules.detect(AgentReply(calls=(ToolCall(name="confirm"),))).reason == "tool_requires_confirmation"
    assert rules.detect(AgentReply(calls=(ToolCall(name="ask_user"),))).reason == "completed"
    assert rules.detect(AgentReply(text="OVER TO YOU.")).reason == "content_is_question"
    assert rules.detect(AgentReply(text="Really?")).reason == "completed"


def test_a_bad_pattern_in_the_configuration_is_a_usage_error():
    with pytest.raises(UsageError, match=r"awaiting\.patterns: bad regex '\(\['"):
        AwaitingRules.of(AwaitingConfig(patterns=["(["]))


def test_of_a_long_text_only_the_ends_are_read():
    filler = "It goes on. " * 2_000
    assert says(f"{filler}Which one?").awaiting
    assert says(f"How much {filler}").awaiting
    assert not says(f"{filler}Shall I proceed? {filler}").awaiting


def test_detection_costs_microseconds():
    reply = AgentReply(text="I have created the expense for your business travel to Beijing, and it was submitted.")
    RULES.detect(reply)
    started = time.thread_time()
    for _ in range(1000):
        RULES.detect(reply)
    # This thread's own time: a busy machine does not fail this, a pattern compiled per call does.
    assert time.thread_time() - started < 0.3


@given(
    text=st.text(st.characters(), max_size=300) | st.text("?.!\n pleaswhto？“*-1", max_size=300),
    finish=st.none() | st.text(max_size=5),
    tool=st.text(max_size=8),
)
def test_detection_never_raises(text: str, finish: str | None, tool: str):
    found = RULES.detect(AgentReply(text=text, finish_reason=finish, calls=(ToolCall(name=tool),)))
    assert isinstance(found.awaiting, bool)
    assert found.reason


def test_half_a_surrogate_pair_does_not_hide_the_question():
    assert says("Is it \ud800?").awaiting
