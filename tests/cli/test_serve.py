"""`serve:` starts the user's server before the run and ends it after, whatever happens in between."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import VivaProject
from tests.fakes.commands import PYTEST
from tests.fakes.served_agent import HERE

pytestmark = pytest.mark.process


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Served(VivaProject):
    """A project whose agent is served by a program."""

    def __init__(self, root: Path, **serve: Any) -> None:
        super().__init__(root)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        http = {"url": self.url, "body": {"text": "{{ message }}"}, "reply": "$.answer"}
        ready = serve.pop("ready", self.port)
        ready = ready.replace("PORT", str(self.port)) if isinstance(ready, str) else ready
        told = {"cmd": [sys.executable, HERE, str(self.port)], "ready": ready, **serve}
        self.write("viva.yaml", json.dumps({"agent": "shop", "agents": {"shop": {"http": http, "serve": told}}}))

    def started(self) -> list[list[int]]:
        """The server and its child, for each start."""
        file = self.root / "starts"
        return [[int(pid) for pid in line.split()] for line in file.read_text().splitlines()] if file.exists() else []


def until(holds: Callable[[], bool]) -> bool:
    """Whether it holds within a time that no machine needs."""
    deadline = time.monotonic() + 60
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def said(text: str) -> dict[str, Any]:
    return {"id": text.replace(" ", "-"), "input": text, "assert": {"type": "contains", "value": text}}


@pytest.mark.parametrize("ready", [None, "http://127.0.0.1:PORT/", "listening on \\d+"])
def test_it_is_started_once_and_ended_with_all_its_children(tmp_path, ready):
    project = Served(tmp_path, **({} if ready is None else {"ready": ready}))
    project.cases(said("one"), said("two"), said("three"))
    done = project.viva("test", "-i", "cases.jsonl", "--parallel", "3")
    assert (done.code, done.counts["Passed"]) == (0, 3), done.text
    ((server, child),) = project.started()
    assert not lives(server)
    assert not lives(child)


def test_one_that_does_not_come_up_is_one_error_with_its_log(tmp_path):
    code = "import sys; print('no such table: orders'); sys.exit(4)"
    project = Served(tmp_path, cmd=[sys.executable, "-c", code])
    project.cases(said("one"), said("two"))
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code == 3
    assert done.text.count("did not come up: it ended before it was ready (exit code 4)") == 1, done.text
    assert done.text.count("| no such table: orders") == 1


def test_one_that_is_never_ready_is_ended(tmp_path):
    project = Served(tmp_path, ready="never printed", timeout="1s")
    done = project.viva("test", "-i", "hello there")
    assert (done.code, "its log does not match /never printed/ after 1s" in done.text) == (3, True), done.text
    # On a busy machine it may not even have begun.
    assert until(lambda: not any(lives(server) for server, _ in project.started()))


def test_one_that_dies_is_told_with_its_log(tmp_path):
    project = Served(tmp_path)
    project.cases(said("please die"))
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code == 1, done.text
    assert "the server of agent 'shop' ended (exit code 7)" in " ".join(done.text.split())
    assert "| out of luck" in done.text


def test_a_port_that_is_taken_is_an_error_unless_it_may_be_reused(tmp_path):
    project, other = Served(tmp_path), tmp_path / "other"
    other.mkdir()
    running = subprocess.Popen([sys.executable, HERE, str(project.port)], cwd=other, stdout=subprocess.DEVNULL)
    try:
        assert until(lambda: listens(project.port))
        done = project.viva("test", "-i", "hello there")
        assert (done.code, "is already taken by another server" in done.text) == (3, True), done.text
        config = json.loads((tmp_path / "viva.yaml").read_text())
        config["agents"]["shop"]["serve"]["reuse"] = True
        project.write("viva.yaml", json.dumps(config))
        assert project.viva("test", "-i", "hello there").code == 0
        assert project.started() == []
        assert running.poll() is None
    finally:
        for line in (other / "starts").read_text().splitlines():
            for pid in line.split():
                os.kill(int(pid), signal.SIGKILL)
        running.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_it_never_outlives_the_run(tmp_path, number):
    project = Served(tmp_path, stop="1s")
    project.cases(said("hang"))
    process = project.start("test", "-i", "cases.jsonl")
    assert until((tmp_path / "hanging").exists)
    process.send_signal(number)
    process.communicate()
    ((server, child),) = project.started()
    assert until(lambda: not lives(server) and not lives(child))


def test_python_starts_it_too(tmp_path):
    project = Served(tmp_path)
    project.cases(said("one"))
    project.write("use.py", "import vivavoce\nassert vivavoce.run('cases.jsonl').summary.passed == 1\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "use.py"], cwd=tmp_path, check=True, env=env)
    assert len(project.started()) == 1
    assert not any(lives(pid) for pids in project.started() for pid in pids)


TALK = """
import os, pathlib, time

async def test_talk(viva):
    assert "two" in (await viva.say("two")).text
    # The server stays up in both workers: each waits until the other has talked to it.
    pathlib.Path("talked", os.environ["PYTEST_XDIST_WORKER"]).touch()
    deadline = time.monotonic() + 60
    while len(os.listdir("talked")) < 2:
        assert time.monotonic() < deadline, "the other worker never talked"
        time.sleep(0.05)
