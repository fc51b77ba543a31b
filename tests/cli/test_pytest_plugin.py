"""The plugin in real pytest runs: case files as items, the fixture, repeated tests."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.commands import PYTEST

from vivavoce.app.history_keeping import open_history
from vivavoce.project.project import Project

pytestmark = pytest.mark.process

AGENT = """
import asyncio, itertools

async def echo(messages):
    text = messages[-1]["content"]
    if text == "raise":
        raise ValueError("boom")
    if text == "print":
        print("printed by the agent")
    if text == "tool":
        return {"content": "done", "tool_calls": [{"name": "charge_card", "args": {"amount": 5}, "result": "ok"}]}
    return f"{len(messages)}: {text}"

def other(text):
    return f"other: {text}"

turn = itertools.count(1)

def every_fourth_bad(text):
    return "bad" if next(turn) % 4 == 0 else "good"

class Remembers:
    def __init__(self):
        self.heard = 0
    def __call__(self, text):
        self.heard += 1
        return str(self.heard)
"""
CONFIG = """
agents:
  echo: {python: agent.py:echo}
  other: {python: agent.py:other}
  flaky: {python: agent.py:every_fourth_bad}
agent: echo
"""
INI = """
[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
"""


@dataclass
class Done:
    code: int
    out: str

    @property
    def outcomes(self) -> dict[str, str]:
        """What `-v` said of each item."""
        return dict(re.findall(r"^(\S+::.+?) (PASSED|FAILED|SKIPPED|ERROR)(?= )", self.out, re.MULTILINE))

    @property
    def last(self) -> str:
        return self.out.strip().splitlines()[-1]


class Suite:
    """A folder of tests and the real pytest in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("agent.py", AGENT)
        self.write("viva.yaml", CONFIG)
        self.write("pytest.ini", INI)

    def write(self, name: str, content: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path

    def pytest(self, *arguments: str, folder: str = ".", **variables: str) -> Done:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("VIVA_", "PYTEST_", "GITHUB_", "CI"))}
        done = subprocess.run(
            [*PYTEST, "-W", "error", *arguments],
            cwd=self.root / folder,
            capture_output=True,
            text=True,
            timeout=100,
            env={**kept, "COLUMNS": "110", **variables},
        )
        assert "INTERNALERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
        return Done(done.returncode, done.stdout + done.stderr)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


CASES = """\
{"id": "ok", "input": "x", "assert": {"type": "contains", "value": "x"}, "tags": ["fast", "needs-tools"]}
{"id": "wrong", "input": "x", "assert": {"type": "contains", "value": "refund"}, "tags": ["fast", "skip"]}
{"id": "raises", "input": "raise"}
{"id": "later", "input": "raise", "skip": "not yet"}
{"id": "asks", "type": "multi_turn", "input": "how are you?"}
{"id": "steady", "agent": "flaky", "input": "x", "runs": 4, "min_pass": 3, "expected": "good"}
{"id": "shaky", "agent": "flaky", "input": "x", "runs": 4, "expected": "good"}
"""


def test_cases_are_items(suite: Suite):
    suite.write("tests/cases.jsonl", CASES)
    suite.write("tests/not-mine.jsonl", '{"other": "data"}\n')
    suite.write("tests/output-1.jsonl", '{"type": "start", "timestamp": "2026-01-01T00:00:00Z"}\n')
    suite.write("tests/talk.viva.yaml", "name: hello\nturns:\n  - user: hi\n    assert: {text: {must_match: 'hi'}}\n")
    suite.write("tests/plain.viva.json", '[{"id": "J", "input": "x"}]')
    suite.write("pytest.ini", f"{INI}viva_files = tests/[co]*.jsonl\naddopts = --strict-markers\n")
    done = suite.pytest("-v", "-rA")
    assert done.outcomes == {
        "tests/cases.jsonl::ok": "PASSED",
        "tests/cases.jsonl::wrong": "FAILED",
        "tests/cases.jsonl::raises": "FAILED",
        "tests/cases.jsonl::later": "SKIPPED",
        "tests/cases.jsonl::asks": "SKIPPED",
        "tests/cases.jsonl::steady": "PASSED",
        "tests/cases.jsonl::shaky": "FAILED",
        "tests/plain.viva.json::J": "PASSED",
        "tests/talk.viva.yaml::talk": "PASSED",
    }
    assert done.code == 1
    assert "tests/cases.jsonl::steady PASSED (3/4 passed)" in done.out
    assert "SKIPPED (not yet)" in done.out
    failure = done.out.partition("_ wrong _")[2].partition("____")[2].partition("____ raises")[0]
    assert failure.splitlines()[1:9] == [
        "output does not contain 'refund'",
        re.search(r"✗ \[wrong\] \"x\" \(\d+ms\)", failure)[0],  # type: ignore[index]
        "  Messages: 1, Assertions: 0/1 passed",
        "  tests/cases.jsonl:2",
        '  ✗ contains "refund"',
        "    output does not contain 'refund'",
        '    wanted: "refund"',
        '    found:  "1: x"',
    ]
    assert "Traceback" not in done.out
    assert "FAILED tests/cases.jsonl::raises - Failed: agent error: ValueError: boom (agent.py:7)" in done.out
    assert "3/4 ✓✓✓✗" in done.out


