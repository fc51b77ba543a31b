"""A secret planted in every place appears in no output."""

from tests.cli.conftest import VivaProject
from tests.fakes.openai_server import OpenAiServer, Reply

SECRET = "sk-planted-42-secret"
BEARER = "planted-bearer-token"
QUOTED = 'pla"nted\\secret<&>'


async def test_secrets_reach_the_agent_but_no_output(project: VivaProject):
    import asyncio

    def leaky(body: dict[str, object]) -> Reply:
        return Reply(f"your key is {SECRET}, your header {BEARER}, and {QUOTED}")

    async with OpenAiServer(leaky) as server:
        project.write(
            "viva.yaml",
            "agents:\n"
            f"  leaky: {{openai: '{server.url}', model: m, key: '${{ENV.PLANTED_KEY}}', "
            f"headers: {{X-Auth: 'Bearer {BEARER}', X-Quoted: '${{ENV.PLANTED_QUOTED}}'}}}}\n"
            "agent: leaky\n",
        )
        project.cases(
            {"id": "a", "input": "say ${ENV.PLANTED_KEY}", "assert": {"type": "contains", "value": "zzz"}},
            {"id": "b", "turns": [{"input": "one ${ENV.PLANTED_KEY}"}, {"input": "two"}], "on_missing_input": "end"},
        )
        names = ["r.jsonl", "r.json", "r.md", "r.xml", "r.html"]
        flags = [flag for name in names for flag in ("-o", name)]
        done = await asyncio.to_thread(
            project.viva, "test", "-i", "cases.jsonl", "-v", *flags, PLANTED_KEY=SECRET, PLANTED_QUOTED=QUOTED
        )
        assert server.requests[0].headers["Authorization"] == f"Bearer {SECRET}"
        assert SECRET in str(server.requests[0].body)
    assert done.code == 1
    written = [
        path for path in project.root.rglob("*") if path.is_file() and path.name not in ("viva.yaml", "agent.py")
    ]
    assert len(written) >= len(names)
    for planted in (SECRET, BEARER, QUOTED, QUOTED.replace('"', '\\"'), "pla&quot;nted", "planted\\\\secret"):
        assert planted not in done.text, planted
        for path in written:
            assert planted not in path.read_text(errors="replace"), f"{planted} in {path.name}"
    assert "***" in (project.root / "r.md").read_text()
