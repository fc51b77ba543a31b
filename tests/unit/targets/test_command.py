"""Programs as agents: real processes."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.processes import gone, number_in
from tests.fakes.user_agents import say, target_of

from vivavoce.containment.captured_output import OutputLog
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext, Partial, Target


def program(root: Path, code: str, **config: Any) -> Target:
    (root / "agent.py").write_text(f"import json, os, sys\nrequest = json.load(sys.stdin)\n{code}")
    return target_of("cmd", root, cmd=[sys.executable, "agent.py"], **config)


async def test_it_gets_messages_and_context_and_answers_json(tmp_path: Path):
    target = program(
        tmp_path,
        "c = request['context']\n"
        "json.dump({'content': request['messages'][-1]['content'].upper(),\n"
        "           'data': [len(request['messages']), c['session_id'], c['turn'], c['metadata'],\n"
        "                    c['identity']['user_id']]}, sys.stdout)",
    )
    line = Line(content="hü", options=CallOptions(metadata={"m": 1}))
    [reply] = await say(target, line=line, history=(Message(role="user", content="before"),))
    assert reply == AgentReply(text="HÜ", data=[2, "s1", 1, {"m": 1}, "test-user"])


async def test_plain_text_is_an_answer_and_stderr_is_kept(tmp_path: Path):
    [reply] = await say(program(tmp_path, "print('hello'); print('hm', file=sys.stderr)"), "hi")
    assert reply == AgentReply(text="hello", logs="hm\n", shows_calls=False)


async def test_what_was_printed_before_it_took_too_long_is_kept(tmp_path: Path):
    code = "print('looking', flush=True); print('hm', file=sys.stderr, flush=True); open('on', 'w'); sys.stdin.close()"
    target = program(tmp_path, f"{code}\nimport time; time.sleep(600)")
    session = await target.open(CallContext(session_id="s1"))
    with OutputLog() as log:
        running = asyncio.ensure_future(session.send(Line(content="hi"), Transcript()))
        while not (tmp_path / "on").exists():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert isinstance(session, Partial)
    assert (session.so_far().text, log.text()) == ("looking", "hm\n")


async def test_what_a_background_process_prints_later_is_unread(tmp_path: Path):
    [reply] = await say(target_of("cmd", tmp_path, cmd=["sh", "-c", "sleep 60 & echo $! > pid; echo hello"]), "hi")
    os.kill(await number_in(tmp_path / "pid"), signal.SIGKILL)
    assert (reply.text, [piece.may_hold for piece in reply.unread]) == ("hello", ["both"])
    silent = ["sh", "-c", "sleep 60 > /dev/null & echo $! > pid; echo hello"]
    [reply] = await say(target_of("cmd", tmp_path, cmd=silent), "hi")
    os.kill(await number_in(tmp_path / "pid"), signal.SIGKILL)
    assert reply.unread == ()


async def test_a_command_may_be_one_string(tmp_path: Path):
    [reply] = await say(target_of("cmd", tmp_path, cmd="sh -c 'echo \"a  b\"'"), "hi")
    assert reply.text == "a  b"


async def test_environment_and_folder_come_from_the_configuration(tmp_path: Path):
    (tmp_path / "below").mkdir()
    target = target_of(
        "cmd",
        tmp_path,
        cmd=["sh", "-c", "echo $GREETING $1 $PWD", "sh", "${WHO}"],
        cwd="below",
        env={"GREETING": "hi ${WHO}"},
    )
    [reply] = await say(target, "x", context=CallContext(session_id="s", variables={"WHO": "ann"}))
    assert reply.text == f"hi ann ann {tmp_path / 'below'}"


async def test_an_undefined_variable_is_a_mistake_in_the_configuration(tmp_path: Path):
    with pytest.raises(UsageError, match=r"agent 'it': undefined variable \$\{NOPE\}"):
        await say(target_of("cmd", tmp_path, cmd=["echo", "${NOPE}"]), "x")


async def test_a_program_that_fails_says_how(tmp_path: Path):
    with OutputLog() as log, pytest.raises(CallFailed) as caught:
        await say(program(tmp_path, "print('oh no', file=sys.stderr); sys.exit(3)"), "hi")
    assert str(caught.value) == f"{sys.executable} failed: exit code 3: oh no"
    assert caught.value.fault == "agent"
    assert log.text() == "oh no\n"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"cmd": ["no-such-program-here"]}, "no-such-program-here cannot be started: No such file or directory"),
        ({"cmd": ["echo"], "cwd": "nowhere"}, "echo cannot be started: No such file or directory ("),
    ],
)
async def test_a_program_that_cannot_start_is_the_targets_fault(tmp_path: Path, config: Any, said: str):
    with pytest.raises(CallFailed) as caught:
        await say(target_of("cmd", tmp_path, **config), "hi")
    assert str(caught.value).startswith(said)
    assert caught.value.fault == "target"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.stdout.buffer.write(b'\\xff')", "bytes that are not UTF-8"),
        ('print(\'{"content": "x", "awaiting_input": 1}\')', "$.awaiting_input is of type number"),
    ],
)
async def test_an_unreadable_answer_is_the_agents_fault(tmp_path: Path, code: str, said: str):
    with pytest.raises(CallFailed) as caught:
        await say(program(tmp_path, code), "hi")
    assert said in str(caught.value)
    assert caught.value.fault == "agent"


async def test_a_program_that_never_answers_is_killed_with_its_children(tmp_path: Path):
    target = target_of("cmd", tmp_path, cmd=["sh", "-c", "sleep 60 & echo $! > pid; wait"])
    running = asyncio.create_task(say(target, "hi"))
    grandchild = await number_in(tmp_path / "pid")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await gone(grandchild)


@pytest.mark.memory
async def test_fifty_megabytes_are_an_answer_like_any_other(tmp_path: Path):
    [reply] = await say(program(tmp_path, "sys.stdout.write('x' * 50_000_000)"), "hi")
    assert len(reply.text) == 50_000_000


@pytest.mark.parametrize("command", [[], "", "echo 'open", [""]])
def test_a_command_that_names_no_program_is_told_at_once(tmp_path: Path, command: Any):
    with pytest.raises(UsageError, match="agent 'it'"):
        target_of("cmd", tmp_path, cmd=command)


def test_the_card_shows_the_command(tmp_path: Path):
    assert target_of("cmd", tmp_path, cmd=["echo", "a b"]).card.where == "echo 'a b'"


@pytest.mark.parametrize(
    ("printed", "calls", "unread"),
    [
        ('{"content": "", "tool_calls": [{"name": "delete_order", "args": {}}]}', ["delete_order"], 0),
        ('{"content": "", "tool_calls": [{"name": "delete_order", "ar', [], 1),
        ("", [], 0),
    ],
)
async def test_a_failing_program_keeps_the_calls_it_told(tmp_path: Path, printed: str, calls: list[str], unread: int):
    session = await program(tmp_path, f"print({printed!r}); sys.exit(3)").open(CallContext(session_id="s1"))
    with pytest.raises(CallFailed, match="exit code 3"):
        await session.send(Line(content="hi"), Transcript())
    assert isinstance(session, Partial)
    assert [call.name for call in session.so_far().calls] == calls
    assert len(session.so_far().unread) == unread
