"""Async agents that block the event loop: timeouts, Ctrl-C and SIGTERM work all the same, and nothing is lost."""

import signal
import subprocess
import time

import pytest
from tests.cli.conftest import VivaProject

BLOCKING = """
import asyncio, pathlib, time

async def reply(text: str):
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
    if text == "wait":
        await asyncio.sleep(1.8)
    if text == "long":
        await asyncio.sleep(600)
    return "fine"
"""


@pytest.fixture
def blocking(project: VivaProject) -> VivaProject:
    project.write("blocking.py", BLOCKING)
    project.write("viva.yaml", "agents:\n  b: {python: blocking.py:reply}\nagent: b\n")
    return project


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_a_case_that_blocks_the_event_loop_times_out_and_the_others_run(blocking: VivaProject, how: str):
    blocking.cases({"id": "a", "input": "hi"}, {"id": "b", "input": how}, {"id": "c", "input": "hi"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--timeout", "1s", timeout=20)
    assert (done.code, blocking.statuses()) == (1, {"a": "passed", "b": "timeout", "c": "passed"}), done.text
    (row,) = [row for row in blocking.rows() if row.get("id") == "b"]
    assert row["fault"] == "agent"
    assert "the agent blocked the event loop: use await, or a plain def" in row["error"]
    assert "blocking.py:" in row["error"]


def test_a_task_of_the_agent_that_blocks_is_the_agents_fault(blocking: VivaProject):
    blocking.cases({"id": "b", "input": "spin in a task"}, {"id": "c", "input": "hi"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--timeout", "1s", timeout=20)
    assert (done.code, blocking.statuses()["c"]) == (1, "passed"), done.text
    (row,) = [row for row in blocking.rows() if row.get("id") == "b"]
    assert (row["status"] in ("timeout", "error"), row["fault"]) == (True, "agent")


def test_who_only_waited_beside_a_blocked_loop_is_not_out_of_time(blocking: VivaProject):
    blocking.cases({"id": "waits", "input": "wait"}, {"id": "blocks", "input": "sleep"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--timeout", "2s", "-j", "2", timeout=20)
    assert blocking.statuses() == {"waits": "passed", "blocks": "timeout"}, done.text


def test_a_block_shorter_than_the_timeout_is_left_alone(blocking: VivaProject):
    blocking.cases(*({"id": str(n), "input": "short"} for n in range(6)))
    done = blocking.viva("test", "-i", "cases.jsonl", "--timeout", "1s", timeout=20)
    assert done.code == 0, done.text


def test_an_agent_that_cannot_be_interrupted_ends_the_run_and_a_resumed_one_goes_on(blocking: VivaProject):
    blocking.cases({"id": "a", "input": "hi"}, {"id": "b", "input": "stubborn"})
    done = blocking.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--timeout", "1s", timeout=30)
    assert done.code == 3, done.text
    assert "case 'b': the agent blocks the event loop at blocking.py:" in done.err
    assert "what finished is in out.jsonl; --resume goes on from there" in done.err
    assert blocking.statuses() == {"a": "passed"}
    blocking.write("blocking.py", "def reply(text: str): return 'fine'")
    again = blocking.viva("test", "-i", "cases.jsonl", "--resume", "out.jsonl", timeout=20)
    assert (again.code, blocking.statuses()) == (0, {"a": "passed", "b": "passed"}), again.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("how", ["sleep", "spin", "long"])
def test_one_signal_ends_a_run(blocking: VivaProject, number: signal.Signals, how: str):
    blocking.cases({"id": "a", "input": "hi"}, {"id": "b", "input": how}, {"id": "c", "input": how})
    process = blocking.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    try:
        _wait_for_file(blocking)
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
    finally:
        process.kill()
    assert "Traceback" not in err
    assert process.returncode == 130, out + err
    assert blocking.statuses() == {"a": "passed"}
    assert blocking.rows()[-1]["type"] == "summary"


def test_results_are_written_although_the_agent_never_lets_the_loop_run(blocking: VivaProject):
    blocking.cases(*({"id": str(n), "input": "short"} for n in range(100)))
    process = blocking.start("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    try:
        _wait_for_file(blocking)
        time.sleep(2)
        process.kill()
        process.communicate(timeout=10)
    finally:
        process.kill()
    assert len(blocking.statuses()) >= 3


def _wait_for_file(project: VivaProject) -> None:
    for _ in range(100):
        if (project.root / "out.jsonl").exists():
            return
        time.sleep(0.1)
    raise subprocess.TimeoutExpired("viva", 10)
