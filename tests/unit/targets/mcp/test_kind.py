from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.protocols import TargetSpec
from vivavoce.targets.mcp.kind import MCP, check_server


def spec(**server: Any) -> TargetSpec:
    return TargetSpec(id="shop", kind="mcp", config={"mcp": server})


def test_a_reference_is_an_address_or_a_command():
    assert MCP.read_reference is not None
    assert MCP.read_reference("https://host/mcp") == {"mcp": {"url": "https://host/mcp"}}
    assert MCP.read_reference("python server.py --quiet") == {"mcp": {"cmd": "python server.py --quiet"}}


@pytest.mark.parametrize("value", [{}, {"cmd": "x", "url": "http://y"}, {"cmd": []}, None, "x"])
def test_a_server_has_either_a_command_or_an_address(value: Any):
    with pytest.raises(UsageError, match="either a `cmd` or a `url`"):
        check_server(value)
    check_server({"cmd": ["x"]})
    check_server({"url": "http://y"})


def test_an_address_that_can_never_work_is_refused():
    assert MCP.check_address is not None
    MCP.check_address(spec(url="${URL}"), {"mcp": {"url": "${URL}"}})
    with pytest.raises(UsageError, match="agent 'shop': not an address: 'host/mcp'"):
        MCP.check_address(spec(url="host/mcp"), {"mcp": {"url": "host/mcp"}})


def test_a_program_that_is_not_there_is_named(tmp_path: Path):
    assert MCP.check_needs is not None
    MCP.check_needs(spec(url="http://y"), Project(root=tmp_path))
    with pytest.raises(UsageError, match=r"agent 'shop': mcp\.cmd"):
        MCP.check_needs(spec(cmd=["no-such-program"]), Project(root=tmp_path))
