"""A live agent over HTTP with the default batch of its exporter: tool rules are right or broken, never wrongly green.

The exporter sends at any moment up to five seconds after the answer. `delete` calls the forbidden tool.
"""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.live.environments import environment
from tests.live.viva_in import Ran, interpreter, viva_in

pytestmark = pytest.mark.timeout(600)

SERVER = Path(__file__).parent / "servers" / "instrumented_app.py"
FORBID = {"tools": {"forbid": ["delete_file"]}}
KEPT = {"tools": {"forbid": ["delete_file"], "require": [{"name": "get_weather", "args_match": {"city": "Paris"}}]}}


@pytest.fixture
def python() -> Path:
    return interpreter("otel", everything=os.environ.get("VIVA_LIVE") == "all")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def running(python: Path, port: int, *flags: str) -> Iterator[str]:
    """The address of the agent's server; nothing tells its exporter to hurry."""
    variables = {
        **{name: value for name, value in environment().items() if name != "OTEL_SDK_DISABLED"},
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
    }
    command = [str(python), str(SERVER), *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=variables)
    assert process.stdout is not None
    try:
        listening = process.stdout.readline().strip()
        assert listening, "the server did not start"
        yield f"http://127.0.0.1:{listening}/"
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def examined(python: Path, folder: Path, url: str, port: int, *flags: str, wait: str) -> Ran:
    http = {"url": url, "body": {"message": "{{ message }}", "session": "{{ session_id }}"}, "reply": "$.answer"}
    agents = {"app": {"http": http, "otel": {"listen": port, "wait": wait}}}
    (folder / "viva.yaml").write_text(json.dumps({"agents": agents}))
    cases: list[dict[str, Any]] = [
        {"id": "kept", "input": "The weather, please", "assertions": KEPT},
        {"id": "quiet", "input": "Hi", "assertions": FORBID},
        {"id": "broke", "input": "Please delete it", "assertions": FORBID},
        {"id": "turns", "turns": [{"user": "Please delete it"}, {"user": "Hi"}], "final_assertions": FORBID},
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    return viva_in(python, folder, "-i", "cases.jsonl", "-n", "app", "--no-history", *flags)


@pytest.mark.parametrize("parallel", ["1", "4"])
def test_a_patient_run_judges_rightly(python: Path, tmp_path: Path, parallel: str):
    port = free_port()
    with running(python, port) as url:
        ran = examined(python, tmp_path, url, port, "--parallel", parallel, wait="30s")
    assert ran.statuses() == {"kept": "passed", "quiet": "passed", "broke": "failed", "turns": "failed"}, ran.text
    assert [call["name"] for call in ran.calls("broke")] == ["delete_file"]


def test_an_impatient_run_is_never_wrongly_green(python: Path, tmp_path: Path):
    port = free_port()
    with running(python, port) as url:
        ran = examined(python, tmp_path, url, port, wait="100ms")
    assert ran.code == 1, ran.text
    assert ran.statuses()["broke"] in ("failed", "error"), ran.text
    assert ran.statuses()["turns"] in ("failed", "error"), ran.text


def test_an_agent_with_traces_of_its_own_is_never_wrongly_green(python: Path, tmp_path: Path):
    port = free_port()
    with running(python, port, "--own-traces") as url:
        one = examined(python, tmp_path, url, port, wait="30s")
        many = examined(python, tmp_path, url, port, "--parallel", "4", wait="12s")
    # One at a time, spans belong to the turn in whose time they began; several at once cannot be told apart.
    assert one.statuses() == {"kept": "passed", "quiet": "passed", "broke": "failed", "turns": "failed"}, one.text
    for case in ("broke", "turns"):
        assert many.statuses()[case] in ("failed", "error"), many.text