def test_selection_and_stopping_work_as_for_any_test(suite: Suite):
    suite.write("cases.jsonl", CASES)
    assert suite.pytest("-q", "cases.jsonl::ok").last.startswith("1 passed in")
    assert suite.pytest("-q", "cases.jsonl", "-k", "wrong or steady").last.startswith(
        "1 failed, 1 passed, 5 deselected"
    )
    assert suite.pytest("-q", "cases.jsonl", "-m", "needs-tools").last.startswith("1 passed, 6 deselected")
    assert suite.pytest("-q", "cases.jsonl", "-x").last.startswith("1 failed, 1 passed in")


def test_tests_are_spread_over_processes(suite: Suite):
    suite.write("cases.jsonl", CASES)
    suite.write("test_it.py", "async def test_it(viva):\n    assert (await viva.say('x')).text == '1: x'\n")
    done = suite.pytest("-n", "2", "cases.jsonl", "test_it.py", "-k", "not asks and not later")
    assert done.last.strip("= ").startswith("3 failed, 3 passed in")
    assert "output does not contain 'refund'" in done.out


def test_agent_by_flag_case_ini_and_configuration(suite: Suite):
    suite.write(
        "a.viva.json",
        '[{"id": "any", "input": "x", "assert": {"type": "contains", "value": "other"}},'
        ' {"id": "own", "agent": "echo", "input": "x", "assert": {"type": "contains", "value": "1: x"}}]',
    )
    suite.write(
        "test_it.py",
        "import pytest\n"
        "def test_any(viva):\n    assert viva.sync.say('x').text == 'other: x'\n"
        "@pytest.mark.viva(agent='echo')\n"
        "def test_own(viva):\n    assert viva.sync.say('x').text == '1: x'\n",
    )

    def passing(*arguments: str) -> set[str]:
        outcomes = suite.pytest("-v", *arguments).outcomes
        return {name.partition("::")[2] for name, outcome in outcomes.items() if outcome == "PASSED"}

    assert passing() == {"own", "test_own"}
    assert passing("-o", "viva_agent=other") == {"any", "own", "test_any", "test_own"}
    assert passing("--viva-agent", "other") == {"any", "test_any"}


def test_a_bad_file_is_a_collection_error_that_names_every_problem(suite: Suite):
    suite.write("bad.viva.json", '[{"id": "A", "input": "x", "assrt": 1}, {"id": "B"}, {"id": "C", "input": "x"}]')
    suite.write("good.viva.yaml", "turns: [{user: hi}]\n")
    done = suite.pytest("-v")
    assert done.code == 2
    assert "unknown field 'assrt'" in done.out
    assert "did you mean 'assert'?" in done.out
    assert "no input: nobody says anything" in done.out
    assert "Traceback" not in done.out


def test_each_file_belongs_to_the_project_around_it(suite: Suite):
    suite.write("sub/viva.yaml", "agents: {local: {python: local.py:reply}}\nagent: local\n")
    suite.write("sub/local.py", "def reply(text):\n    return 'local'\n")
    suite.write("sub/tests/a.viva.yaml", "turns: [{user: hi, assert: {text: {must_match: '^local$'}}}]\n")
    suite.write("b.viva.yaml", "turns: [{user: hi, assert: {text: {must_match: '^1: hi$'}}}]\n")
    suite.write("sub/tests/test_c.py", "def test_c(viva):\n    assert viva.sync.say('x').text == 'local'\n")
    assert suite.pytest("-q").last.startswith("3 passed in")
    assert suite.pytest("-q", "..", folder="sub").last.startswith("3 passed in")


