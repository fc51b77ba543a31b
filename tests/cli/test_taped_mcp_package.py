"""An agent package with an MCP server: its calls are recorded, and replayed when the server is gone."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

SERVER = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop")

@server.tool()
def refund(order: str) -> dict[str, str]:
    "Pays the money of an order back."
    with open("refunds.txt", "a") as file:
        file.write(order + " ")
    return {"status": "done"}

server.run("stdio")
"""
RULES = """
rules:
  - after_tool: shop__refund
    say: "The shop says {{ result }}"
  - when: "Refund (?P<order>[A-Z]-[0-9]+)"
    call: {name: shop__refund, args: {order: A-17}}
otherwise: Hello.
"""


def test_its_servers_answers_are_on_the_tape(tmp_path: Path):
    shop = VivaProject(tmp_path)
    package = {
        "name": "bot",
        "connector": "brain",
        "mcp": [{"id": "shop", "command": sys.executable, "args": ["s.py"]}],
    }
    shop.write("assistants/bot/package.yao", json.dumps(package))
    shop.write("assistants/bot/prompts.yml", "- {role: system, content: You sell things.}\n")
    shop.write("assistants/bot/s.py", SERVER)
    shop.write("connectors/brain.conn.yao", '{"type": "scripted", "options": {"rules": "brain.rules.yaml"}}')
    shop.write("connectors/brain.rules.yaml", RULES)
    says = {"type": "contains", "value": "done"}
    cases = [{"id": name, "input": f"Refund {name}", "assert": says} for name in ("A-17", "A-18")]
    shop.write("cases.jsonl", "".join(json.dumps(case) + "\n" for case in cases))
    refunds = tmp_path / "assistants" / "bot" / "refunds.txt"

    recorded = shop.viva("test", "-i", "cases.jsonl", "-n", "bot", "--record", "tapes")
    assert recorded.code == 0, recorded.text
    assert refunds.read_text() == "A-17 A-17 "
    (tmp_path / "assistants" / "bot" / "s.py").unlink()
    replayed = shop.viva("test", "-i", "cases.jsonl::A-18", "-n", "bot", "--replay", "tapes", "--replay-only")
    assert replayed.code == 0, replayed.text
    assert refunds.read_text() == "A-17 A-17 "

    tape = tmp_path / "tapes" / "cases.jsonl.tape.jsonl"
    lines = [line for line in tape.read_text().splitlines() if '"kind":"mcp"' not in line]
    tape.write_text("\n".join(lines) + "\n")
    missed = shop.viva("test", "-i", "cases.jsonl::A-18", "-n", "bot", "--replay", "tapes", "--replay-only")
    assert missed.code == 1
    assert "viva replay: no recording fits this request" in missed.out
