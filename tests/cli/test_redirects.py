"""A server that sends us elsewhere gets neither our headers nor the conversation to another host."""

import asyncio
import json

from aiohttp import web
from tests.cli.conftest import VivaProject

MOVED = (300, 301, 302, 303, 307, 308)
KEY = "planted-redirect-key"
CALLED = {"agui": "agui", "openai": "openai", "responses": "openai-responses", "anthropic": "anthropic", "a2a": "a2a"}
"""Kinds of agents that are called at an address, and the field that it stands in."""


async def served(handler: object) -> tuple[web.AppRunner, int]:
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", handler)  # type: ignore[arg-type]
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return runner, runner.addresses[0][1]


async def test_no_target_connector_or_tool_server_follows_to_another_host(project: VivaProject):
    heard: list[str] = []
    asked: list[str] = []

    async def elsewhere(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(repr(await reader.read(1000)))
        writer.close()

    other = await asyncio.start_server(elsewhere, "127.0.0.1", 0)
    other_port = other.sockets[0].getsockname()[1]

    async def moved(request: web.Request) -> web.Response:
        kind, status = request.path.split("/")[1:3]
        if not status.isdigit():  # no card there
            raise web.HTTPNotFound
        asked.append(kind)
        host = "localhost" if status == "308" else "127.0.0.1"
        scheme = "https" if status == "307" else "http"  # another port of this host: nobody knows who listens there
        return web.Response(status=int(status), headers={"Location": f"{scheme}://{host}:{other_port}/{kind}"})

    runner, port = await served(moved)
    cases = write_agents(project, f"http://127.0.0.1:{port}")
    project.cases(*cases)
    done = await asyncio.to_thread(project.viva, "test", "-i", "cases.jsonl", "-o", "r.jsonl", ANTHROPIC_API_KEY=KEY)
    await runner.cleanup()
    other.close()

    assert done.code == 1, done.text
    assert heard == []
    kinds = {str(case["id"]).partition("-")[0] for case in cases}
    assert len(kinds) == 14
    assert set(asked) == kinds
    rows = [json.loads(line) for line in (project.root / "r.jsonl").read_text().splitlines()]
    results = {row["id"]: row for row in rows if row["type"] == "result"}
    assert len(results) == len(cases)
    assert results.pop("check-300")["status"] == "failed"  # no redirect, and not the status that the check wants
    for name, row in results.items():
        assert (row["status"], row["fault"]) == ("error", "test" if "check" in name else "target"), row
        if not name.startswith(("mcp", "tools")):
            assert str(other_port) in row["error"] or "300" in name, row["error"]
    assert KEY not in done.text


def write_agents(project: VivaProject, address: str) -> list[dict[str, object]]:
    """One agent of each kind that calls an address, for each status; returns a case for each."""
    headers = {"Authorization": f"Bearer {KEY}", "X-Key": KEY}
    agents: dict[str, dict[str, object]] = {"echo": {"python": "echo:reply"}}
    connectors: dict[str, object] = {}
    cases: list[dict[str, object]] = []
    for status in MOVED:
        for kind, field in CALLED.items():
            agents[f"{kind}-{status}"] = {field: f"{address}/{kind}/{status}", "headers": headers}
            if kind in ("openai", "responses", "anthropic"):
                agents[f"{kind}-{status}"] |= {"model": "m", "key": KEY}
        call: dict[str, object] = {"headers": headers, "cookies": True}
        agents[f"post-{status}"] = {"http": {"url": f"{address}/post/{status}", "body": "{{ message }}", **call}}
        call["query"] = {"q": "{{ message }}"}
        agents[f"get-{status}"] = {"http": {"url": f"{address}/get/{status}", "method": "GET", **call}}
        agents[f"mcp-{status}"] = {"mcp": {"url": f"{address}/mcp/{status}", "headers": headers}}
        agents[f"card-{status}"] = {"a2a": f"{address}/card/{status}/card.json", "headers": headers}
        agents[f"rpc-{status}"] = {
            "a2a": f"{address}/no_card",
            "endpoint": f"{address}/rpc/{status}",
            "headers": headers,
        }
        for kind, speaks in (("model", "openai"), ("claude", "anthropic")):
            options = {"host": f"{address}/{kind}/{status}", "key": KEY, "model": "m"}
            connectors[f"{kind}{status}"] = {"type": speaks, "options": options}
            package(project, f"{kind}-{status}", {"name": "x", "connector": f"{kind}{status}"})
        servers = [{"id": "far", "url": f"{address}/tools/{status}", "headers": headers}]
        package(project, f"tools-{status}", {"name": "x", "connector": f"model{status}", "mcp": servers})
        cases += [
            {"id": f"{kind}-{status}", "input": "a private word", "agent": f"{kind}-{status}"}
            for kind in (*CALLED, "post", "get", "card", "rpc", "model", "claude", "tools")
        ]
        cases.append({"id": f"mcp-{status}", "input": '{"call": "x"}', "agent": f"mcp-{status}"})
        check = {"type": "http", "url": f"{address}/check/{status}", "headers": headers}
        cases.append({"id": f"check-{status}", "input": "a private word", "agent": "echo", "assertions": [check]})
    project.write("echo.py", "def reply(message): return 'hello'\n")
    project.write("viva.yaml", json.dumps({"agents": agents, "connectors": connectors}))
    return cases


def package(project: VivaProject, name: str, content: dict[str, object]) -> None:
    project.write(f"assistants/{name}/package.yao", json.dumps(content))