def test_the_fixture_in_async_and_sync_tests(suite: Suite):
    suite.write(
        "test_it.py",
        """
import asyncio
import pytest
from vivavoce import check, CallFailed

@pytest.fixture
async def greeted(viva):
    await viva.say("hello")
    yield viva

async def test_grows(viva):
    assert (await viva.say("a")).text == "1: a"
    reply = await viva.say("b")
    assert reply.text == reply.output == "3: b"
    reply = await viva.say("tool")
    assert [call.name for call in reply.calls] == ["charge_card"]
    check.tool_called(reply, "charge_card", arguments={"amount": 5})

def test_sync(viva):
    viva.sync.say("a")
    check.equals(viva.sync.say("b"), "3: b")
    check.equals(viva.agent("other").sync.say("b"), "other: b")

async def test_fixture_spoke_first(greeted):
    check.equals(await greeted.say("next"), "3: next")

async def test_live_agent_on_the_tests_own_loop(viva):
    loop = asyncio.get_running_loop()
    async def here(text):
        assert asyncio.get_running_loop() is loop
        return "here"
    check.equals(await viva.agent(here).say("x"), "here")

async def test_agent_error(viva):
    with pytest.raises(CallFailed, match="boom"):
        await viva.say("raise")

class TestInAClass:
    async def test_method(self, viva):
        check.equals(await viva.say("m"), "1: m")

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_anyio(viva, anyio_backend):
    check.equals(await viva.say("m"), "1: m")
""",
    )
    done = suite.pytest("-q", "-o", "asyncio_mode=strict", "-k", "sync and not loop or anyio")
    assert done.last.startswith("2 passed"), done.out
    done = suite.pytest("-q")
    assert done.last.startswith("7 passed in"), done.out


def test_failures_show_the_test_and_the_conversation_not_our_code(suite: Suite):
    suite.write(
        "test_it.py",
        """
import pytest
import vivavoce
from vivavoce import check

async def test_fails(viva):
    reply = await viva.say("print")
    check.contains(reply, "refund")

def test_raises(viva):
    viva.sync.say("raise")

async def test_unknown(viva):
    await viva.agent("eco").say("x")

async def test_forgets(viva):
    check.agent(await viva.say("x"), "is polite")

async def test_bad_regex(viva):
    check.regex(await viva.say("x"), "(")

def test_unknown_check(viva):
    check.contans(viva.sync.say("x"), "x")

def test_bad_case():
    vivavoce.run([{"input": "x", "assrt": 1}])

async def test_bad_agent(viva):
    await vivavoce.arun("x y", agent="eco")

@pytest.mark.viva(run=1)
def test_bad_mark(viva): ...
""",
    )
    done = suite.pytest()
    assert done.last.strip("= ").startswith("9 failed in")
    assert "E       AssertionError: output does not contain 'refund'" in done.out
    assert 'found:  "1: print"' in done.out
    assert re.search(r"Captured conversation call -+\nuser: print\nagent: 1: print", done.out)
    assert "printed by the agent" in done.out
    assert "E       vivavoce.errors.CallFailed: agent error: ValueError: boom (agent.py:7)" in done.out
    assert "unknown agent 'eco' (did you mean 'echo'?)" in done.out
    assert "check.agent was never awaited: nothing was judged" in done.out
    assert "check.regex: in the assertion 'regex': bad regex '('" in done.out
    assert "there is no assertion 'contans'" in done.out
    assert "<cases>:1: unknown field 'assrt' (did you mean 'assert'?)" in done.out
    assert "agent: unknown agent 'eco' (did you mean 'echo'?)" in done.out
    assert done.out.count("takes runs, min_pass and agent, not ['run']\n") == 2  # there and in the summary
    assert "src/vivavoce" not in done.out
    assert "asyncio/runners.py" not in done.out


def test_a_broken_configuration_is_told_in_one_line(suite: Suite):
    suite.write("viva.yaml", "agnts: {}\n")
    suite.write("test_it.py", "def test_it(viva): ...\n")
    done = suite.pytest()
    assert "agnts" in done.out
    assert "src/vivavoce" not in done.out


