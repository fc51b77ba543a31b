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


KEY = "sk-planted-Zq81x77"
REPEATING = """
def reply(messages):
    return {"content": "you said " + messages[-1]["content"], "tool_calls": []}
"""
CONFIGURED = """\
agents:
  echo: {python: 'echo.py:reply'}
  other: {agui: 'http://127.0.0.1:9', headers: {Authorization: 'Bearer ${ENV.OTHER_KEY}'}}
agent: echo
"""
WRITTEN_OUT: dict[str, dict[str, object]] = {
    "input": {"input": f"hello {KEY}"},
    "content parts": {"input": {"role": "user", "content": [{"type": "text", "text": f"hello {KEY}"}]}},
    "turns": {"turns": [{"input": f"one {KEY}"}, {"input": f"two {KEY}"}], "input": None},
    "messages": {"messages": [{"role": "user", "content": KEY}, {"role": "assistant", "content": KEY}], "input": "x"},
    "id": {"id": f"case-{KEY}"},
    "name": {"name": f"a name {KEY}"},
    "description": {"description": f"about {KEY}"},
    "tags": {"tags": [f"tag-{KEY}"]},
    "metadata": {"metadata": {KEY: {"deep": [KEY]}}},
    "skip": {"skip": f"because of {KEY}"},
    "expected": {"expected": f"other {KEY}"},
    "value of a check": {"assert": [{"type": "contains", "value": f"not {KEY}"}]},
    "message of a check": {"assert": [{"type": "contains", "value": "zz", "message": f"no {KEY}"}]},
    "options": {"options": {"metadata": {"key": KEY}}},
    "state": {"state": {"key": KEY}},
    "user": {"user": f"user-{KEY}"},
}


def test_a_key_written_out_in_a_case_is_in_nothing_that_is_told_of_it(project: VivaProject):
    """Its label, its dump in the row, the head of the run: what leaves has no secret, whoever wrote it there."""
    project.write("echo.py", REPEATING)
    project.write("viva.yaml", CONFIGURED)
    project.cases(*({"id": where, "input": "hello", **fields} for where, fields in WRITTEN_OUT.items()))
    names = ["o.jsonl", "o.json", "o.md", "o.xml", "o.html"]
    flags = [flag for name in names for flag in ("-o", name)]
    told = [project.viva("test", "cases.jsonl", "-v", *flags, OTHER_KEY=KEY)]
    assert told[0].code == 1, told[0].text
    for command in (["show", "last"], ["list", "cases.jsonl"], ["test", "cases.jsonl", "--dry-run"], ["history"]):
        told.append(project.viva(*command, OTHER_KEY=KEY))
    told += [project.viva("test", "cases.jsonl", "--format", form, OTHER_KEY=KEY) for form in ("agent", "json")]
    for done in told:
        assert KEY not in done.text
    ours = [path for path in project.root.rglob("*") if path.is_file() and path.name != "cases.jsonl"]
    assert {"history.db", *names} <= {path.name for path in ours}
    assert [path.name for path in ours if KEY.encode() in path.read_bytes()] == []


QUOTED_BY_ERRORS = [
    ["test", "-i", KEY],
    ["diff", KEY, KEY],
    ["history", "--case", KEY],
    ["show", KEY],
    ["validate", "-i", f"{KEY}.jsonl"],
]


def test_a_key_is_not_quoted_by_commands_that_run_nothing(project: VivaProject):
    project.write("viva.yaml", CONFIGURED)
    for command in QUOTED_BY_ERRORS:
        done = project.viva(*command, OTHER_KEY=KEY)
        assert done.code == 2, command
        assert "***" in done.err, command
        assert KEY not in done.text, command


def test_a_case_whose_id_holds_a_key_is_found_again(project: VivaProject):
    project.write("echo.py", REPEATING)
    project.write("viva.yaml", CONFIGURED)
    fails = {"input": f"hello {KEY}", "assert": [{"type": "contains", "value": "zz"}]}
    project.cases({"id": f"{KEY}-a", **fails}, {"id": "b", "input": "fine"})
    done = project.viva("test", "cases.jsonl", "-o", "o.jsonl", OTHER_KEY=KEY)
    assert "viva test -i cases.jsonl:1" in done.out
    assert project.statuses("o.jsonl") == {"***-a": "failed", "b": "passed"}
    again = project.viva("test", "cases.jsonl", "--last-failed", "-o", "again.jsonl", OTHER_KEY=KEY)
    assert (again.code, project.statuses("again.jsonl")) == (1, {"***-a": "failed"})
    assert "2 of 2 cases done" in project.viva("test", "cases.jsonl", "--resume", "o.jsonl", OTHER_KEY=KEY).err
    assert "no verdict changed: 2" in project.viva("rejudge", "o.jsonl", OTHER_KEY=KEY).out


