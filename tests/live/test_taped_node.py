"""A Node agent with npm's `openai` package: recorded against a fake provider, replayed when the provider is gone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fakes.model_provider import ModelProvider
from tests.live.viva_in import viva_in

pytestmark = pytest.mark.timeout(600)
AGENT = Path(__file__).parent / "taped" / "openai_agent.mjs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the agent and the package that it needs."""
    if os.environ.get("VIVA_LIVE") != "all":
        pytest.skip("TAPES OF A NODE AGENT NOT REPLAYED: `make live` does")
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("TAPES OF A NODE AGENT NOT REPLAYED: there is no node or no npm here")
    command = [npm, "install", "--no-audit", "--no-fund", "openai@6"]
    (tmp_path / "package.json").write_text("{}")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode:
        pytest.skip(f"TAPES OF A NODE AGENT NOT REPLAYED: npm cannot install openai: {done.stderr[-300:]}")
    shutil.copy(AGENT, tmp_path / AGENT.name)
    return tmp_path


def test_a_node_agent_replays_without_its_provider(folder: Path):
    def write(line: str) -> None:
        rules = [{"type": "contains", "value": "Refunded"}, {"type": "tool_called", "value": "refund"}]
        (folder / "cases.jsonl").write_text(json.dumps({"id": "a", "input": line, "assertions": rules}))

    def run(*flags: str, **variables: str):
        known = {"OPENAI_API_KEY": "sk-live-0123456789abcdef" if "--record" in flags else "", **variables}
        python = Path(sys.executable)
        return viva_in(python, folder, "-i", "cases.jsonl", "--no-history", *flags, variables=known)

    with ModelProvider() as provider:
        agent = {"cmd": ["node", AGENT.name], "model_proxy": {"openai": provider.url}}
        (folder / "viva.yaml").write_text(json.dumps({"agent": "shop", "agents": {"shop": agent}}))
        write("Please refund order A-17")
        recorded = run("--record", "tapes")
        assert recorded.code == 0, recorded.text
    replayed = run("--replay", "tapes", "--replay-only")
    assert replayed.code == 0, replayed.text
    assert "changed" not in replayed.text
    assert [call["name"] for call in replayed.calls("a")] == ["find_order", "refund"]
    drifted = run("--replay", "tapes", "--replay-only", SHOP_SYSTEM="You are a bank.")
    assert "the system prompt changed" in drifted.text
    write("Please refund order A-18")
    missed = run("--replay", "tapes", "--replay-only")
    assert missed.statuses() == {"a": "error"}
    assert "message 1 differs" in missed.text