def test_a_forgotten_await_is_a_failure(suite: Suite):
    suite.write(
        "test_it.py",
        """
import asyncio
import pytest

async def test_one(viva):
    viva.say("hello")

def test_sync(viva):
    viva.say("hello")

@pytest.mark.viva(runs=2, min_pass=1)
async def test_repeated(viva):
    viva.say("hello")

async def test_together(viva):
    replies = await asyncio.gather(*(viva.agent("other").say(text) for text in "ab"))
    task = asyncio.create_task(viva.say("c"))
    assert [reply.text for reply in [*replies, await task]] == ["other: a", "other: b", "1: c"]
""",
    )
    done = suite.pytest("-v")
    names = ["test_one", "test_sync", "test_repeated", "test_together"]
    assert [done.outcomes[f"test_it.py::{name}"] for name in names] == ["FAILED", "FAILED", "FAILED", "PASSED"]
    assert "viva.say was never awaited: the agent was not asked" in done.out
    assert "viva.say was never awaited, 2 times" in done.out


def test_repeated_tests(suite: Suite):
    suite.write(
        "test_it.py",
        """
import pytest
from vivavoce import check

@pytest.mark.viva(runs=4, min_pass=3, agent="flaky")
async def test_enough(viva):
    check.equals(await viva.say("x"), "good")
    assert len(viva.transcript.turns) == 1

@pytest.mark.viva(runs=4, agent="flaky")
def test_not_enough(viva):
    check.equals(viva.sync.say("x"), "good")

@pytest.mark.viva(runs=2, agent="python:agent.py:Remembers")
def test_each_run_begins_anew(viva):
    check.equals(viva.sync.say("x"), "1")

times = []

@pytest.mark.viva(runs=3, min_pass=1)
def test_without_the_fixture():
    times.append(1)
    assert len(times) == 3

@pytest.mark.viva(runs=3)
def test_skips():
    pytest.skip("no key")

@pytest.mark.viva(runs=2, min_pass=3)
def test_impossible(): ...

@pytest.mark.viva(run=2)
def test_misspelt(): ...

class TestMethods:
    @pytest.mark.viva(runs=2)
    @pytest.mark.parametrize("text", ["a", "b"])
    async def test_method(self, viva, text):
        check.equals(await viva.say(text), f"1: {text}")
""",
    )
    done = suite.pytest("-v", "--junitxml=out.xml")
    words = dict(re.findall(r"^test_it.py::(\S+) (\w+ ?(?:\(.*?\))?) *\[", done.out, re.MULTILINE))
    assert words == {
        "test_enough": "PASSED (3/4 passed)",
        "test_not_enough": "FAILED (3/4 passed)",
        "test_each_run_begins_anew": "PASSED (2/2 passed)",
        "test_without_the_fixture": "PASSED (1/3 passed)",
        "test_skips": "SKIPPED (no key)",
        "test_impossible": "FAILED ",
        "test_misspelt": "FAILED ",
        "TestMethods::test_method[a]": "PASSED (2/2 passed)",
        "TestMethods::test_method[b]": "PASSED (2/2 passed)",
    }
    assert "3/4 passed, 4 needed\nrun 4: AssertionError: output was 'bad', wanted 'good'" in done.out
    assert re.search(r"Captured conversation of run 4 call -+\nuser: x\nagent: bad", done.out)
    assert "3 of 2 runs cannot pass" in done.out
    assert "takes runs, min_pass and agent, not ['run']" in done.out
    assert '<property name="viva_runs" value="3/4 passed"' in (suite.root / "out.xml").read_text()


def test_the_time_limit_of_a_test_is_for_all_its_runs(suite: Suite):
    suite.write(
        "test_it.py",
        "import time, pytest\n"
        "import vivavoce.pytest_plugin.repeating\n"
        "@pytest.mark.timeout(3)\n@pytest.mark.viva(runs=3, min_pass=1)\n"
        "def test_slow():\n    time.sleep(600)\n",
    )
    done = suite.pytest()
    assert "FAILED test_it.py::test_slow - Failed: Timeout (>3.0s) from pytest-timeout" in done.out
    assert "needed" not in done.out


def kept_runs(suite: Suite) -> list[Any]:
    return open_history(Project(root=suite.root)).runs(9)


