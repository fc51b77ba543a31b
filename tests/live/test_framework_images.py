"""A picture in a line reaches the model by the framework's own means, or is the test's fault before any call."""

import base64
import json
import os
import shutil
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tests.live.test_frameworks import SAMPLES
from tests.live.viva_in import Ran, interpreter, viva_in

pytestmark = pytest.mark.timeout(900)

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
Message: TypeAlias = dict[str, Any]
_LINE: Message = {
    "role": "user",
    "content": [{"type": "text", "text": "what is it?"}, {"type": "image", "source": "file://dot.png"}],
}
CASES: dict[str, list[Message]] = {
    "now": [_LINE],
    "before": [_LINE, {"role": "assistant", "content": "A dot."}, {"role": "user", "content": "sure?"}],
}
WATCHED = """
import io, pathlib
from SAMPLE import *
import SAMPLE as sample

def pictures(value):
    for message in value if isinstance(value, (list, tuple)) else ():
        yield str(message.to_dict()) if hasattr(message, "role") and hasattr(message, "to_dict") else ""
        content = getattr(message, "content", None)
        yield from (part.to_base64() for part in content or () if hasattr(part, "to_base64"))
        yield from (encoded(part) for part in content or () if isinstance(part, dict) and "image" in part)

def encoded(part):
    file = io.BytesIO()
    part["image"].save(file, "PNG")
    return str(file.getvalue())

def words_of(message):
    if isinstance(message.content, str):
        return message.content
    return "".join(part.get("text", "") for part in message.content)

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
    "smolagents": 'sample.words = words_of; watch(sample.Fake, "generate")',
    "strands": 'watch(sample.Fake, "stream")',
}
"""Where the fake model of each sample is asked."""
WORDS_ONLY = {"crewai": "CrewAI", "dspy": "DSPy"}


def examine(kind: str, messages: list[Message], folder: Path, watched: str = "", picture: bytes = PNG) -> Ran:
    python = interpreter(kind, everything=os.environ.get("VIVA_LIVE") == "all")
    sample = f"{kind.replace('-', '_')}_agent"
    for file in (f"{sample}.py", "brain.py"):
        shutil.copy(SAMPLES / file, folder / file)
    (folder / "pictured.py").write_text(WATCHED.replace("SAMPLE", sample) + watched)
    for file in ("dot.png", "note.pdf"):
        (folder / file).write_bytes(picture)
    (folder / "cases.jsonl").write_text(json.dumps({"id": "one", "messages": messages}))
    return viva_in(python, folder, "-i", "cases.jsonl", "-n", "python:pictured.py:agent")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", MODELS)
def test_the_model_is_sent_the_picture(kind: str, case: str, tmp_path: Path):
    ran = examine(kind, CASES[case], tmp_path, MODELS[kind])
    assert ran.code == 0, ran.text
    seen = (tmp_path / "seen.txt").read_text()
    assert "iVBORw0KGgo" in seen or "\\x89PNG" in seen, seen[:2000]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", WORDS_ONLY)
def test_where_it_cannot_be_sent_the_test_is_at_fault(kind: str, case: str, tmp_path: Path):
    ran = examine(kind, CASES[case], tmp_path)
    [row] = ran.rows.values()
    assert (row["status"], row["fault"]) == ("error", "test"), ran.text
    assert f"viva sends {WORDS_ONLY[kind]} agents texts only, and not [image_url]" in row["error"]


def test_a_chain_that_takes_a_text_is_never_sent_half_of_the_line(tmp_path: Path):
    ran = examine("langchain", CASES["now"], tmp_path)
    [row] = ran.rows.values()
    assert (row["status"], row["fault"]) == ("error", "test"), ran.text
    assert "the chain takes a text" in row["error"]


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("dot.png", b"no picture", "a picture that PIL cannot read (cannot identify"),
        ("dot.png", PNG[:-30], "a picture that PIL cannot read ("),
        ("note.pdf", b"%PDF", "cannot be sent application/pdf"),
    ],
)
def test_what_smolagents_cannot_take_is_the_test_s_fault(file: str, content: bytes, why: str, tmp_path: Path):
    part = {"type": "image" if file == "dot.png" else "file", "source": f"file://{file}"}
    ran = examine("smolagents", [{"role": "user", "content": [part]}], tmp_path, picture=content)
    [row] = ran.rows.values()
    assert (row["status"], row["fault"]) == ("error", "test"), ran.text
    assert why in row["error"]
