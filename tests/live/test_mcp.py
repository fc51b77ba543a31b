"""MCP servers under examination, with the official SDK in both of its generations, on either side."""

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.live.environments import environment
from tests.live.viva_in import Ran, interpreter, viva_in

pytestmark = pytest.mark.timeout(900)

EVERYTHING = os.environ.get("VIVA_LIVE") == "all"
VERSIONS = ("mcp-1", "mcp-2")
OWN_VIVA = {"PYTHONPATH": environment()["PYTHONPATH"]}
"""MCP clients hand on few variables."""
SHOP = Path(__file__).parent / "mcp" / "shop.py"
ORDER_7 = {"call": "find_order", "args": {"number": 7}}


def holds_at(path: str, value: str) -> list[dict[str, Any]]:
    return [{"type": "json_path", "path": path, "value": value}]


CASES: tuple[dict[str, Any], ...] = (
    {
        "id": "finds",
        "input": ORDER_7,
        "assert": [
            *holds_at("$.status", "shipped"),
            {"type": "require", "name": "find_order", "args_match": {"number": "7"}, "result_match": "shipped"},
            {"type": "forbid", "name": "end"},
        ],
    },
    {
        "id": "refuses",
        "input": {"call": "find_order", "args": {"number": 0}},
        "assert": {"type": "tool_result", "value": {"tool": "find_order"}, "negate": True},
    },
    {
        "id": "everything else",
        "turns": [
            {"input": {"list": "tools"}, "assertions": holds_at("$[0].name", "find_order")},
            {"input": {"read": "shop://hours"}, "assertions": holds_at("$.monday", "9-17")},
            {
                "input": {"prompt": "greet", "args": {"name": "Ann"}},
                "assertions": [{"type": "contains", "value": "Ann"}],
            },
        ],
    },
    {"id": "planted", "input": ORDER_7, "assert": {"type": "forbid", "name": "find_order"}},
)
EXPECTED = {"finds": "passed", "refuses": "passed", "everything else": "passed", "planted": "failed"}


@pytest.fixture(params=VERSIONS)
def client(request: pytest.FixtureRequest) -> Path:
    return interpreter(request.param, everything=EVERYTHING)


@pytest.fixture(params=VERSIONS)
def server(request: pytest.FixtureRequest) -> Path:
    return interpreter(request.param, everything=EVERYTHING)


def examined(client: Path, folder: Path, agent: dict[str, Any], *cases: dict[str, Any]) -> Ran:
    shutil.copy(SHOP, folder)
    (folder / "viva.yaml").write_text(json.dumps({"agents": {"shop": agent}}))
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))
    return viva_in(client, folder, "-i", "cases.jsonl", "-n", "shop")


def test_over_stdio(client: Path, server: Path, tmp_path: Path):
    ran = examined(client, tmp_path, {"mcp": {"cmd": [str(server), "shop.py"]}}, *CASES)
    assert ran.statuses() == EXPECTED, ran.text


def test_over_streamable_http(client: Path, server: Path, tmp_path: Path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    serve = {"cmd": [str(server), "shop.py", str(port)], "ready": port}
    ran = examined(client, tmp_path, {"mcp": {"url": f"http://127.0.0.1:{port}/mcp"}, "serve": serve}, *CASES)
    assert ran.statuses() == EXPECTED, ran.text


def test_through_viva_mcp_mock(client: Path, tmp_path: Path):
    """The mock answers what it is told to, everything else is the server's."""
    (tmp_path / "mocks.yaml").write_text('- {name: end, answer: "not today"}\n')
    cmd = [str(client), "-m", "vivavoce", "mcp-mock", "--mocks", "mocks.yaml", "--", str(client), "shop.py"]
    agent = {"mcp": {"cmd": cmd, "env": OWN_VIVA}}
    mocked = {"id": "mocked", "input": {"call": "end"}, "expected": "not today"}
    ran = examined(client, tmp_path, agent, *CASES, mocked)
    assert ran.statuses() == {**EXPECTED, "mocked": "passed"}, ran.text


def test_viva_mcp_itself_is_such_a_server(client: Path, tmp_path: Path):
    listed = {"id": "lists", "input": {"list": "tools"}, "assert": {"type": "contains", "value": "rejudge"}}
    agent = {"mcp": {"cmd": [str(client), "-m", "vivavoce", "mcp"], "env": OWN_VIVA}}
    ran = examined(client, tmp_path, agent, listed)
    assert ran.statuses() == {"lists": "passed"}, ran.text


def test_a_server_that_ends_in_a_call_is_an_error_of_the_target(client: Path, tmp_path: Path):
    ends, later = {"id": "ends", "input": {"call": "end"}}, {"id": "later", "input": {"list": "tools"}}
    ran = examined(client, tmp_path, {"mcp": {"cmd": [str(client), "shop.py"]}}, ends, later)
    assert ran.statuses() == {"ends": "error", "later": "error"}, ran.text
    assert {row["fault"] for row in ran.rows.values()} == {"target"}
    assert "Traceback" not in ran.text