def test_a_session_is_one_run_in_the_history(suite: Suite):
    suite.write("cases.jsonl", CASES)
    suite.write("more.viva.yaml", "turns: [{user: hi}]\n")
    suite.pytest("-q", "cases.jsonl", "more.viva.yaml")
    (run,) = kept_runs(suite)
    counts = run.summary
    assert (counts.total, counts.passed, counts.failed, counts.errors, counts.skipped) == (8, 3, 2, 1, 2)
    assert (counts.not_run, counts.interrupted, run.info.command) == (
        0,
        None,
        "pytest -W error -p no:langsmith -q cases.jsonl more.viva.yaml",
    )
    assert suite.pytest("-q", "cases.jsonl::ok", "--viva-no-history").code == 0
    assert len(kept_runs(suite)) == 1


def test_run_options_come_from_flags_variables_and_viva_yaml(suite: Suite):
    suite.write("a.viva.json", '[{"id": "A", "input": "x"}, {"id": "B", "input": "x"}]')

    def runs(*flags: str, **variables: str) -> list[int]:
        suite.pytest("-q", "--viva-output=out.jsonl", *flags, **variables)
        rows = [json.loads(line) for line in (suite.root / "out.jsonl").read_text().splitlines()]
        return [row.get("runs", 1) for row in rows if row["type"] == "result"]

    assert runs() == [1, 1]
    suite.write("viva.yaml", f"{CONFIG}run: {{runs: 2}}\n")
    assert runs() == [2, 2]
    assert runs(VIVA_RUNS="3") == [3, 3]
    assert runs("--viva-runs=4", VIVA_RUNS="3") == [4, 4]
    assert "--viva-runs: 'many' is not a whole number" in suite.pytest("-q", "--viva-runs=many").out


def test_hooks_reports_and_limits_are_those_of_every_run(suite: Suite):
    suite.write("scripts/around.py", "def before():\n    return {'WORD': 'hi'}\ndef after():\n    open('after', 'w')\n")
    suite.write(
        "cases.jsonl",
        '{"id": "A", "input": "${WORD}", "expected": "1: hi"}\n{"id": "B", "input": "raise"}\n'
        '{"id": "C", "input": "x"}\n',
    )
    flags = ["--viva-before=around.before", "--viva-after=around.after", "--viva-output=o.md", "--viva-fail-fast"]
    done = suite.pytest("-v", "cases.jsonl", *flags)
    assert done.outcomes == {"cases.jsonl::A": "PASSED", "cases.jsonl::B": "FAILED"}
    assert "viva: enough cases failed" in done.out
    assert (suite.root / "after").exists()
    assert "Not run" in (suite.root / "o.md").read_text() or "not run" in (suite.root / "o.md").read_text()


def test_an_unfinished_session_is_gone_on_with(suite: Suite):
    mendable = "        import os\n        if os.path.exists('mended'):\n            return 'ok'\n"
    agent = AGENT.replace("        raise ValueError", f"{mendable}        raise ValueError")
    suite.write("agent.py", agent)
    suite.write("cases.jsonl", '{"id": "A", "input": "raise"}\n{"id": "B", "input": "x"}\n')
    suite.pytest("-q", "-x", "cases.jsonl", "--viva-output=out.jsonl")
    (suite.root / "mended").touch()
    done = suite.pytest("-v", "cases.jsonl", "--viva-output=out.jsonl", "--viva-resume=out.jsonl")
    assert done.outcomes == {"cases.jsonl::A": "FAILED", "cases.jsonl::B": "PASSED"}, "A is not asked again"
    suite.write("agent.py", agent + "# changed")
    done = suite.pytest("-v", "cases.jsonl", "--viva-output=out.jsonl", "--viva-resume=out.jsonl")
    assert done.outcomes == {"cases.jsonl::A": "PASSED", "cases.jsonl::B": "PASSED"}, "another agent is"


def test_a_case_that_is_not_in_order_fails_and_nobody_is_called(suite: Suite):
    suite.write("a.viva.json", '[{"id": "A", "input": "x", "agent": "eco"}, {"id": "B", "input": "x"}]')
    done = suite.pytest("-v")
    assert done.outcomes == {"a.viva.json::A": "FAILED", "a.viva.json::B": "PASSED"}
    assert "unknown agent 'eco' (did you mean 'echo'?)" in done.out


def test_a_failing_hook_makes_the_session_red(suite: Suite):
    suite.write("scripts/around.py", "def bad():\n    raise ValueError('no database')\n")
    suite.write("a.viva.yaml", "turns: [{user: hi}]\n")
    assert "no database" in suite.pytest("-q", "--viva-before=around.bad").out
    assert suite.pytest("-q", "--viva-after=around.bad").code == 3


