"""LangGraph: what a state and its interrupts mean. The reading of messages is in test_recorded_objects.py."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import UsageError
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import ToolCall
from vivavoce.targets.foreign_replies import from_foreign
from vivavoce.targets.frameworks import langgraph
from vivavoce.targets.frameworks.langgraph import Agent, hands_over, read_messages, read_state, resume_values
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption

REVIEW = {"action_requests": [{"name": "pay", "args": {"amount": 1}, "description": "sure?"}, {"name": "ship"}]}


def interrupt(value: Any) -> SimpleNamespace:
    return SimpleNamespace(id="i1", value=value)


def waiting(value: Any) -> TurnRecord:
    seen = TurnRecord()
    read_state({"messages": [], "__interrupt__": [interrupt(value)]}, seen)
    return seen


def test_a_graph_without_messages_is_refused():
    with pytest.raises(UsageError, match="has no `messages`, only question"):
        Agent(SimpleNamespace(channels={"question": 1, "__start__": 2, "branch:to:x": 3}))


def test_each_call_that_a_middleware_asks_about_wants_an_answer():
    first, second = waiting(REVIEW).interrupts
    assert (first.id, first.tool_name, first.message, first.payload) == ("i1#1", "pay", "sure?", {"amount": 1})
    assert second.tool_name == "ship"
    answers = [
        Resumption(interrupt=first, answer=ResumeAnswer(payload={"approved": True})),
        Resumption(interrupt=second, answer=ResumeAnswer(payload={"approved": False, "reason": "late"})),
    ]
    assert resume_values(answers) == {
        "i1": {"decisions": [{"type": "approve"}, {"type": "reject", "message": "late"}]},
    }


@pytest.mark.parametrize("own", [{"type": "edit", "edited_action": {}}, {"decisions": [{"type": "respond"}]}])
def test_the_middleware_s_own_decisions_are_taken(own: dict[str, Any]):
    [first, _] = waiting(REVIEW).interrupts
    [given] = resume_values([Resumption(interrupt=first, answer=ResumeAnswer(payload=own))]).values()
    assert given == {"decisions": [own.get("decisions", [own])[0]]}


def test_what_interrupt_returns_is_the_payload_as_it_is():
    [asked] = waiting({"reason": "question", "message": "Where to?"}).interrupts
    assert (asked.reason, asked.message) == ("question", "Where to?")
    assert resume_values([Resumption(interrupt=asked, answer=ResumeAnswer(payload=["Rome"]))]) == {"i1": ["Rome"]}
    cancelled = Resumption(interrupt=asked, answer=ResumeAnswer(cancelled=True))
    assert resume_values([cancelled]) == {"i1": {"cancelled": True}}
    assert waiting("just words").interrupts[0].message == "just words"


def test_other_keys_are_the_state_and_calls_hidden_in_them_are_unread():
    seen = TurnRecord()
    read_state({"messages": [], "basket": ["mug"], "log": {"tool_calls": [{"name": "pay", "args": {}}]}}, seen)
    reply = seen.reply()
    assert reply.state == {"basket": ["mug"], "log": {"tool_calls": [{"name": "pay", "args": {}}]}}
    assert [piece.where for piece in reply.unread] == ["$.log"]


def test_only_the_made_up_tool_hands_over_structured_output():
    class Invoice: ...

    made_up = ToolCall(id="1", name="Invoice", result="Returning structured response: number=7")
    assert hands_over(made_up, Invoice())
    assert not hands_over(ToolCall(id="1", name="pay", result=made_up.result), Invoice())
    assert not hands_over(ToolCall(id="1", name="Invoice", result="paid"), Invoice())


def test_a_state_that_a_function_returns_has_no_made_up_call_either():
    messages = [
        {"type": "human", "content": "invoice"},
        {"type": "ai", "content": "", "tool_calls": [{"name": "Invoice", "args": {"number": 7}, "id": "c1"}]},
        {"type": "tool", "content": "Returning structured response: number=7", "tool_call_id": "c1"},
    ]
    reply = from_foreign({"messages": messages, "structured_response": {"number": 7}}, "invoice")
    assert reply is not None
    assert (reply.calls, reply.data) == ((), {"number": 7})
    kept = from_foreign({"messages": messages}, "invoice")
    assert kept is not None
    assert [call.name for call in kept.calls] == ["Invoice"]


def test_a_call_that_could_not_be_read_is_a_call():
    seen = TurnRecord()
    broken = {"name": "pay", "args": "{amount", "id": "c1", "error": "bad"}
    message = SimpleNamespace(type="ai", text="", tool_calls=[], invalid_tool_calls=[broken], usage_metadata=None)
    read_messages([message], seen)
    [call] = seen.reply().calls
    assert (call.name, call.args) == ("pay", "{amount")


def test_the_approval_of_the_recording_is_read():
    reply = said("langgraph", "pay")
    assert [(each.reason, each.tool_name) for each in reply.interrupts] == [("approval", "pay")]
    [late] = said("langgraph", "resume").late_results
    assert (late.name, late.result) == ("pay", "paid 10")


def test_a_call_the_provider_made_is_seen_in_the_content():
    content = [
        {"type": "text", "text": "ok"},
        {"type": "server_tool_use", "name": "delete_order", "id": "1", "input": {"id": 3}},
        {"type": "web_search_tool_result", "tool_use_id": "1", "content": "gone"},
        {"type": "tool_use", "name": "pay", "id": "2", "input": {}},
    ]
    told = [{"name": "pay", "args": {}, "id": "2"}]
    message = SimpleNamespace(
        type="ai", text="ok", content=content, tool_calls=told, invalid_tool_calls=[], usage_metadata=None
    )
    seen = TurnRecord()
    read_messages([message], seen)
    calls = {call.name: call for call in seen.reply().calls}
    assert (len(seen.reply().calls), calls.keys()) == (2, {"pay", "delete_order"})
    assert (calls["delete_order"].args, calls["delete_order"].result) == ({"id": 3}, "gone")


@pytest.mark.parametrize(("args", "made_up"), [({"a": 1}, True), ({}, False), ({"a": 2}, False), ({"b": 1}, False)])
def test_only_a_call_whose_arguments_are_the_structured_output_is_left_out(args: dict[str, Any], made_up: bool):
    call = ToolCall(id="1", name="delete_order", args=args, result="Returning structured response: deleted")
    assert hands_over(call, {"a": 1}) is made_up


def graph_with(state: dict[str, Any]) -> SimpleNamespace:
    async def astream(*_: Any, **__: Any) -> Any:
        yield (), {"messages": [], **state}

    node = SimpleNamespace(bound=SimpleNamespace(tools_by_name={"delete_file": None, "get_weather": None}))
    return SimpleNamespace(nodes={"tools": node, "agent": SimpleNamespace(bound=None)}, astream=astream)


@pytest.mark.parametrize(
    ("state", "doubted"),
    [
        ({"ran": ["delete_file"]}, True),
        ({"log": {"last": "delete_file"}}, True),
        ({"ran": ["get_weather"]}, False),
        ({"selected_tools": ["delete_file"]}, False),
        ({"note": "I did not delete_file anything"}, False),
    ],
)
async def test_the_bare_name_of_a_tool_in_the_state_is_unread_unless_its_call_was_seen(state, doubted, monkeypatch):
    monkeypatch.setattr(langgraph, "import_module", lambda _: SimpleNamespace(convert_to_messages=list))
    opening = SimpleNamespace(context=SimpleNamespace(thread_id="t", session_id="s"), deps=None)
    seen = TurnRecord()
    seen.called("c1", "get_weather", {})
    await langgraph.LangGraphConversation(graph_with(state), opening).say("hi", (), seen)
    assert bool(seen.reply().unread) is doubted


async def test_calls_of_a_graph_inside_a_node_are_seen_though_only_its_outcome_is_told():
    graphs, messages = pytest.importorskip("langgraph.graph"), pytest.importorskip("langchain_core.messages")

    def graph_of(node: Any) -> Any:
        made = graphs.StateGraph(graphs.MessagesState)
        made.add_node("n", node)
        made.add_edge(graphs.START, "n")
        made.add_edge("n", graphs.END)
        return made.compile()

    def deletes(state: Any) -> Any:
        call = {"name": "delete_order", "args": {"id": "A"}, "id": "c1", "type": "tool_call"}
        told = messages.ToolMessage(content="deleted", tool_call_id="c1", name="delete_order")
        return {"messages": [messages.AIMessage(content="", tool_calls=[call]), told, messages.AIMessage("gone")]}

    inner = graph_of(deletes)

    def only_the_outcome(state: Any) -> Any:
        inner.invoke({"messages": state["messages"]})
        return {"messages": [messages.AIMessage("done")]}

    async def all_of_it(state: Any) -> Any:
        return {"messages": (await inner.ainvoke({"messages": state["messages"]}))["messages"]}

    opening = SimpleNamespace(context=SimpleNamespace(thread_id="t", session_id="s", state=None), deps=None)
    for node, text in ((only_the_outcome, "done"), (all_of_it, "gone"), (inner, "gone")):
        talk = Agent(graph_of(node)).open(opening)
        for _ in range(2):
            seen = TurnRecord()
            await talk.say("go", (), seen)
            reply = seen.reply()
            assert [(call.name, call.result) for call in reply.calls] == [("delete_order", "deleted")]
            assert (reply.text, reply.unread) == (text, ())