"""


def test_two_workers_of_pytest_share_it(tmp_path):
    project = Served(tmp_path)
    (tmp_path / "talked").mkdir()
    project.write("test_it.viva.yaml", "name: hi\nturns:\n  - user: one\n    assert: {text: {must_match: one}}\n")
    project.write("test_talk.py", TALK)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*PYTEST, "-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "each", "."]
    done = subprocess.run(command, cwd=tmp_path, check=False, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout
    assert sorted(os.listdir(tmp_path / "talked")) == ["gw0", "gw1"]
    assert len(project.started()) == 1
    assert not any(lives(pid) for pids in project.started() for pid in pids)


@pytest.mark.parametrize(
    ("serve", "what"),
    [
        ({"cmd": []}, "serve.cmd is empty"),
        ({"ready": "("}, "serve.ready"),
        ({"ready": 70000}, "no port: 70000"),
        ({"stop": "soon"}, "serve.stop"),
        ({"redy": 1}, "did you mean 'ready'?"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_starts(tmp_path, serve, what):
    done = Served(tmp_path, **serve).viva("test", "-i", "hello there")
    assert (done.code, what in done.text) == (2, True), done.text


class ServedPerAttempt(VivaProject):
    """A project of whose agent each attempt starts a server."""

    def __init__(self, root: Path, **serve: Any) -> None:
        super().__init__(root)
        http = {"url": "http://127.0.0.1:${PORT}/", "body": {"text": "{{ message }}"}, "reply": "$.answer"}
        told = {"cmd": [sys.executable, HERE, "${PORT}"], "ready": "${PORT}", "per": "attempt", **serve}
        self.write("viva.yaml", json.dumps({"agent": "shop", "agents": {"shop": {"http": http, "serve": told}}}))

    def started(self, folder: str = ".") -> list[list[int]]:
        """The server and its child, for each start."""
        file = self.root / folder / "starts"
        return [[int(pid) for pid in line.split()] for line in file.read_text().splitlines()] if file.exists() else []


def test_every_attempt_has_a_server_of_its_own_and_none_is_left(tmp_path):
    project = ServedPerAttempt(tmp_path)
    world = {"type": "http", "url": "http://127.0.0.1:${PORT}/", "status": 401}
    project.cases(*({**said(word), "assert": [said(word)["assert"], world]} for word in ("one", "two", "three")))
    done = project.viva("test", "-i", "cases.jsonl", "--parallel", "3", "--runs", "2")
    assert (done.code, done.counts["Passed"]) == (0, 3), done.text
    started = project.started()
    assert len({server for server, _ in started}) == 6
    assert not [pid for pids in started for pid in pids if lives(pid)]


def test_the_server_of_an_attempt_works_in_its_workspace(tmp_path):
    project = ServedPerAttempt(tmp_path)
    project.write("fixture/notes.txt", "hello")
    looks = {"type": "file", "path": "starts", "matches": r"^\d+ \d+"}
    project.cases(*({"id": f"case {n}", "workspace": "fixture", "input": "go on", "assert": looks} for n in range(2)))
    done = project.viva("test", "-i", "cases.jsonl")
    assert (done.code, done.counts["Passed"]) == (0, 2), done.text
    assert not (tmp_path / "fixture" / "starts").exists()


def test_the_log_of_a_failed_attempts_server_is_kept(tmp_path):
    project = ServedPerAttempt(tmp_path)
    wrong = {"id": "wrong", "input": "hello there", "assert": {"type": "contains", "value": "goodbye"}}
    project.cases(wrong, said("please die"), said("all is well"))
    done = project.viva("test", "-i", "cases.jsonl", "-o", "r.jsonl")
    assert done.code == 1, done.text
    rows = {row["id"]: row for row in map(json.loads, (tmp_path / "r.jsonl").read_text().splitlines()) if "id" in row}
    assert "the server of this attempt printed:\nlistening on" in rows["wrong"]["logs"]
    assert "the server of agent 'shop' ended (exit code 7)" in rows["please-die"]["error"]
    assert "logs" not in rows["all-is-well"]


def test_one_per_attempt_that_does_not_come_up_costs_its_case_with_the_log(tmp_path):
    project = ServedPerAttempt(
        tmp_path, cmd=[sys.executable, "-c", "print('no table', flush=True); raise SystemExit(4)"]
    )
    project.cases(said("one"))
    done = project.viva("test", "-i", "cases.jsonl")
    assert (done.code, "did not come up: it ended before it was ready (exit code 4)" in done.text) == (1, True)
    assert "| no table" in done.text


def test_a_killed_run_leaves_no_server_of_an_attempt(tmp_path):
    project = ServedPerAttempt(tmp_path)
    project.cases(said("please hang"))
    process = project.start("test", "-i", "cases.jsonl")
    assert until((tmp_path / "hanging").exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    ((server, child),) = project.started()
    assert until(lambda: not lives(server) and not lives(child))


@pytest.mark.parametrize(
    ("serve", "address", "complaint"),
    [
        ({"ready": 8000}, "http://127.0.0.1:${PORT}/", "names one port for all of them"),
        ({"ready": "http://localhost:8000/"}, "http://127.0.0.1:${PORT}/", "names one port for all of them"),
        ({"reuse": True}, "http://127.0.0.1:${PORT}/", "and `reuse: true`"),
        ({}, "http://127.0.0.1:8000/", "its address http://127.0.0.1:8000/ is the same for all of them"),
    ],
)
@pytest.mark.parametrize("command", [("test", "-i", "hello there"), ("validate",)])
def test_what_would_be_one_server_for_all_attempts_is_refused(tmp_path, serve, address, complaint, command):
    project = ServedPerAttempt(tmp_path, **serve)
    config = json.loads((tmp_path / "viva.yaml").read_text())
    config["agents"]["shop"]["http"]["url"] = address
    project.write("viva.yaml", json.dumps(config))
    project.cases(said("one"))
    done = project.viva(*command)
    assert (done.code, complaint in " ".join(done.text.split())) == (2, True), done.text
