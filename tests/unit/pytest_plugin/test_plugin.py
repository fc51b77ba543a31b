"""The plugin in real pytest runs: the fixture, async tests, and what it costs when unused."""

import re

import pytest
from tests.unit.pytest_plugin.suite import Suite

pytestmark = pytest.mark.process


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


def test_it_costs_nothing_when_unused(suite: Suite):
    suite.write(
        "test_it.py",
        "import sys\ndef test_it():\n"
        "    ours = {name for name in sys.modules if name.split('.')[0] == 'vivavoce'}\n"
        "    options = {'vivavoce.' + name for name in ('project', 'project.option', 'project.run_options',"
        " 'project.selecting_options', 'project.output_options', 'project.report_formats',"
        " 'project.tape_options', 'pytest_plugin.options')}\n"
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
