"""Scripts as agents."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from tests.fakes.user_agents import say, target_of

from vivavoce.containment.captured_output import OutputLog
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line
from vivavoce.protocols import Target

Script = Callable[[str], Target]


@pytest.fixture
async def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Script]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    built: list[Target] = []

    def build(code: str) -> Target:
        Path("scripts/tests").mkdir(parents=True, exist_ok=True)
        Path("scripts/tests/sim.py").write_text(code)
        built.append(target_of("script", tmp_path, script="tests.sim"))
        return built[-1]

    yield build
    for target in built:
        await target.close()


async def test_a_json_message_arrives_as_an_object(script: Script):
    target = script("def sim(request): return {'input': request['persona'] + '!'}")
    [reply] = await say(target, json.dumps({"persona": "ann"}))
    assert reply == AgentReply(text='{"input":"ann!"}', data={"input": "ann!"}, shows_calls=False)


@pytest.mark.parametrize("text", ["plain words", "{not json", "[1]"])
async def test_any_other_message_arrives_as_its_text(script: Script, text: str):
    [reply] = await say(script("def main(said): return said.upper()"), text)
    assert reply.text == text.upper()


async def test_the_context_has_messages_and_metadata(script: Script):
    target = script("def main(said, ctx): return {'data': [ctx['messages'], ctx['metadata'], ctx['options']]}")
    [reply] = await say(target, line=Line(content="hi", options=CallOptions(metadata={"test_mode": "simulator"})))
    metadata = {"test_mode": "simulator"}
    assert reply.data == [[{"role": "user", "content": "hi"}], metadata, {"metadata": metadata}]


async def test_what_it_prints_belongs_to_the_reply(script: Script):
    [reply] = await say(script("def main(said): print('thinking'); return 'ok'"), "hi")
    assert reply == AgentReply(text="ok", logs="thinking\n", shows_calls=False)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "def main(said): raise ValueError('boom')",
            "script 'scripts:tests.sim': ValueError: boom (scripts/tests/sim.py:1)",
        ),
        ("async def main(said): raise ValueError('boom')", "script 'scripts:tests.sim': ValueError: boom"),
        ("def main(said): assert said == 'x', 'not x'", "script 'scripts:tests.sim': not x"),
        ("import os\ndef main(said): os._exit(4)", "script 'scripts:tests.sim' ended its process (exit code 4)"),
        ("def main(said): return {'n': float('nan')}", "returned what is not JSON: $.n is NaN"),
    ],
)
async def test_a_script_that_breaks_is_the_agents_fault(script: Script, code: str, said: str):
    with pytest.raises(CallFailed) as caught:
        await say(script(code), "hi")
    assert said in str(caught.value)
    assert caught.value.fault == "agent"


async def test_what_it_printed_before_it_broke_goes_to_the_case(script: Script):
    with OutputLog() as log, pytest.raises(CallFailed):
        await say(script("def main(said): print('thinking'); raise ValueError('boom')"), "hi")
    assert log.text().startswith("thinking\n  scripts/tests/sim.py:1 in main\n")


async def test_a_script_that_never_answers_is_ended(script: Script):
    target = script("def main(said):\n  while True: pass")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await say(target, "hi")


def test_a_missing_script_is_told_at_once(tmp_path: Path):
    with pytest.raises(UsageError, match="script 'scripts:nothing' not found"):
        target_of("script", tmp_path, script="nothing")
