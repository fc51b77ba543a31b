"""Connections to MCP servers that never answer, or end."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from anyio import EndOfStream
from tests.fakes.processes import gone, number_in

from vivavoce.containment.left_running import left_running
from vivavoce.errors import CallFailed
from vivavoce.targets.mcp import link
from vivavoce.targets.mcp.link import McpAddress, McpLink

pytestmark = pytest.mark.process

MUTE = McpAddress(command=sys.executable, args=["-c", "import sys; sys.stdin.read()"])
FAR_TOO_LONG_S = 60


async def test_closing_does_not_wait_for_a_server_that_never_answered():
    server = McpLink("mute", lambda: MUTE)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await server.client()
    async with asyncio.timeout(FAR_TOO_LONG_S):
        await server.close()
        await server.close()


async def test_connecting_has_a_limit_that_the_message_names(monkeypatch):
    monkeypatch.setattr(link, "CONNECT_LIMIT_S", 0.05)
    server = McpLink("mute", lambda: MUTE)
    async with asyncio.timeout(FAR_TOO_LONG_S):
        with pytest.raises(CallFailed, match=r"did not start: no answer to `initialize` within 0.05 s"):
            await server.client()
        await server.close()


async def test_a_program_that_ends_at_once_did_not_start():
    server = McpLink("echo", lambda: McpAddress(command=sys.executable, args=["-c", "print('hello')"]))
    async with asyncio.timeout(FAR_TOO_LONG_S):
        with pytest.raises(CallFailed, match=r"MCP server 'echo' \(.*\) did not start: \w+"):
            await server.client()
        await server.close()


RUNAWAY = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    open("pid.new", "w").write(str(os.getpid()))
    os.rename("pid.new", "pid")
    time.sleep(600)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows a process's mark")
async def test_what_a_server_started_ends_with_it_though_it_left_its_group(tmp_path: Path):
    server = McpLink("mute", lambda: McpAddress(command=sys.executable, args=["-c", RUNAWAY], cwd=str(tmp_path)))
    asking = asyncio.create_task(server.client())
    daemon = await number_in(tmp_path / "pid")
    asking.cancel()
    await server.close()
    assert await gone(daemon)


HIDDEN = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    tell = "open('pid.new', 'w').write(str(os.getpid())); os.rename('pid.new', 'pid')"
    os.execve(sys.executable, [sys.executable, "-c", f"import os, time; {tell}; time.sleep(600)"], {})
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows a process's mark")
async def test_what_a_server_started_and_hides_is_named(tmp_path: Path):
    server = McpLink("mute", lambda: McpAddress(command=sys.executable, args=["-c", HIDDEN], cwd=str(tmp_path)))
    asking = asyncio.create_task(server.client())
    hidden = await number_in(tmp_path / "pid")
    asking.cancel()
    left_running()
    await server.close()
    os.kill(hidden, signal.SIGKILL)
    assert [one for one in left_running() if one.startswith(f"{hidden} (")] != []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("no such tool"), "no such tool"),
        (ValueError(), "ValueError"),
        (EndOfStream(), "the server has ended"),
    ],
)
def test_no_error_is_without_words(error: Exception, words: str):
    assert link.words_of_error(error) == words


async def test_what_the_sdk_logs_has_no_traceback(capfd: pytest.CaptureFixture[str]):
    junk = McpAddress(
        command=sys.executable, args=["-c", "import sys; print('Server started', flush=True); sys.stdin.read()"]
    )
    server = McpLink("talker", lambda: junk)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await server.client()
    await server.close()
    assert "Traceback" not in capfd.readouterr().err


async def test_only_the_last_words_of_a_flood_are_read():
    script = "import sys; sys.stderr.write('x' * 5_000_000 + 'out of order'); sys.exit(1)"
    server = McpLink("loud", lambda: McpAddress(command=sys.executable, args=["-c", script]))
    with pytest.raises(CallFailed, match=r"it said: x{400,500}out of order$"):
        await server.client()
    await server.close()
