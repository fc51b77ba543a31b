from typing import Any

import pytest
from msgspec import structs
from tests.fakes.planting import outcome_of

from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.notation.suspected_calls import suspected_call

FENCED = '```json\n{"version": 1, "configurations": [{"name": "Python", "type": "python", "args": ["-v"]}]}\n```'
CONTAINERS = "Kubernetes:\n```yaml\ncontainers:\n  - name: web\n    image: nginx\n    args: ['--port', '80']\n```"


async def forbidden(value: Any) -> Outcome:
    """What `forbid: [delete_order]` says of it."""
    return await outcome_of(structs.replace(AgentReply(text="x"), unread=(suspected_call(value, "$"),)))


@pytest.mark.parametrize(
    "value",
    [
        {"action": "approve", "parameters": {"limit": 300}},
        {"debate": {"name": "Zoo", "arguments": ["pro", "contra"]}},
        {"trace": {"steps": ["plan", "answer"]}, "tools_used": ["search"]},
        {"messages": [{"tool_calls": [{"id": "1", "function": {"name": "search", "arguments": "{}"}}]}]},
        {"steps": [{"name": "cut", "input": "carrots"}], "tool": "knife"},
        f"VS Code's launch.json:\n{FENCED}",
        'Use curl -d \'{"name": "Bob", "input": "hello"}\'',
        "PythonOperator(op_kwargs={'name': 'a', 'params': 3})",
        CONTAINERS,
    ],
)
async def test_a_name_beside_arguments_is_no_call_of_a_tool_that_it_does_not_name(value: Any):
    assert await forbidden(value) is Outcome.PASSED
    assert suspected_call(value, "$").may("call")  # checks of all tools stay broken


@pytest.mark.parametrize(
    "value",
    [
        {"action": "delete_order", "parameters": {}},
        {"action": "deleteOrders", "parameters": {"order": 7}},
        {"action": "shop__delete_order", "parameters": {}},
        {"action": "ｄelete_order", "parameters": {}},
        {"action": "delete\u200b_order", "parameters": {}},
        {"action": "run", "input": {"tool": "delete_order"}},
        {"action": "run", "input": '{"tool": "delete\\u005forder"}'},
        {"name": "17", "args": {}},
        {"name": ["x"], "args": {}},
        {"name": "x", "args": "y " * 4_000},
        {"tool_calls": [7]},
        {"tool_calls": ["call it later"]},
        {"tools_used": [{"id": 3}]},
        {"type": "tool_call", "id": 7},
        {"function": {"id": 7}, "arguments": {}},
        {"answer": '{"tool_calls": [7]}'},
        f"{FENCED}\n<tool_call>7</tool_call>",
        CONTAINERS.replace("web", "delete_order"),
        CONTAINERS + "\ntool_calls: 7",
    ],
)
async def test_a_name_in_other_letters_or_a_form_that_may_hide_it_stays_doubtful(value: Any):
    assert await forbidden(value) is Outcome.BROKEN
