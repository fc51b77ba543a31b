"""Agents with a server of their own (`serve:`) under pytest."""

import json
import socket
import sys
import time
from pathlib import Path

import pytest
from tests.unit.pytest_plugin.suite import Suite

pytestmark = pytest.mark.process

SERVER = """
import http.server, os, sys, threading

workers = threading.Barrier(int(sys.argv[2]))
everybody_came = threading.Event()

with open("starts", "a") as starts:
    print(os.getpid(), file=starts)

class Echo(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        said = self.rfile.read(int(self.headers["Content-Length"]))
        if not everybody_came.is_set():
            workers.wait(60)
            everybody_came.set()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *words):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Echo).serve_forever()
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_the_user_s_server_is_started_once_for_all_items(suite: Suite, workers: int):
    """The server answers nobody before every worker has asked, so that no worker ends before the others begin."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    http = {"url": f"http://127.0.0.1:{port}/", "body": "{{ message }}"}
    serve = {"cmd": [sys.executable, "server.py", str(port), str(workers)], "ready": port}
    suite.write("server.py", SERVER)
    suite.write("viva.yaml", json.dumps({"agent": "shop", "agents": {"shop": {"http": http, "serve": serve}}}))
    for number in range(4):
        suite.write(
            f"tests/{number}.jsonl", json.dumps({"id": "a", "input": f"line {number}", "expected": f"line {number}"})
        )
    spread = ("-n", str(workers)) if workers > 1 else ()
    done = suite.pytest("-q", *spread, *(f"tests/{number}.jsonl" for number in range(4)))
    assert done.last.startswith("4 passed"), done.out
    [started] = (suite.root / "starts").read_text().split()
    deadline = time.monotonic() + 60
    while is_alive(int(started)):
        assert time.monotonic() < deadline, "the server outlives the tests"
        time.sleep(0.05)


AFTER_THE_OTHER = """
import os, pathlib, time

ended = pathlib.Path(__file__).with_name("ended")
is_second = os.environ.get("PYTEST_XDIST_WORKER") == "gw1"

def pytest_runtest_setup(item):
    deadline = time.monotonic() + 60
    while is_second and not ended.exists() and time.monotonic() < deadline:
        time.sleep(0.02)

def pytest_unconfigure(config):
    if hasattr(config, "workerinput") and not is_second:
        ended.touch()
"""


def test_a_worker_that_begins_when_the_other_has_ended_uses_the_same_server(suite: Suite):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    http = {"url": f"http://127.0.0.1:{port}/", "body": "{{ message }}"}
    serve = {"cmd": [sys.executable, "server.py", str(port), "1"], "ready": port}
    suite.write("server.py", SERVER)
    suite.write("conftest.py", AFTER_THE_OTHER)
    suite.write("viva.yaml", json.dumps({"agent": "shop", "agents": {"shop": {"http": http, "serve": serve}}}))
    for number in range(4):
        suite.write(f"tests/{number}.jsonl", json.dumps({"id": "a", "input": "hello", "expected": "hello"}))
    done = suite.pytest("-q", "-n", "2", *(f"tests/{number}.jsonl" for number in range(4)))
    assert done.last.startswith("4 passed"), done.out
    assert (suite.root / "ended").exists()
    [started] = (suite.root / "starts").read_text().split()
    assert not is_alive(int(started))


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
