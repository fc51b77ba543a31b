"""Faults at models as the OpenAI and Anthropic SDKs for Python meet them, inside an agent that only prints text."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.model_provider import HELLO, ModelProvider
from tests.live.viva_in import Ran, interpreter, viva_in

AGENT = """
import json, os, sys
said = json.load(sys.stdin)["messages"][-1]["content"]
talk, stream = [{"role": "user", "content": said}], "STREAM" in said
def chat():
    from openai import OpenAI
    made = OpenAI(api_key="k", max_retries=2).chat.completions.create(model="m-1", messages=talk, stream=stream)
    if stream:
        return "".join(one.choices[0].delta.content or "" for one in made if one.choices)
    return made.choices[0].message.content or made.choices[0].message.refusal or made.choices[0].finish_reason
def responses():
    from openai import OpenAI
    made = OpenAI(api_key="k", max_retries=2).responses.create(model="m-1", input=said, stream=stream)
    if stream:
        return "".join(one.delta for one in made if one.type == "response.output_text.delta")
    parts = [part for item in made.output for part in item.content]
    return "".join(getattr(part, "text", None) or getattr(part, "refusal", "") for part in parts) or made.status
def anthropic():
    from anthropic import Anthropic
    client = Anthropic(api_key="k", max_retries=2)
    if stream:
        with client.messages.stream(model="m-1", max_tokens=50, messages=talk) as made:
            return made.get_final_text()
    made = client.messages.create(model="m-1", max_tokens=50, messages=talk)
    return "".join(part.text for part in made.content) or made.stop_reason
try:
    print(globals()[sys.argv[1]]())
except Exception as error:
    print(type(error).__name__, getattr(error, "status_code", ""), error)
"""
APIS = ("chat", "responses", "anthropic")
pytestmark = pytest.mark.timeout(600)
QUICK: dict[str, Any] = {"retry_after": "1ms"}


@pytest.fixture
def python() -> Path:
    return interpreter("model-sdks", everything=os.environ.get("VIVA_LIVE") == "all")


def examined(python: Path, folder: Path, cases: list[dict[str, Any]], *apis: str) -> Ran:
    (folder / "agent.py").write_text(AGENT)
    with ModelProvider() as provider:
        proxy = {"upstream": {"openai": provider.url, "anthropic": provider.url}}
        agents = {api: {"cmd": [str(python), "agent.py", api], "model_proxy": proxy} for api in apis}
        (folder / "viva.yaml").write_text(json.dumps({"agents": agents}))
        made = [{**case, "id": f"{case['id']}-{api}", "agent": api} for case in cases for api in apis]
        (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in made))
        return viva_in(python, folder, "-i", "cases.jsonl", "--no-history")


def said(what: str) -> list[dict[str, Any]]:
    return [{"type": "contains", "value": what}]


def struck(*kinds: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"at": "model", "kind": kind, "nth": nth, **fields} for nth, kind in enumerate(kinds, start=1)]


def test_sdks_ask_again_and_the_case_shows_it(python: Path, tmp_path: Path):
    cases = [
        {"id": "busy", "input": "Hi", "faults": struck("429", "503", **QUICK), "assertions": said(HELLO)},
        {"id": "overloaded", "input": "Hi", "faults": struck("529", "502", **QUICK), "assertions": said(HELLO)},
        {"id": "stream", "input": "STREAM", "faults": struck("429", **QUICK), "assertions": said(HELLO)},
        {"id": "thrice", "input": "Hi", "faults": struck("429", "500", "429", **QUICK), "assertions": said("429")},
        {"id": "cut", "input": "Hi", "faults": struck("cut"), "assertions": said(HELLO)},
    ]
    ran = examined(python, tmp_path, cases, *APIS)
    assert ran.code == 0, ran.text
    assert "fault model:503@2 struck at model call 2" in ran.text


@pytest.mark.parametrize("api", APIS)
def test_sdks_read_every_other_fault(python: Path, tmp_path: Path, api: str):
    kinds = {
        "refusal": "I can't help",
        "length": "Hello! How",
        "context_length": "400",
        "malformed": "Error",
        "empty": {"chat": "stop", "responses": "completed", "anthropic": "end_turn"},
    }
    cases = [{"id": kind, "input": "Hi", "faults": struck(kind)} for kind in kinds]
    cases.append({"id": "stall", "input": "STREAM", "faults": struck("stall", **{"for": "10ms"})})
    cases.append({"id": "slow", "input": "STREAM", "faults": struck("slow", **{"for": "10ms"})})
    cases.append({"id": "half", "input": "STREAM", "faults": struck("length")})
    cases.append({"id": "cut stream", "input": "STREAM", "faults": struck("cut")})
    ran = examined(python, tmp_path, cases, api)
    heard = {name: row["output"] for name, row in ran.rows.items()}
    for kind, words in kinds.items():
        wanted = words if isinstance(words, str) else words[api]
        assert wanted in heard[f"{kind}-{api}"], (kind, api, heard)
    assert heard[f"stall-{api}"] == heard[f"slow-{api}"] == HELLO
    assert heard[f"half-{api}"] == "Hello! How"
    assert HELLO not in heard[f"cut stream-{api}"]
    assert ran.code == 0, ran.text