def test_two_ids_that_differ_in_their_keys_only_are_refused(project: VivaProject):
    project.write("echo.py", REPEATING)
    project.write("viva.yaml", CONFIGURED.replace("Bearer", "${ENV.SECOND}"))
    project.cases({"id": f"{KEY}-a", "input": "x"}, {"id": "second-secret-a", "input": "x"})
    done = project.viva("test", "cases.jsonl", OTHER_KEY=KEY, SECOND="second-secret")
    assert done.code == 2
    assert "cases.jsonl:2: the secrets in its id are hidden, and then another case has the same id" in done.err


JUDGED_AGAIN = {
    "not_contains of a variable": {"type": "not_contains", "value": "${ENV.OTHER_KEY}"},
    "not_contains, written out": {"type": "not_contains", "value": KEY},
    "contains": {"type": "contains", "value": "${ENV.OTHER_KEY}"},
    "regex, negated": {"type": "regex", "value": "sk-[a-z]+-Z[a-z0-9]+", "negate": True},
    "regex": {"type": "regex", "value": "sk-[a-z]+-Z[a-z0-9]+"},
    "length": {"type": "length", "max": 20},
    "equals": {"type": "equals", "value": f"you said hello {KEY}"},
}


def test_judging_masked_answers_again_comes_out_as_before(project: VivaProject):
    """What stood in place of the mask is not known any more: no check may pass because of that."""
    project.write("echo.py", REPEATING)
    project.write("viva.yaml", CONFIGURED)
    cases = [{"id": name, "input": "hello ${ENV.OTHER_KEY}", "assert": [one]} for name, one in JUDGED_AGAIN.items()]
    project.cases(*cases)
    project.viva("test", "cases.jsonl", "-o", "o.jsonl", OTHER_KEY=KEY)
    assert set(project.statuses("o.jsonl").values()) == {"passed", "failed"}
    again = project.viva("rejudge", "o.jsonl", OTHER_KEY=KEY)
    assert f"no verdict changed: {len(cases)}" in again.out, again.text
    project.cases(*({**case, "assert": [{"type": "regex", "value": "sk-[a-z]", "negate": True}]} for case in cases))
    other = project.viva("rejudge", "o.jsonl", "-o", "again.jsonl", OTHER_KEY=KEY)
    assert set(project.statuses("again.jsonl").values()) == {"error"}
    assert "secrets are masked in the answers, and the check reads differently now" in other.out


NAMED_AFTER_A_KEY = """
import os

def reply(messages):
    return {"content": "ok", "tool_calls": [{"name": "get_" + os.environ["OTHER_KEY"], "args": {}, "result": 1}]}
"""


def test_a_tool_whose_name_holds_a_key_can_be_judged_and_changed_again(project: VivaProject):
    project.write("echo.py", NAMED_AFTER_A_KEY)
    project.write("viva.yaml", CONFIGURED)
    project.cases(
        {"id": "a", "input": "x", "assert": [{"type": "tool_called", "value": f"get_{KEY}"}]},
        {"id": "b", "input": "x", "assert": [{"type": "contains", "value": "ok"}]},
    )
    assert project.viva("test", "cases.jsonl", "-o", "o.jsonl", OTHER_KEY=KEY).code == 0
    assert "no verdict changed: 2" in project.viva("rejudge", "o.jsonl", OTHER_KEY=KEY).out
    changed = project.viva("mutate", "o.jsonl", OTHER_KEY=KEY)
    assert (changed.code, changed.err) == (0, ""), changed.text
    assert KEY not in changed.text


OUTLIVING = """
import os, sys, threading

def reply(messages):
    def late():
        threading.Event().wait(0.2)
        print("late", os.environ["OTHER_KEY"])
        sys.stdout.buffer.write(b"raw \\x1b[2J " + os.environ["OTHER_KEY"].encode())
    if messages[-1]["content"] == "start":
        reply.thread = threading.Thread(target=late)
        reply.thread.start()
    else:
        reply.thread.join()
    return "fine"
"""


