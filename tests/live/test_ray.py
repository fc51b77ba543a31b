"""The real command on a real Ray cluster: the same reports, nothing lost, nobody left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

VIVA = Path(sys.executable).parent / "viva"
pytestmark = [pytest.mark.ray, pytest.mark.xdist_group("ray"), pytest.mark.timeout(600)]

AGENT = """
import asyncio, colorsys, os, pathlib, signal

async def echo(messages, context):
    text = messages[-1]["content"]
    pathlib.Path("pids", str(os.getpid())).touch()
    if text == "raise":
        raise ValueError("boom")
    if text == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if text.startswith("print"):
        print("printed by the agent", os.environ["SHOP_KEY"])
    if text == "tool":
        return {"content": "done", "tool_calls": [{"name": "charge", "args": {"n": 2**70}, "result": None}]}
    if text == "data":
        return {"data": {"hsv": colorsys.rgb_to_hsv(1, 0, 0), "none": None}}
    if text.startswith("slow"):
        await asyncio.sleep(0.1)
    if text.startswith("until"):
        while len(os.listdir("pids")) < int(text.split()[1]):
            await asyncio.sleep(0.02)
    return f"echo: {text}"
"""
CONFIG = "agents:\n  echo: {python: agent.py:echo}\nagent: echo\n"
SHADOW = "raise ImportError('a file of the project stands before the standard library')"
TIMES = {
    "duration_ms",
    "overhead_ms",
    "test_start_ts",
    "test_end_ts",
    "turn_start_ts",
    "turn_end_ts",
    "avg_duration_ms",
}
TIMES |= {"min_duration_ms", "max_duration_ms", "std_deviation_ms", "timestamp", "start_ts"}


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """One small cluster for all tests."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray: Any = pytest.importorskip("ray")
    before = signal.getsignal(signal.SIGTERM)
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()
    signal.signal(signal.SIGTERM, before)


class RayProject:
    """A folder with an agent, and `viva test` in it."""

    def __init__(self, root: Path, executor: str) -> None:
        self.root = root
        self._executor = executor
        (root / "pids").mkdir()
        for name, text in {
            "agent.py": AGENT,
            "viva.yaml": CONFIG,
            "colorsys.py": SHADOW,
            ".env": "SHOP_KEY=very-secret-value\n",
        }.items():
            (root / name).write_text(text)

    def cases(self, *inputs: Any) -> None:
        cases = [
            {"id": f"T{at:03}", **(given if isinstance(given, dict) else {"input": given})}
            for at, given in enumerate(inputs)
        ]
        (self.root / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))

    def start(self, *flags: str, executor: str | None = None, **env: str) -> "subprocess.Popen[str]":
        command = [str(VIVA), "test", "-i", "cases.jsonl", "--executor", executor or self._executor, *flags]
        if "-o" not in flags:
            command += ["-o", "out.jsonl"]
        return subprocess.Popen(
            command,
            cwd=self.root,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *flags: str, executor: str | None = None, **env: str) -> int:
        return self.end(self.start(*flags, executor=executor, **env))

    def end(self, process: "subprocess.Popen[str]") -> int:
        """The exit code of a run that said nothing on stderr."""
        _, errors = process.communicate(timeout=120)
        assert errors == ""
        return process.returncode

    def results(self, name: str = "out.jsonl") -> list[dict[str, Any]]:
        file = self.root / name
        lines = file.read_text().splitlines(keepends=True) if file.exists() else []
        rows = [json.loads(line) for line in lines if line.endswith("\n")]
        return [row for row in rows if row["type"] == "result"]

    def statuses(self) -> Counter[str]:
        return Counter(row["status"] for row in self.results())

    @property
    def pids(self) -> list[int]:
        return [int(path.name) for path in (self.root / "pids").iterdir()]


@pytest.fixture
def project(tmp_path: Path, address: str) -> RayProject:
    return RayProject(tmp_path, f"ray={address}")


def wait_until(true: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key not in TIMES}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def test_the_reports_are_those_of_a_local_run(project: RayProject):
    kinds: list[Any] = ["hello", "raise", "print ${ENV.SHOP_KEY}", "tool", "data", "slow", "déjà vu"]
    kinds += [{"input": "checked", "assert": {"type": "contains", "value": "absent"}}]
    kinds += [{"input": "skipped", "skip": "not today"}, {"input": "thrice", "runs": 3}]
    project.cases(*(kinds * 20))

    local = project.run("-j", "32", "-o", "local.jsonl", executor="local")
    remote = project.run("-j", "32", "-o", "remote.jsonl")

    assert local == remote == 1
    here, there = ({row["id"]: row for row in project.results(f"{name}.jsonl")} for name in ("local", "remote"))
    assert len(there) == 200
    assert Counter(row["status"] for row in there.values()) == {"passed": 140, "error": 20, "failed": 20, "skipped": 20}
    for name, row in here.items():
        assert json.dumps(timeless(there[name])) == json.dumps(timeless(row))
    written = (project.root / "remote.jsonl").read_text()
    assert "printed by the agent ***" in written
    assert "very-secret-value" not in written


def test_the_work_is_shared_between_workers(project: RayProject):
    project.cases(*["until 2 workers"] * 100)
    assert project.run("-j", "16", "-o", "remote.jsonl") == 0
    assert len(project.pids) == 2


