"""`Create` and `Next` of a package: what they are given, what they may return, and whose fault it is."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.surroundings import write_files

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message, ToolCall, Usage
from vivavoce.project.project import Project
from vivavoce.protocols import ModelReply
from vivavoce.targets.agent_package.hooks import Answered, Created, Hooks
from vivavoce.targets.agent_package.loader import AgentPackage
from vivavoce.targets.call_payload import Context

SAID = [Message(role="user", content="hi")]
CTX = Context(options={"mode": "fast"}, case_id="T1")


def hooks(root: Path, code: str | None) -> Hooks:
    if code is not None:
        write_files(root, {"src/index.py": code})
    return Hooks(AgentPackage(folder=root, shown="assistants/shop", name="shop"), Project(root=root))


async def test_a_package_without_hooks_changes_nothing(tmp_path: Path):
    made = hooks(tmp_path, None)
    assert await made.create(CTX, SAID) == Created()
    assert await made.next(CTX, SAID, ModelReply(text="x"), ()) == Answered()


@pytest.mark.parametrize("head", ["def Create(ctx, messages, options)", "async def Create(c, messages, options)"])
async def test_create_gets_the_conversation_and_may_change_the_call(tmp_path: Path, head: str):
    first = head.partition("(")[2].partition(",")[0]
    code = f"{head}:\n    assert {first}['case_id'] == 'T1'\n    return " + (
        '{"messages": [{"role": "user", "content": messages[0]["content"] + options["mode"]}], "temperature": 0,'
        ' "options": {"temperature": 1, "seed": 5}}'
    )
    created = await hooks(tmp_path, code).create(CTX, SAID)
    assert created.messages == [Message(role="user", content="hifast")]
    assert created.request_options == {"temperature": 0, "seed": 5}


async def test_next_gets_the_answer_and_the_calls(tmp_path: Path):
    code = "def Next(ctx, payload):\n    return {'data': payload, 'awaiting_input': True, 'input_hint': 'which?'}"
    calls = (ToolCall(id="1", name="refund", args={"n": 1}), ToolCall(id="2", name="look", result="seen"))
    reply = ModelReply(text="Done.", finish_reason="stop", usage=Usage(3, 2))
    answered = await hooks(tmp_path, code).next(CTX, SAID, reply, calls)
    payload: Any = answered.data
    assert payload["completion"]["content"] == "Done."
    assert payload["completion"]["data"] is None
    assert [(call["tool"], call["result"]) for call in payload["tools"]] == [("refund", None), ("look", "seen")]
    assert (answered.awaiting_input, answered.input_hint) == (True, "which?")


async def test_a_hook_that_returns_nothing_changes_nothing(tmp_path: Path):
    made = hooks(tmp_path, "def Create(ctx, m, o): ...\ndef Next(ctx, p): ...")
    assert await made.create(CTX, SAID) == Created()
    assert (await made.next(CTX, SAID, ModelReply(), ())).data is UNSET


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("raise KeyError('city')", "raised KeyError"),
        ("return 5", "must be an object or None, not int"),
        ("return {'message': []}", "message"),
        ("return {'options': {'x': object()}}", "cannot be used"),
        ("return {'temperature': 'hot'}", "temperature"),
    ],
)
async def test_a_hook_that_fails_is_the_agents_fault_and_named(tmp_path: Path, body: str, what: str):
    with pytest.raises(CallFailed, match=f"Create of assistants/shop/src/index.py .*{what}") as caught:
        await hooks(tmp_path, f"def Create(ctx, messages, options):\n    {body}").create(CTX, SAID)
    assert caught.value.fault == "agent"
