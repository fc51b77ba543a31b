import time
from typing import Any

import pytest

from vivavoce.notation.hidden_calls import calls_in_text, looks_like_calls, marks_of_calls, mentions_calls, names_tools

MARKED = [
    "<tool_call>{}</tool_call>",
    '<invoke name="delete_order"></invoke>',
    '<minimax:tool_call><invoke name="x"></invoke></minimax:tool_call>',
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>delete_order",
    '<｜DSML｜invoke name="delete_order">',
    "<|python_tag|>delete_order.call()",
    "<|python_start|>[delete_order(o=1)]<|python_end|>",
    "<|channel|>commentary to=functions.delete_order <|message|>",
    "[TOOL_CALLS]delete_order",
    '[delete_order(order="A-1")]',
    "Thought: x\nAction: delete_order\nAction Input: A-1",
    "```tool_code\ndelete_order(o=1)\n```",
    "<tool_request>delete_order</tool_request>",
    '<tool name="delete_order">',
    '{"tool-calls": [{"name": "delete_order"',
    "ToolCall(name='delete_order', args={})",
    "[ToolUseBlock(id='1', name='delete_order')]",
    "tool: delete_order\nargs:\n  order: A-17\n",
    "I did:\n- name: delete_order\n  id: 1\n  arguments: {}\n",
    "tool_calls:\n- delete_order",
    "Invoking: `delete_order` with `{'order': 'A-17'}`\n\nok\nDone.",
    "# Agent: Desk\n## Using tool: delete_order\n## Final Answer: Done.",
    '⏺ delete_order(order: "A-17")\n  ⎿ ok\n⏺ Done.',
    "{content: 'Done.', tool_calls: [{name: 'delete_order'}]}",
    '[[tool_calls]]\nname = "delete_order"',
]
PRINTED = [
    "I did [{'name': 'delete_order', 'args': {'order': 'A-17'}}].",
    "{'tool': 'delete_order', 'input': {}}",
    "done: {'steps': [{'function': 'delete_order', 'arguments': {'a': \"it's\"}}]}",
]
PLAIN = [
    "Call me, or use the tool.",
    "if a < b: invoke it",
    "see [the docs](https://example.com/a_(b))",
    "[see it (here)]",
    "<b>bold</b> <call>",
    "The action: none.",
    '{"answer": 42}',
    "{'answer': 42, 'name': 'Bob'}",
    "Name: Bob\nInput: 5",
    "name: Bob\nage: 5\n",
    "Use(d) ToolCall",
    "● Refund (within 30 days)\n● Exchange",
    "No tool_calls: [] were made",
]


@pytest.mark.parametrize("text", MARKED)
def test_the_marks_in_which_models_write_calls_are_found(text: str):
    assert marks_of_calls(text)


@pytest.mark.parametrize("text", PRINTED)
def test_calls_as_python_prints_them_are_found(text: str):
    assert calls_in_text(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_have_no_marks(text: str):
    assert not calls_in_text(text)


def test_keys_with_tools_tell_of_them_and_numbers_do_not():
    assert names_tools({"x": [{"executed_tools": ["pay"]}]})
    assert names_tools({"server_tool_use": {"web_search_requests": 1}})
    assert names_tools({"trace": [{"type": "tool", "name": "pay"}]})
    assert names_tools({"log": [{"event": "tool_started", "of": "pay"}, {"role": "tool", "content": "paid"}]})
    assert not names_tools({"log": [{"type": "text", "name": "pay"}, {"kind": 3, "role": "assistant"}]})
    assert not names_tools({"tool_use_tokens": 4, "tool_calls": [], "tool_choice": "auto", "tool_call_id": "a"})


def test_keys_written_twice_among_many_take_linear_time():
    members = ",".join(f'"{n:x}":1' for n in range(15_000))
    began = time.thread_time()
    assert not calls_in_text(f'{{{members},"1":2}}')
    assert calls_in_text(f'{{{members},"1":[{{"name": "pay", "args": {{}}}}]}}')
    assert time.thread_time() - began < 3


@pytest.mark.parametrize("kind", ["function_call", "functionCall", "function_response", "tool_use"])
def test_a_field_that_says_what_stands_beside_it_tells_of_a_call(kind: str):
    assert names_tools({"x": {"adk_type": kind}})
    assert not names_tools({"x": {"adk_type": "thought", "note": kind}})


@pytest.mark.parametrize("key", ["executableCode", "executable_code"])
def test_code_that_a_model_had_run_may_be_a_call(key: str):
    """Gemini's own interpreter."""
    assert looks_like_calls({"parts": [{key: {"language": "PYTHON", "code": "delete_order()"}}]})


@pytest.mark.parametrize("rest", [{"input": {}}, {"state": "output-error", "rawInput": "{"}])
def test_a_part_of_the_ai_sdk_is_a_call_although_its_name_stands_in_the_type(rest: dict[str, Any]):
    part = {"type": "tool-refund", "toolCallId": "c1", **rest}
    assert looks_like_calls({"role": "assistant", "parts": [part, {"type": "text", "text": "Done."}]})
    assert not looks_like_calls(
        {"parts": [{"type": "tool-tip", "text": "Hover"}, {"toolCallId": "c1", "content": "ok"}]}
    )


@pytest.mark.parametrize("kind", ["mcp_tool_call", "mcpToolCall", "tool_call_item"])
def test_a_type_may_be_a_kind_of_call(kind: str):
    assert looks_like_calls({"item": {"type": kind, "tool": "delete_order"}})
    assert not looks_like_calls({"item": {"type": "message", "tool": "delete_order"}})


DEFINITION = {"name": "delete_order", "description": "Deletes.", "parameters": {"type": "object"}}


@pytest.mark.parametrize("told", [[DEFINITION], [{"type": "function", "function": DEFINITION}]])
def test_what_a_tool_is_tells_no_call_of_it(told: Any):
    assert not mentions_calls({"config": {"tools": told}})
    for key in ("tools_available", "blocked_tools", "toolPermissions", "tool_config"):
        assert not mentions_calls({key: ["delete_order"]})


@pytest.mark.parametrize(
    "told",
    [
        {**DEFINITION, "args": {}},
        {**DEFINITION, "parameters": {"order": 7}},
        {**DEFINITION, "tool_calls": ["delete_order"]},
        {"function": DEFINITION, "args": {}},
        {"tools": [DEFINITION, "delete_order"]},
    ],
)
def test_a_call_beside_what_the_tool_is_counts(told: Any):
    assert mentions_calls(told)
