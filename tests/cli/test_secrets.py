"""A secret planted in every place appears in no output."""

import sys

import pytest
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


@pytest.mark.parametrize("secret", ["passed", "content", "transcript", "script", "assistant", "777777"])
def test_a_secret_that_is_an_ordinary_word_or_number_breaks_nothing(project: VivaProject, secret: str):
    project.write("repeat.py", "import json, sys\nprint(json.load(sys.stdin)['messages'][-1]['content'])\n")
    command = f"{{cmd: [{sys.executable}, repeat.py], env: {{MODE: '${{ENV.MODE}}'}}}}"
    project.write("viva.yaml", f"agents:\n  repeat: {command}\nagent: repeat\n")
    project.cases(
        *(
            {"id": str(n), "input": f"all 777777 is {secret}", "assert": {"type": "contains", "value": "is"}}
            for n in range(3)
        )
    )
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-v", MODE=secret)
    assert (done.code, set(project.statuses().values())) == (0, {"passed"}), done.text
    assert all("is ***" in row["input"] for row in project.rows() if row["type"] == "result")
    assert project.viva("report", "out.jsonl", "-o", "out.html").code == 0


def test_half_a_character_beside_a_secret_costs_nothing(project: VivaProject):
    project.write("half.py", "def reply(text):\n    print('\\ud83d', text)\n    return 'fine'\n")
    project.write("viva.yaml", "agents:\n  half: {python: half.py:reply}\nagent: half\n")
    project.cases({"id": "a", "input": "${ENV.TOKEN}"}, {"id": "b", "input": "hi"})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", TOKEN=SECRET)
    assert (done.code, project.statuses()) == (0, {"a": "passed", "b": "passed"}), done.text
    assert SECRET not in (project.root / "out.jsonl").read_text()


def test_github_is_told_of_secrets_met_inside_a_case(project: VivaProject):
    project.cases({"id": "a", "input": "say ${ENV.TOKEN}"})
    done = project.viva(
        "test", "-i", "cases.jsonl", "-o", "out.jsonl", TOKEN="100%sure\nsecond-line", GITHUB_ACTIONS="true"
    )
    masks = [line for line in done.out.splitlines() if line.startswith("::add-mask::")]
    assert masks == ["::add-mask::100%25sure", "::add-mask::second-line"]
    assert "add-mask" not in (project.root / "out.jsonl").read_text()


def test_keys_written_into_an_address_never_leave(project: VivaProject):
    project.cases({"id": "one", "input": "hi there"})
    for agent in (
        "openai:http://user:pass-word-1@127.0.0.1:9/v1?model=m&api_key=key-123456",
        "agui:ftp://u:pass-word-1@x",
    ):
        done = project.viva("test", "-i", "cases.jsonl", "-n", agent, "-o", "out.jsonl", "-o", "out.html")
        assert done.code in (1, 2)
        written = [path.read_text(errors="replace") for path in project.root.glob("out.*")]
        for text in (done.text, *written):
            assert "pass-word-1" not in text
            assert "key-123456" not in text


ADDRESSES = ["{}user:{}@host/run", "{}host/run?api_key={}", "{}host?model=m&access_token={}"]
PLACES = [
    ["test", "-i", "cases.jsonl", "-n"],
    ["test", "-i", "cases.jsonl", "-c"],
    ["test", "-i", "cases.jsonl", "--config"],
    ["test", "-i", "cases.jsonl", "--resume"],
    ["record", "-i", "cases.jsonl", "-n"],
    ["validate", "--config"],
    ["diff", "last"],
    ["report"],
    ["merge"],
    ["view"],
]


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_a_key_in_an_address_is_not_quoted_by_any_usage_error(project: VivaProject, place: list[str]):
    project.cases({"id": "a", "input": "hi"})
    for prefix in ("", "agui:", "http://"):
        address = ADDRESSES[len(prefix) % 3].format(prefix, SECRET)
        done = project.viva(*place, address)
        assert done.code == 2, done.text
        assert SECRET not in done.text, address


def test_keys_written_into_commands_and_variables_are_not_listed(project: VivaProject):
    project.write(
        "viva.yaml",
        f"agents:\n  a: {{cmd: [run, --token, {SECRET}]}}\n  b: {{cmd: run, env: {{MY_TOKEN: {BEARER}}}}}\n"
        f"  c: {{cmd: [run, --api-key={SECRET}]}}\n  d: {{cmd: [run, 'KEY={BEARER}']}}\n"
        f"  e: {{agui: 'http://user:{SECRET}@host/run?sig={BEARER}'}}\n",
    )
    for flags in ([], ["--json"]):
        done = project.viva("agents", *flags)
        assert "run" in done.out
        assert SECRET not in done.text
        assert BEARER not in done.text


def test_a_key_of_any_agent_of_the_project_is_hidden_from_the_start(project: VivaProject):
    key = "sk-planted-Zq81x77"
    project.write("echo.py", "def reply(messages):\n    return messages[-1]['content'] + ' sk-planted-Zq81x77'\n")
    header = '{Authorization: "Bearer ${ENV.OTHER_KEY}"}'
    project.write(
        "viva.yaml",
        f"agents:\n  echo: {{python: echo.py:reply}}\n  other: {{agui: 'http://127.0.0.1:9', headers: {header}}}\n",
    )
    project.cases({"id": "a", "input": "Hello", "assert": {"type": "contains", "value": "nothing of it"}})
    done = project.viva("test", "cases.jsonl", "-n", "echo", "--title", f"with {key}", "-o", "o.jsonl", OTHER_KEY=key)
    assert done.code == 1
    assert key not in done.text
    assert key not in (project.root / "o.jsonl").read_text()
    assert "with ***" in done.out
