"""A disk that is full: what the console showed as passed is in the file, or viva says that it is not."""

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.cli.conftest import VIVA, VivaProject

NO_BYTECODE = "export PYTHONDONTWRITEBYTECODE=1;"
"""Python 3.11 cuts bytecode files where the disk is full, and cannot read them afterwards."""


@pytest.mark.parametrize(("said", "cases", "kibibytes"), [("a b", 40, 8), ("slow", 8, 2)])
def test_what_was_shown_is_kept_or_told(project: VivaProject, said: str, cases: int, kibibytes: int):
    project.cases(*({"id": f"c{n}", "input": said} for n in range(cases)))
    # A limit on the size of files stands for a full disk: no other place has room either.
    command = f"{NO_BYTECODE} ulimit -f {kibibytes}; exec {VIVA} test -i cases.jsonl -o out.jsonl --no-history"
    done = subprocess.run(
        ["bash", "-c", command], cwd=project.root, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 3
    shown = set(re.findall(r"^✓ \[(c\d+)\]", done.stdout, re.MULTILINE))
    rows = [json.loads(line) for line in (project.root / "out.jsonl").read_text().splitlines()]
    kept = {row["id"] for row in rows if row["type"] == "result"}
    told = set(re.findall(r"c\d+", done.stderr.partition("not kept: ")[2]))
    assert len(kept) < cases
    assert shown - kept == told, done.stderr
    assert "could not be written: File too large" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "freeze base.jsonl -o frozen.jsonl",
        "baseline set good base.jsonl",
        "test -i cases.jsonl --record tapes -o out.jsonl --no-history",
    ],
)
@pytest.mark.parametrize("blocks", [0, 1])
def test_no_file_that_people_keep_is_half_written(project: VivaProject, command: str, blocks: int):
    project.cases(*({"id": f"c{n}", "input": "a b", "expected": "x" * 200} for n in range(8)))
    assert project.viva("test", "-i", "cases.jsonl", "-o", "base.jsonl", "--no-history").code == 1
    done = subprocess.run(
        ["bash", "-c", f"{NO_BYTECODE} ulimit -f {blocks}; exec {VIVA} {command}"],
        cwd=project.root,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 3, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "File too large" in done.stderr
    assert "[Errno" not in done.stderr
    for file in (*project.root.glob("baselines/*"), *project.root.glob("tapes/*")):
        assert all(json.loads(line) for line in file.read_text().splitlines())
    if (frozen := project.root / "frozen.jsonl").exists():
        assert project.viva("list", "frozen.jsonl").code == 0
        assert frozen.stat().st_size


@pytest.mark.parametrize("kind", ["python", "agui"])
def test_a_recording_without_room_leaves_nothing_behind_and_the_last_one_as_it_was(project: VivaProject, kind: str):
    said = "word " * 4000
    project.write("agent.py", f"def reply(text):\n    return {said!r} if 'long' in text else 'short'\n")
    with serving(said) as url:
        agent = "{python: agent.py:reply}" if kind == "python" else f"{{agui: {url}}}"
        project.write("viva.yaml", f"agents:\n  a: {agent}\nagent: a\n")
        project.cases({"id": "c1", "input": "hi"})
        assert project.viva("record", "-i", "cases.jsonl", "-o", "rec", "--no-history").code == 0
        before = {path.name: path.read_bytes() for path in (project.root / "rec/c1").iterdir()}
        project.cases({"id": "c1", "input": "long"}, {"id": "c2", "input": "long"})
        command = f"{NO_BYTECODE} ulimit -f 8; exec {VIVA} record -i cases.jsonl -o rec --no-history"
        done = subprocess.run(
            ["bash", "-c", command], cwd=project.root, capture_output=True, text=True, timeout=200, check=False
        )
    assert done.returncode in (1, 3), done.stdout + done.stderr
    assert "the recording cannot be written: File too large" in done.stdout
    assert {path.name for path in (project.root / "rec").iterdir() if path.is_dir()} == {"c1"}
    assert {path.name: path.read_bytes() for path in (project.root / "rec/c1").iterdir()} == before


@contextmanager
def serving(said: str) -> Iterator[str]:
    """An AG-UI server that says this at length when it is asked for something long."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the base class calls it so

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["content-length"]))
            words = said if b"long" in asked else "short"
            ids = {key: json.loads(asked)[key] for key in ("threadId", "runId")}
            text = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": words}
            events = [{"type": "RUN_STARTED", **ids}, text, {"type": "RUN_FINISHED", **ids}]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write("".join(f"data: {json.dumps(event)}\n\n" for event in events).encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
