"""What `viva mcp-mock` refuses before it serves anything."""

import socket
from pathlib import Path

import pytest

from vivavoce.errors import UsageError, VivaError
from vivavoce.mcp_server.mock.serving import MockOptions, serve_mock

HERE = Path()


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (MockOptions(command=("server",), url="http://host"), "either a command or a --url"),
        (MockOptions(command=("server",), record=HERE, replay=HERE), "--record and --replay"),
        (MockOptions(mocks=HERE, record=HERE), "no server to record"),
        (MockOptions(), "nothing to answer from"),
    ],
)
async def test_options_that_do_not_go_together_are_refused(options: MockOptions, what: str):
    with pytest.raises(UsageError, match=what):
        await serve_mock(options)


async def test_a_port_that_is_taken_is_said(tmp_path: Path):
    mocks = tmp_path / "mocks.yaml"
    mocks.write_text("- {name: refund, answer: done}\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(VivaError, match=f"cannot listen on port {port}") as caught:
            await serve_mock(MockOptions(name="shop", mocks=mocks, port=port))
    assert "--http 0" in str(caught.value.hint)
