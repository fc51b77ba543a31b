"""MCP servers over stdio that send messages without end."""

import asyncio
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.mcp import bounded_stdio
from vivavoce.targets.mcp.link import McpAddress, McpLink

pytest.importorskip("mcp")

SERVER = """
import sys
what = sys.argv[1]
if what == "endless":
    while True:
        sys.stdout.write("x" * 65536)
sys.stdin.readline()
sys.stdout.reconfigure(encoding="utf-8")
one = '"\u2028",' if what == "lines" else "1,"
print('{"jsonrpc":"2.0","id":0,"result":{"a":[' + one * 600_000 + "1]}}", flush=True)
sys.stdin.read()
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("endless", "a message of more than 1 MB"),
        ("values", "a message of more than 250,000 values"),
        ("lines", "a message of more than 250,000 values"),
    ],
)
async def test_a_server_that_sends_too_much_is_ended_and_the_limit_named(
    what: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bounded_stdio, "LARGEST_ANSWER", 1 << 20 if what == "endless" else 9 << 20)
    (tmp_path / "server.py").write_text(SERVER)
    server = McpLink("much", lambda: McpAddress(command=sys.executable, args=[str(tmp_path / "server.py"), what]))
    async with asyncio.timeout(100):
        with pytest.raises(CallFailed, match=f"it was ended because it sent {told}") as caught:
            await server.client()
        await server.close()
    assert caught.value.fault == "target"


def test_an_sdk_that_reads_otherwise_is_told_of_once(capsys: pytest.CaptureFixture[str]):
    unknown = ModuleType("mcp.client.stdio")
    for _ in range(2):
        bounded_stdio.bound_messages(unknown)
    told = "viva: warning: messages of MCP servers over stdio are not limited to 64 MB: viva does not know how"
    assert capsys.readouterr().err == f"{told} this version of the MCP SDK reads them\n"


def test_the_installed_sdk_reads_within_the_limits():
    stdio = import_module("mcp.client.stdio")
    bounded_stdio.bound_messages(stdio)
    assert stdio.TextReceiveStream.is_bounded
