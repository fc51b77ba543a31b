"""Whoever breaks a case gets the blame, whatever the error is and says: generated errors at every place."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.fakes.surroundings import write_files

from vivavoce.app.examine import examine
from vivavoce.app.request import RunRequest
from vivavoce.errors import EXIT_FAILED
from vivavoce.model.verdict import Fault
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
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
