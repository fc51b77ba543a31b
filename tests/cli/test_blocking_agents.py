"""Async agents that block the event loop: timeouts, Ctrl-C and SIGTERM work all the same, and nothing is lost."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.cli.conftest import VivaProject
from tests.fakes.commands import PYTEST, text_of

pytestmark = pytest.mark.kill

BLOCKING = """
import asyncio, pathlib, time

async def reply(text: str):
    if text in ("sleep", "spin", "long"):
        pathlib.Path("blocked").touch()
    if text == "sleep":
        time.sleep(600)
    if text == "spin":
        while True:
            pass
    if text == "spin in a task":
        await asyncio.gather(reply("spin"))
    if text == "stubborn":
        pathlib.Path("stuck").touch()
        while True:
            try:
                time.sleep(600)
            except BaseException:
                pass
    if text == "short":
        time.sleep(0.3)
    if text.startswith("wait for "):
        while not pathlib.Path(text.removeprefix("wait for ")).exists():
            await asyncio.sleep(0.01)
    if text == "long":
        await asyncio.sleep(600)
    return "fine"
"""
SOON = {"timeout": "1s"}
"""The limit of the case that blocks; all others have as long as they need."""


@pytest.fixture
def blocking(project: VivaProject) -> VivaProject:
    project.write("blocking.py", BLOCKING)
    project.write("viva.yaml", "agents:\n  b: {python: blocking.py:reply}\nagent: b\n")
    return project


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_a_case_that_blocks_the_event_loop_times_out_and_the_others_run(blocking: VivaProject, how: str):
    blocking.cases({"id": "a", "input": "hi"}, {"id": "b", "input": how, **SOON}, {"id": "c", "input": "hi"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert (done.code, blocking.statuses()) == (1, {"a": "passed", "b": "timeout", "c": "passed"}), done.text
    (row,) = [row for row in blocking.rows() if row.get("id") == "b"]
    assert row["fault"] == "agent"
    assert "the agent blocked the event loop: use await, or a plain def" in row["error"]
    assert "blocking.py:" in row["error"]


def test_a_task_of_the_agent_that_blocks_is_the_agents_fault(blocking: VivaProject):
    blocking.cases({"id": "b", "input": "spin in a task", **SOON}, {"id": "c", "input": "hi"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert (done.code, blocking.statuses()["c"]) == (1, "passed"), done.text
    (row,) = [row for row in blocking.rows() if row.get("id") == "b"]
    assert (row["status"] in ("timeout", "error"), row["fault"]) == (True, "agent")


def test_who_only_waited_beside_a_blocked_loop_is_not_out_of_time(blocking: VivaProject):
    blocking.cases({"id": "waits", "input": "wait for blocked"}, {"id": "blocks", "input": "sleep"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--timeout", "4s", "-j", "2")
    assert blocking.statuses() == {"waits": "passed", "blocks": "timeout"}, done.text


def test_an_async_script_that_blocks_is_ended_when_its_time_is_up(blocking: VivaProject):
    blocking.write("scripts/v.py", "import time\nasync def hang(output):\n    while True:\n        time.sleep(1)\n")
    blocking.cases({"id": "a", "input": "hi", "assert": {"type": "script", "use": "scripts:v.hang"}})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--judge-timeout", "1s")
    assert (done.code, blocking.statuses()) == (1, {"a": "error"}), done.text


def test_a_block_shorter_than_the_timeout_is_left_alone(blocking: VivaProject):
    blocking.cases(*({"id": str(n), "input": "short"} for n in range(6)))
    done = blocking.viva("test", "-i", "cases.jsonl", "--timeout", "1m")
    assert done.code == 0, done.text


def test_an_agent_that_cannot_be_interrupted_ends_the_run_and_a_resumed_one_goes_on(blocking: VivaProject):
    blocking.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "stubborn", **SOON})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 3, done.text
    assert "case 'b': the agent blocks the event loop at blocking.py:" in done.err
    assert "what finished is in out.jsonl; --resume goes on from there" in done.err
    assert blocking.statuses() == {"a": "passed"}
    blocking.write("blocking.py", "def reply(text: str): return 'fine'")
    again = blocking.viva("test", "-i", "cases.jsonl", "--resume", "out.jsonl")
    assert (again.code, blocking.statuses()) == (0, {"a": "passed", "b": "passed"}), again.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("how", ["sleep", "spin", "long"])
def test_one_signal_ends_a_run(blocking: VivaProject, number: signal.Signals, how: str):
    blocking.cases({"id": "a", "input": "hi"}, {"id": "b", "input": how}, {"id": "c", "input": how})
    process = blocking.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    try:
        _wait_until((blocking.root / "blocked").exists)
        process.send_signal(number)
        out, err = process.communicate(timeout=200)
    finally:
        process.kill()
    assert "Traceback" not in err
    assert process.returncode == 130, out + err
    assert blocking.statuses() == {"a": "passed", "b": "not_run", "c": "not_run"}
    assert blocking.rows()[-1]["type"] == "summary"


def test_results_are_written_although_the_agent_never_lets_the_loop_run(blocking: VivaProject):
    blocking.cases(*({"id": str(n), "input": "short"} for n in range(100)))
    process = blocking.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    try:
        _wait_until(lambda: _rows_on_disk(blocking) >= 3)
        process.kill()
        process.communicate(timeout=200)
    finally:
        process.kill()
    assert len(blocking.statuses()) >= 3


@pytest.mark.parametrize("where", ["the main thread", "a loop of the caller's", "two at once"])
def test_a_blocking_agent_times_out_in_a_run_from_python_too(blocking: VivaProject, where: str):
    call = {
        "the main thread": "[vivavoce.run(cases, **how)]",
        "a loop of the caller's": "[asyncio.run(vivavoce.arun(cases, **how))]",
        "two at once": "asyncio.run(both())",
    }[where]
    program = f"""
