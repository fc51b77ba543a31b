"""A server that sends us elsewhere gets neither our headers nor the conversation to another host."""

import asyncio
import json

from aiohttp import web
from tests.cli.conftest import VivaProject

MOVED = (300, 301, 302, 303, 307, 308)
KEY = "planted-redirect-key"


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

    async def elsewhere(request: web.Request) -> web.Response:
        heard.append(f"{request.method} {request.path} {dict(request.headers)} {await request.text()}")
        return web.json_response({})

    other, other_port = await served(elsewhere)

    async def moved(request: web.Request) -> web.Response:
        asked.append(request.path)
        kind, status = request.path.split("/")[1:3]
        host = "localhost" if status == "308" else "127.0.0.1"
        return web.Response(status=int(status), headers={"Location": f"http://{host}:{other_port}/{kind}"})

    runner, port = await served(moved)
    cases = write_agents(project, f"http://127.0.0.1:{port}")
    project.cases(*cases)
    done = await asyncio.to_thread(project.viva, "test", "-i", "cases.jsonl", "-o", "r.jsonl", ANTHROPIC_API_KEY=KEY)
    await runner.cleanup()
    await other.cleanup()

    assert done.code == 1, done.text
    assert heard == []
    assert {path.split("/")[1] for path in asked} == {"agui", "openai", "model", "claude", "mcp"}
    rows = [json.loads(line) for line in (project.root / "r.jsonl").read_text().splitlines()]
    results = {row["id"]: row for row in rows if row["type"] == "result"}
    assert len(results) == len(cases)
    for name, row in results.items():
        assert (row["status"], row["fault"]) == ("error", "target"), name
        if not name.startswith("mcp"):
            assert str(other_port) in row["error"] or "300" in name, row["error"]
    assert KEY not in done.text


def write_agents(project: VivaProject, address: str) -> list[dict[str, str]]:
    """One agent of each kind that calls an address, for each status; returns a case for each."""
    headers = {"Authorization": f"Bearer {KEY}", "X-Key": KEY}
    agents: dict[str, object] = {}
    connectors: dict[str, object] = {}
    cases: list[dict[str, str]] = []
    for status in MOVED:
        agents[f"agui-{status}"] = {"agui": f"{address}/agui/{status}", "headers": headers}
        agents[f"openai-{status}"] = {"openai": f"{address}/openai/{status}", "model": "m", "headers": headers}
        for kind, speaks in (("model", "openai"), ("claude", "anthropic")):
            options = {"host": f"{address}/{kind}/{status}", "key": KEY, "model": "m"}
            connectors[f"{kind}{status}"] = {"type": speaks, "options": options}
        servers = [{"id": "far", "url": f"{address}/mcp/{status}", "headers": headers}]
        for kind in ("model", "claude"):
            package(project, f"{kind}-{status}", {"name": "x", "connector": f"{kind}{status}"})
        package(project, f"mcp-{status}", {"name": "x", "connector": f"model{status}", "mcp": servers})
        cases += [
            {"id": f"{kind}-{status}", "input": "a private word", "agent": f"{kind}-{status}"}
            for kind in ("agui", "openai", "model", "claude", "mcp")
        ]
    project.write("viva.yaml", json.dumps({"agents": agents, "connectors": connectors}))
    return cases


def package(project: VivaProject, name: str, content: dict[str, object]) -> None:
    project.write(f"assistants/{name}/package.yao", json.dumps(content))
