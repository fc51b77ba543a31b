"""Agents of real frameworks and SDKs: recorded against a fake provider, replayed when the provider is gone."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.model_provider import ModelProvider
from tests.live.viva_in import Ran, interpreter, viva_in

pytestmark = pytest.mark.timeout(900)

AGENTS = Path(__file__).parent / "taped"
EVERYTHING = os.environ.get("VIVA_LIVE") == "all"
LINES = ("Please refund order A-17", "Refund A-17, it is broken", "I want a refund of A-17", "refund A-17, please")
CALLS = ["find_order", "refund"]
IN_EVERY_RUN = ("openai_agents_responses",)
"""`make test` runs these only: each test starts a dozen processes. `make live` runs all."""


@dataclass(frozen=True)
class Sample:
    environment: str
    variables: dict[str, str]
    in_process: bool = True
    """Whether it can also run inside viva."""


STREAMED = {"SHOP_STREAM": "1"}
SAMPLES = {
    "pydantic_ai_agent": Sample("tapes-frameworks", {}),
    "openai_agents_chat": Sample("openai-agents", {}),
    "openai_agents_responses": Sample("openai-agents", {}),
    "langgraph_agent": Sample("tapes-frameworks", {}),
    "agent_framework_agent": Sample("tapes-frameworks", {}),
    "strands_agent": Sample("tapes-strands", {}),
    "crewai_agent": Sample("crewai", {"CREWAI_DISABLE_TELEMETRY": "true"}),
    "openai_sdk": Sample("openai-agents", {}),
    "openai_sdk_streamed": Sample("openai-agents", {}),
    "anthropic_sdk": Sample("model-sdks", {}),
    "anthropic_sdk streamed": Sample("model-sdks", STREAMED),
    "gemini_sdk": Sample("tapes-frameworks", {}),
    "gemini_sdk streamed": Sample("tapes-frameworks", STREAMED),
}


class TapedShop:
    """A project whose agent is one of the samples."""

    def __init__(self, name: str, folder: Path, *, in_process: bool) -> None:
        if not EVERYTHING and (in_process or name not in IN_EVERY_RUN):
            pytest.skip(f"TAPES OF {name} NOT REPLAYED: `make live` does")
        self.sample = SAMPLES[name]
        self.folder = folder
        self.python = interpreter(self.sample.environment, everything=EVERYTHING)
        self.provider = ModelProvider()
        file = f"{name.partition(' ')[0]}.py"
        for one in (file, "shop.py"):
            shutil.copy(AGENTS / one, folder / one)
        upstream = dict.fromkeys(("openai", "anthropic", "gemini"), self.provider.url)
        how: dict[str, Any] = {"python": f"{file}:answer"} if in_process else {"cmd": [str(self.python), file]}
        agent = {**how, "model_proxy": {"upstream": upstream}}
        (folder / "viva.yaml").write_text(json.dumps({"agent": "shop", "agents": {"shop": agent}}))
        self.write(LINES)

    def write(self, lines: tuple[str, ...]) -> None:
        rules = [{"type": "contains", "value": "Refunded"}, {"type": "tool_called", "value": "refund"}]
        cases = [{"id": f"case-{at}", "input": line, "assertions": rules} for at, line in enumerate(lines)]
        (self.folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))

    def run(self, *flags: str, **variables: str) -> Ran:
        keys = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "sk-live-0123456789abcdef")
        known = {**(keys if "--record" in flags else dict.fromkeys(keys, "")), **self.sample.variables, **variables}
        return viva_in(self.python, self.folder, "-i", "cases.jsonl", "--no-history", *flags, variables=known)


@pytest.fixture
def taped(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TapedShop]:
    name, in_process = request.param
    shop = TapedShop(name, tmp_path, in_process=in_process)
    with shop.provider:
        yield shop


def agents(*, in_process: bool) -> pytest.MarkDecorator:
    named = [(name, in_process) for name, sample in SAMPLES.items() if sample.in_process or not in_process]
    return pytest.mark.parametrize("taped", named, indirect=True, ids=[name for name, _ in named])


@agents(in_process=False)
def test_it_replays_without_its_provider(taped: TapedShop):
    recorded = taped.run("--record", "tapes", "-j", "4")
    assert recorded.code == 0, recorded.text
    asked = len(taped.provider.requests)
    assert asked == 3 * len(LINES)
    replayed = taped.run("--replay", "tapes", "--replay-only", "-j", "4", "--order", "random")
    assert replayed.code == 0, replayed.text
    assert "changed since the recording" not in replayed.text
    assert replayed.statuses() == recorded.statuses()
    assert [[call["name"] for call in replayed.calls(case)] for case in replayed.rows] == [CALLS] * len(LINES)
    assert len(taped.provider.requests) == asked

    drifted = taped.run("--replay", "tapes", "--replay-only", SHOP_SYSTEM="You are a bank.")
    assert drifted.code == 0, drifted.text
    assert "the system prompt changed" in drifted.text

    taped.write(("Please refund order A-18",))
    missed = taped.run("--replay", "tapes", "--replay-only")
    assert missed.statuses() == {"case-0": "error"}
    assert "message 1 differs" in missed.text
    assert len(taped.provider.requests) == asked


@agents(in_process=True)
def test_it_replays_inside_viva_too(taped: TapedShop):
    recorded = taped.run("--record", "tapes", "-j", "1")
    assert recorded.code == 0, recorded.text
    asked = len(taped.provider.requests)
    replayed = taped.run("--replay", "tapes", "--replay-only", "-j", "4")
    assert replayed.code == 0, replayed.text
    assert replayed.statuses() == recorded.statuses()
    assert len(taped.provider.requests) == asked == 3 * len(LINES)
