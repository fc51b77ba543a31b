"""Politeness, budgets and many at once, with the real command against a real server."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from tests.cli.conftest import VIVA, VivaProject

pytestmark = pytest.mark.process

SERVER = """
import asyncio, json, sys, time
from aiohttp import web

status, count, delay = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
seen, now, most, starts = 0, 0, 0, []

async def answer(request):
    global seen, now, most
    await request.read()
    if request.path == "/stats":
        return web.json_response({"seen": seen, "most": most, "starts": starts})
    seen += 1
    starts.append(time.monotonic())
    if seen <= count:
        return web.json_response({"error": {"message": "not now"}}, status=status, headers={"Retry-After": "0.2"})
    now += 1
    most = max(most, now)
    await asyncio.sleep(delay)
    now -= 1
    message = {"role": "assistant", "content": "pong"}
    used = {"prompt_tokens": 1000, "completion_tokens": 500}
    return web.json_response({"choices": [{"message": message, "finish_reason": "stop"}], "usage": used})

async def main():
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=2000)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


class Server:
    def __init__(self, url: str) -> None:
        self.url = url

    def stats(self) -> dict[str, list[float]]:
        with urlopen(f"{self.url}/stats") as answer:
            return json.loads(answer.read())


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Answers the first calls with an error; the parameter says with which, how many, and how slow the others are."""
    status, count, delay = getattr(request, "param", (429, 0, 0.05))
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(status), str(count), str(delay)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield Server(f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.kill()
        process.communicate()


def shop(project: VivaProject, server: Server, more: str = "", top: str = "") -> None:
    project.write("viva.yaml", f"agents:\n  shop: {{openai: '{server.url}/v1', model: m-1{more}}}\n{top}")


def suite(project: VivaProject, count: int) -> list[str]:
    check = {"type": "contains", "value": "pong"}
    project.cases(*({"id": f"T{n}", "input": "ping", "assert": check} for n in range(count)))
    return ["test", "-i", "cases.jsonl", "-n", "shop", "-o", "out.jsonl", "--no-history"]


@pytest.mark.parametrize("server", [(429, 3, 0.05)], indirect=True)
def test_a_busy_server_is_waited_for_and_every_wait_is_in_the_result(project: VivaProject, server: Server):
    shop(project, server)
    done = project.viva(*suite(project, 6), "-j", "3")
    assert done.code == 0
    waits = [note for row in project.rows()[1:-1] for note in row.get("retries", ())]
    assert len(waits) == 3
    assert all(note.startswith("turn 1: HTTP 429 from shop, waited ") for note in waits)
    for row in project.rows()[1:-1]:
        # The wait is ours: no latency check may take it for the agent's.
        if row.get("retries"):
            assert row["turn_start_ts"] - row["test_start_ts"] > 190


@pytest.mark.parametrize("server", [(429, 10_000, 0)], indirect=True)
def test_a_server_that_stays_busy_is_the_servers_fault_not_the_agents(project: VivaProject, server: Server):
    shop(project, server)
    done = project.viva(*suite(project, 1), "--timeout", "500ms")
    assert done.code == 1
    [row] = project.rows()[1:-1]
    assert (row["status"], row["fault"]) == ("error", "target")
    assert "HTTP 429" in row["error"]


def test_max_parallel_holds_for_an_agent_whatever_parallel_says(project: VivaProject, server: Server):
    shop(project, server, ", max_parallel: 3")
    assert project.viva(*suite(project, 24), "-j", "24").code == 0
    assert server.stats()["most"] == 3


def test_rate_holds_for_an_agent(project: VivaProject, server: Server):
    shop(project, server, ", rate: 4/s")
    # Counted from here and not from the first arrival: a busy machine may hold that one up.
    began = time.monotonic()
    assert project.viva(*suite(project, 11), "-j", "11").code == 0
    assert max(server.stats()["starts"]) - began >= 10 / 4


def test_limits_of_a_connector_hold_for_all_who_use_it(project: VivaProject, server: Server):
    project.write(
        "viva.yaml",
        f"connectors:\n  gpt: {{type: openai, max_parallel: 2, options: {{host: '{server.url}', model: m-1}}}}\n",
    )
    for name in ("one", "two"):
        project.write(f"assistants/{name}/package.yao", '{"name": "x", "connector": "gpt"}')
        cases = [{"id": f"{name}{n}", "input": "ping"} for n in range(8)]
        project.cases(*cases, name=f"assistants/{name}/tests/c.jsonl")
    done = project.viva("test", "-i", "assistants", "-j", "16", "-o", "out.jsonl", "--no-history")
    assert done.code == 0, done.text
    assert server.stats()["most"] == 2


def test_a_bad_rate_is_a_usage_error_before_anything_is_called(project: VivaProject, server: Server):
    shop(project, server, ", rate: fast")
    done = project.viva(*suite(project, 1))
    assert done.code == 2
    assert "agents.shop.rate" in done.err
    assert server.stats()["seen"] == 0


def test_a_budget_of_money_ends_the_run_cleanly(project: VivaProject, server: Server):
    shop(project, server, top="prices:\n  'm-*': {input: 1.0, output: 2.0}\n")
    done = project.viva(*suite(project, 50), "-j", "1", "--budget", "0.01usd")
    assert done.code == 1
    rows = project.rows()
    assert [row["status"] for row in rows[1:-1]] == ["passed"] * 5 + ["not_run"] * 45
    assert rows[1]["usage"]["cost"] == pytest.approx(0.002)
    assert (rows[-1]["interrupted"], rows[-1]["not_run"]) == ("budget", 45)
    assert "0.01 usd spent of 0.01 usd" in done.out
    assert "raise the budget" in done.out
    assert "--budget 0.02usd --resume" in done.out
    assert project.viva(*suite(project, 50), "-j", "1", "--budget", "0.01usd", "--allow-not-run").code == 0
    resumed = project.viva(*suite(project, 50), "-j", "25", "--resume", "--budget", "1usd")
    assert resumed.code == 0
    assert project.rows()[-1]["passed"] == 50


def test_a_budget_of_money_without_prices_does_not_run_on_blindly(project: VivaProject, server: Server):
    shop(project, server)
    done = project.viva(*suite(project, 50), "-j", "1", "--budget", "5eur")
    assert done.code == 1
    assert server.stats()["seen"] == 1
    assert "prices:" in done.out
    assert "raise the budget" not in done.out


def test_a_bad_budget_is_a_usage_error(project: VivaProject, server: Server):
    shop(project, server)
    done = project.viva(*suite(project, 1), "--budget", "five")
    assert done.code == 2
    assert "200000tok" in done.err


@pytest.mark.parametrize("server", [(502, 3, 0)], indirect=True)
def test_retries_bring_a_case_over_a_broken_gateway_and_only_when_asked(project: VivaProject, server: Server):
    shop(project, server)
    assert project.viva(*suite(project, 1)).code == 1
    assert server.stats()["seen"] == 1
    done = project.viva(*suite(project, 1), "--retries", "3")
    assert done.code == 0
    [row] = project.rows()[1:-1]
    assert [note.partition(":")[0] for note in row["retries"]] == ["try 1 of 4", "try 2 of 4"]
    assert all("HTTP 502" in note for note in row["retries"])


@pytest.mark.parametrize("server", [(429, 0, 2.0)], indirect=True)
def test_a_thousand_at_once(project: VivaProject, server: Server):
    """The soft limit on open files is far below what a thousand connections need: it is raised."""
    shop(project, server)
    command = [*suite(project, 1500), "-j", "1000"]

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    began = time.monotonic()
    done = subprocess.run(
        [str(VIVA), *command], cwd=project.root, capture_output=True, text=True, preexec_fn=few_files, timeout=110
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert server.stats()["most"] > 256
    assert time.monotonic() - began < 100


def test_too_few_open_files_are_told_with_what_to_do(project: VivaProject, server: Server):
    shop(project, server)

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))

    done = subprocess.run(
        [str(VIVA), *suite(project, 3), "-j", "500"],
        cwd=project.root,
        capture_output=True,
        text=True,
        preexec_fn=few_files,
        timeout=200,
    )
    assert done.returncode == 0
    assert "--parallel 500 needs about 564 open files, but only 128 are allowed" in done.stderr


def test_early_stop_ends_the_runs_of_a_decided_case(project: VivaProject):
    project.cases(
        {"id": "good", "input": "hi", "min_pass": 2},
        {"id": "bad", "input": "hi", "assert": {"type": "contains", "value": "never"}},
    )
    done = project.viva("test", "-i", "cases.jsonl", "--runs", "8", "--early-stop", "-o", "out.jsonl", "--no-history")
    assert done.code == 1
    assert {row["id"]: (row["status"], row["runs"]) for row in project.rows()[1:-1]} == {
        "good": ("passed", 2),
        "bad": ("failed", 1),
    }
    assert project.rows()[-1]["total_runs"] == 3


@pytest.mark.parametrize(("loop", "code"), [("asyncio", 0), ("trio", 2)])
def test_the_loop_can_be_chosen(project: VivaProject, loop, code):
    project.cases({"id": "a", "input": "hi"})
    done = project.viva("test", "-i", "cases.jsonl", "--no-history", VIVA_LOOP=loop)
    assert done.code == code


FREEZES = """
import asyncio, time

def reply(text: str):
    now = time.monotonic()
    time.monotonic = time.time = time.perf_counter = lambda: now
    time.sleep(600)

async def areply(text: str):
    now = time.monotonic()
    time.monotonic = time.time = time.perf_counter = lambda: now
    await asyncio.sleep(600)
"""


@pytest.mark.parametrize("function", ["reply", "areply"])
def test_an_agent_that_stops_the_clocks_still_times_out(project: VivaProject, function: str):
    project.write("freezes.py", FREEZES)
    project.cases({"id": "one", "input": "hi there", "timeout": "300ms"})
    done = project.viva("test", "-i", "cases.jsonl", "-n", f"python:freezes.py:{function}", "-o", "out.jsonl")
    assert done.code == 1, done.text
    assert project.statuses() == {"one": "timeout"}
