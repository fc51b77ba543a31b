"""A conversation in a process of its own: led, ended, and gone with everything it started."""

import os
from pathlib import Path

import msgspec
import pytest

from vivavoce.app.opening import open_project
from vivavoce.app.talking.frames import Answered, Answering, Closed, FromAgent, Opened, Say, Unanswered
from vivavoce.app.talking.talk_link import TalkLink
from vivavoce.model.transcript import Turn

AGENT = """
import os, subprocess, sys, time

def agent(messages):
    said = messages[-1]["content"]
    print("heard", said, flush=True)
    if said == "raise":
        raise ValueError("no stock left")
    if said == "die":
        os._exit(3)
    if said == "start":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        return str(child.pid)
    if said == "hang":
        time.sleep(3600)
    return said.upper()

async def blocking(messages):
    time.sleep(3600)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "agents.py").write_text(AGENT)
    agents = '  agent: {python: "agents:agent"}\n  blocking: {python: "agents:blocking"}\n'
    (tmp_path / "viva.yaml").write_text(f"agents:\n{agents}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def opened(root: Path, agent: str = "agent") -> TalkLink:
    link = await TalkLink.start(open_project(str(root / "viva.yaml")), agent)
    assert isinstance(await link.next(), Opened)
    return link


async def answer(link: TalkLink, said: str) -> FromAgent | None:
    link.say(Say(said))
    assert isinstance(await link.next(), Answering)
    return await link.next()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return state != "Z"


async def test_lines_are_answered_until_the_end(root: Path):
    link = await opened(root)
    told = await answer(link, "a")
    assert isinstance(told, Answered)
    assert msgspec.json.decode(told.turn, type=Turn).reply.text == "A"
    failed = await answer(link, "raise")
    assert isinstance(failed, Unanswered)
    assert "no stock left" in failed.why
    link.end()
    assert await link.next() == Closed()
    assert await link.close() == "exit code 0"


async def test_a_process_that_dies_is_the_end_and_its_last_words_are_kept(root: Path):
    link = await opened(root)
    link.say(Say("die"))
    assert isinstance(await link.next(), Answering)
    assert await link.next() is None
    assert await link.close() == "exit code 3"


async def test_the_end_comes_also_in_the_middle_of_an_answer(root: Path):
    link = await opened(root)
    link.say(Say("hang"))
    assert isinstance(await link.next(), Answering)
    link.end()
    assert await link.next() == Closed()
    assert await link.close() == "exit code 0"


async def test_what_the_agent_started_ends_with_the_conversation(root: Path):
    link = await opened(root)
    told = await answer(link, "start")
    assert isinstance(told, Answered)
    pid = int(msgspec.json.decode(told.turn, type=Turn).reply.text)
    assert is_running(pid)
    await link.close()
    assert not is_running(pid)


async def test_an_agent_that_blocks_everything_is_killed(root: Path):
    link = await opened(root, "blocking")
    link.say(Say("a"))
    assert isinstance(await link.next(), Answering)
    link.end()
    assert await link.close(grace_s=0.1) == "killed by SIGKILL"


async def test_an_agent_that_cannot_be_had_says_why(root: Path):
    link = await TalkLink.start(open_project(str(root / "viva.yaml")), "nobody")
    told = await link.next()
    assert isinstance(told, Closed)
    assert "unknown agent 'nobody'" in told.problem
    await link.close()
