"""How a package declares its MCP servers. Their tools: test_mcp_tools.py."""

import json

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.project.project import Project
from vivavoce.targets.agent_package.mcp_servers import McpServer, declared_servers


def declared(value, root) -> list[McpServer]:
    return list(declared_servers(value, Project(root=root), root, Origin("package.yao")))


def test_servers_are_declared_inline_or_by_id(tmp_path):
    write_files(
        tmp_path,
        {
            "mcps/shop.mcp.yao": '{"transport": "http", "url": "http://x", "authorization_token": "t"}',
            "mcps/a.b/calc.mcp.json": json.dumps({"command": "calc", "arguments": ["-v"], "env": {"A": "1"}}),
        },
    )
    by_id = declared(["shop", {"server_id": "a_b.calc", "tools": ["add"]}], tmp_path)
    assert (by_id[0].url, by_id[0].headers) == ("http://x", {"Authorization": "Bearer t"})
    assert (by_id[1].command, by_id[1].args, by_id[1].env, by_id[1].tools) == ("calc", ["-v"], {"A": "1"}, ["add"])
    assert by_id[1].prefix == "a_b_calc__"
    inline = declared([{"command": "x", "args": ["1"]}, {"url": "http://y", "name": "why"}], tmp_path)
    assert [server.id for server in inline] == ["mcp1", "why"]
    assert [server.id for server in declared({"servers": ["shop"]}, tmp_path)] == ["shop"]
    assert [server.id for server in declared({"calc": {"command": "x"}}, tmp_path)] == ["calc"]
    assert declared(None, tmp_path) == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("shop", "mcp must be a list"),
        ([3], "an id or as an object"),
        (["shpo"], "unknown MCP server 'shpo' (did you mean 'shop'?)"),
        ([{"name": "x"}], "needs a `command`, a `url` or a `server_id`"),
        ([{"command": "x", "url": "http://y"}], "either a `command` or a `url`"),
        ([{"command": 3}], "command: wanted text"),
        (["proc"], "which only Yao itself can run (write its tools as functions in the package's src/tools.py)"),
    ],
)
def test_a_bad_declaration_says_what_is_wrong(tmp_path, value, words):
    write_files(
        tmp_path,
        {
            "mcps/shop.mcp.yao": '{"url": "http://x"}',
            "mcps/proc.mcp.yao": '{"transport": "process", "tools": {"a": "models.x"}}',
        },
    )
    with pytest.raises(UsageError) as caught:
        declared(value, tmp_path)
    assert words in str(caught.value)


def of_package(root, *servers: str) -> list[McpServer]:
    folder = root / "assistants" / "robot" / "host"
    return list(declared_servers(list(servers), Project(root=root), folder, Origin("package.yao")))


def test_a_packages_own_servers_come_before_the_projects(tmp_path):
    own = "assistants/robot/host/mcps"
    write_files(
        tmp_path,
        {
            f"{own}/tools.mcp.yao": '{"command": "own"}',
            f"{own}/deep/er.mcp.yao": '{"command": "deeper"}',
            "mcps/tools.mcp.yao": '{"command": "shared"}',
            "mcps/other.mcp.yao": '{"command": "other"}',
        },
    )
    servers = of_package(tmp_path, "agents.robot.host.tools", "tools", "agents.robot.host.deep.er", "other")
    assert [server.command for server in servers] == ["own", "own", "deeper", "other"]
    assert servers[0].prefix == "agents_robot_host_tools__"
    assert servers[0].cwd == str(tmp_path / "assistants/robot/host")


def test_an_unknown_server_of_a_package_is_told_with_the_nearest_name(tmp_path):
    write_files(tmp_path, {"assistants/robot/host/mcps/tools.mcp.yao": '{"command": "own"}'})
    with pytest.raises(UsageError, match=r"did you mean 'agents\.robot\.host\.tools'\?"):
        of_package(tmp_path, "agents.robot.host.tols")