def test_it_costs_nothing_when_unused(suite: Suite):
    suite.write(
        "test_it.py",
        "import sys\ndef test_it():\n"
        "    ours = {name for name in sys.modules if name.split('.')[0] == 'vivavoce'}\n"
        "    options = {'vivavoce.' + name for name in ('project', 'project.option', 'project.run_options',"
        " 'project.selecting_options', 'project.measuring_options', 'project.tape_options', 'pytest_plugin.options')}\n"
        "    assert ours == {'vivavoce', 'vivavoce.version', 'vivavoce.pytest_plugin', *options}\n"
        "    assert 'msgspec' not in sys.modules\n",
    )
    done = suite.pytest("-q", "-p", "no:xdist", "-p", "no:hypothesispytest")
    assert done.last.startswith("1 passed"), done.out


def test_it_is_found_by_its_entry_point_and_can_be_switched_off(suite: Suite):
    suite.write("a.viva.yaml", "turns: [{user: hi}]\n")
    assert "--viva-agent" in suite.pytest("--help").out
    assert suite.pytest("-q", "-p", "no:viva").last.startswith("no tests ran")


ASYNC_TESTS = """
import asyncio
import pathlib
import pytest
from vivavoce import check

def note(name):
    with pathlib.Path(__file__).with_name("ran.txt").open("a") as ran:
        ran.write(name + "\\n")

@pytest.fixture
def order():
    return 1234

@pytest.fixture
def other(viva):
    return viva.agent("other")

async def test_plain(viva, order):
    note("plain")
    await asyncio.sleep(0)
    check.equals(await viva.say(f"order {order}"), "1: order 1234")

@pytest.mark.parametrize("text", ["a", "b"])
async def test_parametrized(viva, text):
    note(text)
    check.equals(await viva.say(text), f"1: {text}")

@pytest.mark.viva(runs=4, min_pass=3, agent="flaky")
async def test_repeated(viva):
    note("repeated")
    check.equals(await viva.say("x"), "good")

async def test_through_a_fixture(other):
    note("other")
    check.equals(await other.say("x"), "other: x")

class TestInAClass:
    async def test_method(self, viva):
        note("method")
        await check.script(await viva.say("m"), "scripts:agent.is_short")

@pytest.mark.viva(runs=2)
async def test_without_the_fixture():
    note("bare")
    await asyncio.sleep(0)

async def test_fails(viva):
    note("fails")
    check.equals(await viva.say("x"), "y")

@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_anyio(viva, anyio_backend):
    note("anyio")
    check.equals(await viva.say("m"), "1: m")
"""


@pytest.mark.parametrize(
    "plugins",
    [
        ("-p", "no:asyncio", "-c", "bare.ini"),
        ("-o", "asyncio_mode=strict"),
        ("-o", "asyncio_mode=auto"),
        ("-p", "no:asyncio", "-c", "bare.ini", "-n", "2"),
    ],
    ids=["no async plugin", "asyncio strict", "asyncio auto", "xdist"],
)
def test_async_tests_run_once_whoever_takes_them(suite: Suite, plugins: tuple[str, ...]):
    suite.write("bare.ini", "[pytest]\n")
    suite.write("scripts/agent.py", "def is_short(output):\n    return len(output) < 9\n")
    suite.write("test_it.py", ASYNC_TESTS)
    done = suite.pytest(*plugins)
    assert done.last.strip("= ").startswith("1 failed, 8 passed in"), done.out
    assert "AssertionError: output was '1: x', wanted 'y'" in done.out
    assert "vivavoce/pytest_plugin" not in done.out
    ran = sorted((suite.root / "ran.txt").read_text().split())
    assert ran == sorted(["plain", "a", "b", *["repeated"] * 4, "other", "method", "bare", "bare", "fails", "anyio"])


def test_an_async_test_that_is_not_ours_stays_pytests(suite: Suite):
    suite.write("bare.ini", "[pytest]\n")
    suite.write("test_it.py", "async def test_it():\n    raise AssertionError('ran')\n")
    done = suite.pytest("-p", "no:asyncio", "-p", "no:anyio", "-c", "bare.ini")
    assert "async def functions are not natively supported" in done.out
