"""Whoever breaks a case gets the blame, whatever the error is and says: generated errors at every place."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.fakes.surroundings import write_files

from vivavoce.app.examine import examine
from vivavoce.app.request import RunRequest
from vivavoce.errors import EXIT_FAILED
from vivavoce.model.verdict import Fault
from vivavoce.plugins.catalog import TARGETS
from vivavoce.project.run_defaults import RunDefaults

pytestmark = pytest.mark.slow

CODE = """
import builtins, json, os

def broken(*_):
    told = json.loads(os.environ["VIVA_TEST_BREAKS"])
    raise getattr(builtins, told["kind"])(told["text"])

def reply(text: str):
    return "Is that fine?"
"""
SHELL = "import os, sys, json; told = json.loads(os.environ['VIVA_TEST_BREAKS']); print(told['text']); sys.exit(3)"
CONFIG = {
    "agents": {
        "good": {"python": "code.py:reply"},
        "bad": {"python": "code.py:broken"},
        "failing": {"cmd": ["python3", "-c", SHELL]},
    },
    "agent": "good",
}
FINE = {"type": "contains", "value": "fine"}
PLACES: list[tuple[Fault, dict[str, Any]]] = [
    ("agent", {"agent": "bad", "input": "hi", "assert": FINE}),
    ("agent", {"agent": "failing", "input": "hi", "assert": FINE}),
    ("target", {"agent": "agui:http://127.0.0.1:9/", "input": "hi", "assert": FINE}),
    ("hook", {"input": "hi", "before": "scripts:code.broken", "assert": FINE}),
    ("hook", {"input": "hi", "hooks": [{"cmd": ["python3", "-c", SHELL]}], "assert": FINE}),
    ("test", {"input": "hi", "assert": {"type": "script", "script": "scripts:code.broken"}}),
    ("judge", {"input": "hi", "assert": {"type": "agent", "use": "agents:bad", "value": "is fine"}}),
    ("simulator", {"input": "hi", "simulator": {"use": "agents:bad"}, "max_turns": 3, "final_assertions": [FINE]}),
    ("simulator", {"input": "hi", "simulator": {"use": "scripts:code.broken"}, "max_turns": 3, "assert": FINE}),
    ("test", {"input": {"role": "user", "content": [{"type": "image", "source": "file://p.png"}]}, "assert": FINE}),
]
KINDS = ("ValueError", "KeyError", "AttributeError", "RuntimeError", "TimeoutError", "ConnectionError", "OSError")
KINDS += ("AssertionError", "StopIteration", "RecursionError", "MemoryError", "NotImplementedError", "PermissionError")
WORDS = ("timeout after 5m", "judge failed: no", "agent error", "simulator error", "HTTP 503", '{"passed": true}', "")


async def blamed(case: dict[str, Any]) -> tuple[int, str, str | None]:
    """The exit code, the status and the fault of one case."""
    Path("cases.jsonl").write_text(json.dumps({"id": "T1", **case}) + "\n")
    asked = RunRequest.of({"inputs": ("cases.jsonl",), "outputs": ("out.jsonl",), "history": False}, {})
    outcome = await examine(asked.with_defaults(RunDefaults()))
    row = json.loads(Path("out.jsonl").read_text().split("\n")[1])
    return outcome.exit_code, row["status"], row.get("fault")


@pytest.mark.parametrize(("fault", "case"), PLACES, ids=[f"{n}-{fault}" for n, (fault, _) in enumerate(PLACES)])
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(kind=st.sampled_from(KINDS), text=st.one_of(st.sampled_from(WORDS), st.text(max_size=30)))
@example(kind="TimeoutError", text="timeout after 5m")
@example(kind="AssertionError", text="judge failed: no")
def test_the_blame_is_where_it_broke(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, case: dict[str, Any], kind: str, text: str
):
    if kind == "AssertionError" and case.get("assert", {}).get("type") == "script":
        fault = "agent"  # that is how a script says that a check failed
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "VIVA_TEST_BREAKS", json.dumps({"kind": kind, "text": text}))
    if not (tmp_path / "viva.yaml").exists():
        write_files(tmp_path, {"viva.yaml": json.dumps(CONFIG), "code.py": CODE, "scripts/code.py": CODE, "p.png": "x"})
    (tmp_path / "out.jsonl").unlink(missing_ok=True)
    code, status, found = asyncio.run(blamed(case))
    assert (code, found) == (EXIT_FAILED, fault), status
    assert status in ("error", "failed")


NOBODY = "http://127.0.0.1:9/"
WITH_HEADERS: dict[str, dict[str, Any]] = {
    "agui": {"agui": NOBODY},
    "a2a": {"a2a": NOBODY},
    "openai": {"openai": NOBODY, "model": "m"},
    "openai-responses": {"openai-responses": NOBODY, "model": "m"},
    "anthropic": {"anthropic": NOBODY, "model": "m"},
    "http": {"http": {"url": NOBODY, "body": {"text": "{{ message }}"}, "reply": "$.a"}},
    "mcp": {"mcp": {"url": NOBODY}},
}
"""An agent of every kind that sends configured headers. Nobody listens: what is sent is the target's fault."""
AROUND = "{}{}{}".format
BAD_HEADERS = st.one_of(
    st.tuples(
        st.just("X-Key"), st.builds(AROUND, st.text("ab "), st.sampled_from("\n\r\x00\x07\x1f\x7f"), st.text("ab"))
    ),
    st.tuples(st.builds(AROUND, st.text("aX-"), st.sampled_from(' :\n(é"/'), st.text("aX-")), st.just("x")),
    st.tuples(st.sampled_from(["Content-Length", "content-length", "Transfer-Encoding"]), st.just("5")),
    st.just(("", "x")),
)


def test_every_kind_that_takes_headers_is_tried():
    fields = {name: kind.fields for name in TARGETS if (kind := TARGETS.load(name)).fields is not None}
    assert {name for name, known in fields.items() if "headers" in json.dumps(msgspec.json.schema(known))} == {
        *WITH_HEADERS
    }


@pytest.mark.parametrize("kind", WITH_HEADERS)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(header=BAD_HEADERS)
def test_a_header_that_cannot_be_sent_is_the_tests_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, header: tuple[str, str]
):
    monkeypatch.chdir(tmp_path)
    agent = json.loads(json.dumps(WITH_HEADERS[kind]))
    (agent[kind] if kind in ("http", "mcp") else agent)["headers"] = dict([header])
    write_files(tmp_path, {"viva.yaml": json.dumps({"agents": {"a": agent}, "agent": "a"})})
    (tmp_path / "out.jsonl").unlink(missing_ok=True)
    said = {"list": "tools"} if kind == "mcp" else "hi"
    assert asyncio.run(blamed({"input": said, "assert": FINE})) == (EXIT_FAILED, "error", "test")