def test_a_worker_killed_in_the_middle_costs_nothing(project: RayProject):
    project.cases(*["slow"] * 200, *["until 3 workers"] * 100)
    process = project.start("-j", "16")
    wait_until(lambda: len(project.results()) >= 20)
    os.kill(project.pids[0], signal.SIGKILL)

    assert project.end(process) == 0
    rows = project.results()
    assert Counter(row["id"] for row in rows) == Counter(f"T{at:03}" for at in range(300))
    assert project.statuses() == {"passed": 300}
    again = [row for row in rows if row.get("retries")]
    assert 1 <= len(again) <= 8, "what one worker had in hand"
    assert "worker died" in again[0]["retries"][0]
    assert len(project.pids) == 3, "another took its place"


def test_a_case_that_kills_its_worker_is_the_only_one_to_fail(project: RayProject):
    project.cases(*["slow"] * 10, "die", *["slow"] * 29)

    assert project.run("-j", "8") == 1
    assert project.statuses() == {"passed": 39, "error": 1}
    (blamed,) = [row for row in project.results() if row["status"] == "error"]
    assert blamed["id"] == "T010"
    assert blamed["fault"] == "target"
    assert blamed["error"].startswith("worker died before it reported this case")


def test_fail_fast_ends_the_run_and_its_workers(project: RayProject):
    project.cases("slow", "raise", *["slow"] * 500)

    assert project.run("-j", "4", "-x") == 1
    assert project.statuses()["error"] == 1
    assert project.statuses()["not_run"] > 400
    wait_until(lambda: not any(alive(pid) for pid in project.pids), 10)


def test_ctrl_c_keeps_what_is_finished_and_leaves_nobody_at_work(project: RayProject):
    project.cases(*["slow"] * 1000)
    process = project.start("-j", "4")
    wait_until(lambda: len(project.results()) >= 8)
    process.send_signal(signal.SIGINT)

    assert project.end(process) == 130
    assert 8 <= project.statuses()["passed"] < 1000
    wait_until(lambda: not any(alive(pid) for pid in project.pids), 10)


def test_a_cluster_of_our_own_is_gone_when_the_run_is_over(tmp_path: Path):
    pytest.importorskip("ray")
    project = RayProject(tmp_path, "ray")
    project.cases(*["hello"] * 20)
    mark = uuid4().hex

    # Without the variable that lets test processes find the other cluster.
    assert project.run("-j", "4", VIVA_MARK=mark, RAY_ADDRESS="") == 0
    assert project.statuses() == {"passed": 20}
    wait_until(lambda: not marked(mark), 10)


def marked(mark: str) -> list[str]:
    """Processes that inherited a mark in their environment."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes() and alive(int(folder.name)):
                found.append((folder / "cmdline").read_text())
        except OSError:
            continue
    return found


SERVER = """
import os, subprocess, sys, time

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
with open("starts", "a") as starts:
    print(os.getpid(), child.pid, file=starts)
print("ready", flush=True)
time.sleep(3600)
"""
SERVED_AGENT = """
import os, pathlib, time
import ray

def reply(messages):
    # Answers once as many workers as the file `workers` says are here at the same time, each with the server up.
    pathlib.Path("seen", f"{ray.get_runtime_context().get_node_id()}-{os.getpid()}").touch()
    wanted, deadline = int(pathlib.Path("workers").read_text()), time.monotonic() + 90
    while len(os.listdir("seen")) < wanted:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{len(os.listdir('seen'))} of {wanted} workers came")
        time.sleep(0.05)
    return "here"
"""


def run_with_server(project: RayProject, workers: int) -> tuple[list[str], list[int]]:
    """Runs cases against an agent with `serve`; returns who worked (`NODE-PROCESS`) and which servers were started.

    Each server starts a process of its own, as `npm run` and `uvicorn --reload` do: that must end as well.
    """
    agent = {"python": "served.py:reply", "serve": {"cmd": [sys.executable, "server.py"], "ready": "ready"}}
    for name, text in {
        "server.py": SERVER,
        "served.py": SERVED_AGENT,
        "workers": str(workers),
        "viva.yaml": json.dumps({"agent": "shop", "agents": {"shop": agent}}),
    }.items():
        (project.root / name).write_text(text)
    (project.root / "seen").mkdir()
    project.cases(*({"input": f"line {n}", "expected": "here"} for n in range(5 * workers)))
    assert project.run("-j", str(workers)) == 0, project.results()
    started = [tuple(map(int, line.split())) for line in (project.root / "starts").read_text().splitlines()]
    wait_until(lambda: not any(alive(pid) for pids in started for pid in pids))
    return [path.name for path in (project.root / "seen").iterdir()], [server for server, _ in started]


def test_the_user_s_server_is_started_once_for_the_workers_of_a_machine(project: RayProject):
    seen, started = run_with_server(project, 2)
    assert len(seen) == 2, "both workers were at work at the same time"
    assert len(started) == 1


@pytest.mark.skipif(
    os.environ.get("VIVA_LIVE") != "all", reason="A SECOND RAY CLUSTER IS NOT STARTED: `make live` runs this"
)
def test_each_machine_starts_the_user_s_server_once(tmp_path: Path):
    """The second node has a temporary folder of its own, which is all that makes another machine for `serve`."""
    cluster_utils: Any = pytest.importorskip("ray.cluster_utils")
    node = {"num_cpus": 2, "include_dashboard": False, "object_store_memory": 100 * 2**20}
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(num_cpus=2, object_store_memory=100 * 2**20, env_vars={"TMPDIR": str(elsewhere)})
        seen, started = run_with_server(RayProject(tmp_path, f"ray={cluster.address}"), 4)
    finally:
        cluster.shutdown()
    assert sorted(Counter(name.partition("-")[0] for name in seen).values()) == [2, 2], "two workers on each node"
    assert len(started) == 2
