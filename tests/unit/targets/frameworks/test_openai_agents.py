"""OpenAI Agents SDK: what its recorded items mean."""

from types import SimpleNamespace

from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.model.message import Message
from vivavoce.targets.frameworks.openai_agents import _items_of, read_hooked, read_result
from vivavoce.targets.frameworks.turn_record import TurnRecord


def result(*items: SimpleNamespace, output: object = None) -> SimpleNamespace:
    usage = SimpleNamespace(input_tokens=1, output_tokens=2)
    wrapper = SimpleNamespace(usage=usage)
    return SimpleNamespace(new_items=items, final_output=output, interruptions=[], context_wrapper=wrapper)


def test_the_default_error_text_is_an_error():
    [call] = said("openai-agents", "atlantis").calls
    assert str(call.error).startswith("An error occurred while running the tool")


def test_an_approval_is_asked_for_and_its_result_comes_late():
    [asked] = said("openai-agents", "pay").interrupts
    assert (asked.reason, asked.tool_name, asked.tool_call_id) == ("approval", "pay", asked.id)
    [late] = said("openai-agents", "resume").late_results
    assert (late.name, late.result) == ("pay", "paid 10")


def test_calls_that_hooks_noted_are_kept():
    [call] = said("openai-agents", "explode").calls
    assert (call.name, call.args, call.result) == ("get_weather", {"city": "Paris"}, "21 degrees in Paris")
    seen = TurnRecord()
    read_hooked([], seen)
    assert seen.reply().calls == ()


def test_structured_output_is_data():
    assert said("openai-agents", "invoice").data == {"number": 7, "total": 12.5}


def test_hosted_tools_are_named_by_their_type_and_unknown_items_are_unread():
    search = SimpleNamespace(type="web_search_call", id="w1", action={"query": "x"})
    seen = TurnRecord()
    items = [
        SimpleNamespace(type="tool_call_item", raw_item=search),
        SimpleNamespace(type="brand_new_item", raw_item={"name": "pay"}),
        SimpleNamespace(type="reasoning_item", raw_item={}),
    ]
    read_result(result(*items, output="found"), seen)
    reply = seen.reply()
    assert [(call.name, call.args) for call in reply.calls] == [("web_search", {"query": "x"})]
    assert [piece.where for piece in reply.unread] == ["brand_new_item"]
    assert reply.text == "found"


def test_a_hand_off_is_a_call_and_a_step_of_the_trace():
    seen = TurnRecord()
    call = {"type": "function_call", "call_id": "h1", "name": "transfer_to_refunds", "arguments": "{}"}
    back = {"call_id": "h1", "output": "{}"}
    names = {"target_agent": SimpleNamespace(name="Refunds"), "source_agent": SimpleNamespace(name="Desk")}
    items = [
        SimpleNamespace(type="handoff_call_item", raw_item=call),
        SimpleNamespace(type="handoff_output_item", raw_item=back, **names),
    ]
    read_result(result(*items, output="ok"), seen)
    reply = seen.reply()
    assert [call.name for call in reply.calls] == ["transfer_to_refunds"]
    assert reply.trace == ({"type": "HANDOFF", "to": "Refunds", "from": "Desk"},)


def test_the_history_of_a_case_becomes_items():
    called = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": "{}"}}
    assert _items_of(Message(role="assistant", tool_calls=[called])) == [
        {"type": "function_call", "call_id": "c1", "name": "pay", "arguments": "{}"}
    ]
    assert _items_of(Message(role="tool", content="paid", tool_call_id="c1")) == [
        {"type": "function_call_output", "call_id": "c1", "output": "paid"}
    ]
    picture = [{"type": "image_url", "image_url": {"url": "https://x/y.png"}}]
    [said_before] = _items_of(Message(role="user", content=picture))
    assert said_before["content"] == [{"type": "input_image", "image_url": "https://x/y.png", "detail": "auto"}]