def test_what_is_printed_after_its_case_has_no_secret_and_no_sequence(project: VivaProject):
    project.write("echo.py", OUTLIVING)
    project.write("viva.yaml", CONFIGURED)
    project.cases({"id": "a", "input": "start"}, {"id": "b", "input": "wait"})
    done = project.viva("test", "cases.jsonl", OTHER_KEY=KEY)
    assert "late ***" in done.text
    assert "raw \\x1b[2J ***" in done.text
    assert KEY not in done.text


def test_what_a_reporter_writes_has_no_secret(project: VivaProject):
    project.write("echo.py", "import os\n\ndef reply(messages):\n    return 'told ' + os.environ['OTHER_KEY']\n")
    project.write("viva.yaml", CONFIGURED)
    project.cases({"id": "a", "input": "x"})
    for flags in ([], ["-o", "told.md"]):
        done = project.viva("test", "cases.jsonl", "-r", "agents:echo", *flags, OTHER_KEY=KEY)
        assert KEY not in done.text
    assert (project.root / "told.md").read_text() == "told ***\n"


def test_a_note_on_a_label_keeps_no_secret(project: VivaProject):
    project.write("echo.py", REPEATING)
    project.write("viva.yaml", CONFIGURED)
    project.cases({"id": "a", "input": "x"})
    project.viva("test", "cases.jsonl", "-o", "o.jsonl", OTHER_KEY=KEY)
    project.viva("label", "o.jsonl", "--set", "a=fail", "--note", f"said {KEY}", OTHER_KEY=KEY)
    assert "said ***" in (project.root / "labels.yaml").read_text()


BEFORE_A_PROJECT_IS_OPENED = [
    [KEY],
    ["test", f"--{KEY}"],
    ["show", "--format", KEY],
    ["import", "promptfoo", f"{KEY}.yaml", "-o", "x"],
    ["mcp-mock", "--mocks", KEY],
    ["schema", KEY],
]


def test_a_key_is_not_quoted_before_the_project_is_opened(project: VivaProject):
    project.write("viva.yaml", CONFIGURED)
    for command in BEFORE_A_PROJECT_IS_OPENED:
        done = project.viva(*command, OTHER_KEY=KEY)
        assert done.code == 2, (command, done.text)
        assert KEY not in done.text, command


def test_keys_of_a_mocked_server_are_not_quoted(project: VivaProject):
    pytest.importorskip("mcp")
    project.write("dies.py", "import sys\nsys.exit(f'cannot use {sys.argv[2]}')\n")
    done = project.viva("mcp-mock", "--", sys.executable, "dies.py", "--token", SECRET)
    assert (done.code, SECRET in done.text) == (3, False), done.text
    done = project.viva(
        "mcp-mock", "--url", f"http://127.0.0.1:9/{BEARER}", "--header", f"Authorization: Bearer {BEARER}"
    )
    assert (done.code, BEARER in done.text) == (3, False), done.text


@pytest.mark.parametrize("command", [["list"], ["test", "--dry-run"]])
def test_a_value_that_cases_name_is_in_no_list_of_them(project: VivaProject, command: list[str]):
    project.cases({"id": f"a-{KEY}", "name": f"n {KEY}", "tags": [KEY], "input": "say ${ENV.NAMED_BY_A_CASE}"})
    done = project.viva(*command, "-i", "cases.jsonl", NAMED_BY_A_CASE=KEY)
    assert done.code == 0, done.text
    assert "a-***  n ***  [***]" in done.out


def test_a_tape_names_no_case_by_a_key(project: VivaProject):
    project.write("echo.py", REPEATING)
    project.write("viva.yaml", CONFIGURED + "tests: cases.jsonl\n")
    project.cases({"id": f"a-{KEY}", "input": "x"}, {"id": f"b-{SECRET}", "input": "${ENV.NAMED_BY_A_CASE}"})
    env = {"OTHER_KEY": KEY, "NAMED_BY_A_CASE": SECRET}
    project.viva("test", "--record", "tapes", **env)
    (tape,) = (project.root / "tapes").iterdir()
    assert '"case":"a-***"' in tape.read_text()
    assert '"case":"b-***"' in tape.read_text()
    assert project.viva("test", "--replay", "tapes", **env).code == 0
    checked = project.viva("tape", "check", "tapes", **env)
    assert checked.code == 0, checked.text
