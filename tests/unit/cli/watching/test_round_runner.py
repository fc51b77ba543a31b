"""Rounds run by the warm process: their end, Ctrl-C, and a process that is gone."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.fakes.commands import text_of
from tests.fakes.processes import gone, number_in

from vivavoce.cli.watching.round_runner import RoundRunner
from vivavoce.errors import VivaError

pytestmark = pytest.mark.process

AGENT = """
import os, time

def reply(text):
    open("pid", "w").write(str(os.getpid()))
    if text == "hang":
        time.sleep(600)
    return WORD
"""


def write(*said: str, word: str = "'hi'") -> None:
    Path("agent.py").write_text(f"WORD = {word}\n{AGENT}")
    cases = [{"id": f"T{n}", "input": text, "expected": "hi"} for n, text in enumerate(said)]
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


@pytest.fixture
async def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RoundRunner]:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("agents: {a: {python: agent.py:reply}}\nagent: a\n")
    flags = {"inputs": ["cases.jsonl"], "history": False, "outputs": ["out.jsonl"], "format": "agent"}
    async with RoundRunner(flags, "viva test --watch") as started:
        yield started


async def test_each_round_sees_the_code_as_it_reads_then(runner: RoundRunner):
    write("hi")
    assert (await runner.run()).exit_code == 0
    write("hi", word="'something else'")
    ended = await runner.run()
    assert (ended.exit_code, ended.outcome.failed) == (1, ("cases.jsonl::T0",))


async def test_stopped_it_ends_as_with_ctrl_c_and_keeps_its_results(runner: RoundRunner):
    write("hi", "hang")
    round_ = asyncio.create_task(runner.run())
    while "T0" not in text_of(Path("out.jsonl")):
        await asyncio.sleep(0.02)
    runner.stop()
    assert (await round_).exit_code == 130
    assert "cases.jsonl::T0" in (await round_).outcome.ran


async def test_killed_it_has_no_outcome_and_the_next_round_runs(runner: RoundRunner):
    write("hang")
    round_ = asyncio.create_task(runner.run())
    pid = await number_in(Path("pid"))
    runner.kill()
    ended = await round_
    assert (ended.exit_code != 0, ended.outcome.ran) == (True, ())
    assert await gone(pid)
    write("hi")
    assert (await runner.run()).exit_code == 0


async def test_a_warm_process_that_is_gone_is_told(runner: RoundRunner):
    os.kill(runner._process.pid, signal.SIGKILL)
    with pytest.raises(VivaError, match="the process that runs the tests has ended"):
        await runner.run()


async def test_at_its_end_nothing_it_started_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("agents: {a: {python: agent.py:reply}}\nagent: a\n")
    write("hang")
    async with RoundRunner({"inputs": ["cases.jsonl"], "history": False}, "viva test --watch") as runner:
        round_ = asyncio.create_task(runner.run())
        pid = await number_in(Path("pid"))
    assert await gone(pid)
    with pytest.raises(VivaError):
        await round_
