"""A picture in a line reaches the model by the framework's own means, or is the test's fault before any call."""

import base64
import json
import os
import shutil
from pathlib import Path

import pytest
from tests.live.test_frameworks import SAMPLES
from tests.live.viva_in import Ran, interpreter, viva_in

pytestmark = pytest.mark.timeout(900)

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
_LINE = {
    "role": "user",
    "content": [{"type": "text", "text": "what is it?"}, {"type": "image", "source": "file://dot.png"}],
}
CASES = {
    "now": [_LINE],
    "before": [_LINE, {"role": "assistant", "content": "A dot."}, {"role": "user", "content": "sure?"}],
}
WATCHED = """
import pathlib
from SAMPLE import *
import SAMPLE as sample

def pictures(value):
    for message in value if isinstance(value, (list, tuple)) else ():
        yield str(message.to_dict()) if hasattr(message, "to_dict") else ""
        content = getattr(message, "content", None)
        yield from (part.to_base64() for part in content or () if hasattr(part, "to_base64"))

def watch(owner, name):
    original = getattr(owner, name)
    def watched(self, *args, **kwargs):
        told = [repr((args, kwargs)), *(text for value in (*args, *kwargs.values()) for text in pictures(value))]
        pathlib.Path("seen.txt").write_text("".join(told))
        return original(self, *args, **kwargs)
    setattr(owner, name, watched)
"""
MODELS = {
    "agent-framework": 'watch(sample.Fake, "whole")',
    "agno": 'watch(sample.Fake, "invoke")',
    "autogen": 'sample.Fake.model_info["vision"] = True; watch(sample.Fake, "create")',
    "google-adk": 'watch(sample.Fake, "generate_content_async")',
    "haystack": 'watch(sample.Fake, "run")',
    "langchain": 'watch(sample.Fake, "_generate"); agent = sample.Fake()',
    "langgraph": 'watch(sample.Fake, "_generate")',
    "llama-index": 'watch(sample.Fake, "_answer")',
    "openai-agents": 'watch(sample.Fake, "get_response")',
    "pydantic-ai": 'watch(sample.FunctionModel, "request")',
    "strands": 'watch(sample.Fake, "stream")',
}
"""Where the fake model of each sample is asked."""
WORDS_ONLY = {"crewai": "CrewAI", "dspy": "DSPy", "smolagents": "smolagents"}


def examine(kind: str, case: str, folder: Path, watched: str = "") -> Ran:
    python = interpreter(kind, everything=os.environ.get("VIVA_LIVE") == "all")
    sample = f"{kind.replace('-', '_')}_agent"
    for file in (f"{sample}.py", "brain.py"):
        shutil.copy(SAMPLES / file, folder / file)
    (folder / "pictured.py").write_text(WATCHED.replace("SAMPLE", sample) + watched)
    (folder / "dot.png").write_bytes(PNG)
    (folder / "cases.jsonl").write_text(json.dumps({"id": case, "messages": CASES[case]}))
    return viva_in(python, folder, "-i", "cases.jsonl", "-n", "python:pictured.py:agent")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", MODELS)
def test_the_model_is_sent_the_picture(kind: str, case: str, tmp_path: Path):
    ran = examine(kind, case, tmp_path, MODELS[kind])
    assert ran.code == 0, ran.text
    seen = (tmp_path / "seen.txt").read_text()
    assert "iVBORw0KGgo" in seen or "\\x89PNG" in seen, seen[:2000]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", WORDS_ONLY)
def test_where_it_cannot_be_sent_the_test_is_at_fault(kind: str, case: str, tmp_path: Path):
    ran = examine(kind, case, tmp_path)
    [row] = ran.rows.values()
    assert (row["status"], row["fault"]) == ("error", "test"), ran.text
    assert f"viva sends {WORDS_ONLY[kind]} agents texts only, and not [image_url]" in row["error"]


def test_a_chain_that_takes_a_text_is_never_sent_half_of_the_line(tmp_path: Path):
    ran = examine("langchain", "now", tmp_path)
    [row] = ran.rows.values()
    assert (row["status"], row["fault"]) == ("error", "test"), ran.text
    assert "the chain takes a text" in row["error"]