import asyncio, json, pathlib, signal, vivavoce, blocking
cases = [dict(id="a", input="hi"), dict(id="b", input="spin", timeout="1s"), dict(id="c", input="hi")]
how = dict(agent=blocking.reply)
async def early():
    report = await vivavoce.arun([cases[0], dict(cases[1], input="long"), cases[2]], **how)
    pathlib.Path("over").touch()
    return report
async def both():
    # The first is over before the second one's agent blocks.
    late = [dict(cases[0], input="wait for over"), *cases[1:]]
    return await asyncio.gather(early(), vivavoce.arun(late, **how))
reports = {call}
assert signal.getsignal(signal.SIGURG) is signal.SIG_DFL
print(json.dumps([[result.status for result in report.results] for report in reports]))
"""
    assert {tuple(statuses) for statuses in _python(blocking, program)} == {("passed", "timeout", "passed")}


def test_a_blocking_agent_does_not_hang_a_test_in_pytest(blocking: VivaProject):
    blocking.write("viva.yaml", "agents:\n  b: {python: blocking.py:reply}\nagent: b\nrun: {timeout: 1s}\n")
    blocking.write("test_it.py", "def test_it(viva):\n    viva.sync.say('sleep')\n")
    blocking.write("suite.viva.yaml", "input: spin\n---\ninput: hi\ntimeout: 1m\n")
    command = [*PYTEST, "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=blocking.root, capture_output=True, text=True, timeout=200, check=False)
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    blocked = "LoopBlocked: the agent blocked the event loop: use await, or a plain def (blocking.py:"
    assert f"CallFailed: no answer within 1s: {blocked}" in done.stdout
    assert f"timeout after 1s: {blocked}" in done.stdout


def _python(project: VivaProject, program: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.root,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _rows_on_disk(project: VivaProject) -> int:
    return text_of(project.root / "out.jsonl").count('{"type":"result"')


def _wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise TimeoutError("it never happened")
