"""`-i scripts.AGENT.MODULE` in the real process: script tests are cases like any other."""

import json
import time
import xml.etree.ElementTree as ET

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

TESTS = '''
import sys
from vivavoce.script_testing import process

import prices


def TestAsks(t, ctx):
    """It answers what it is asked."""
    answer = process("agents.echo.Stream", ctx, [{"role": "user", "content": "hi"}])
    t.log("it said", answer.content)
    print("printed by the test")
    t.assert_.Contains(answer.content, "hi")
    t.assert_.Equal(prices.FLIGHT, 2000)


async def test_async(t, ctx):
    answer = await process("agents.echo.Stream", ctx, "tool")
    t.assert_.equal(answer.tool_calls[0]["args"], {"amount": 5})


def test_fails(t):
    t.assert_.Equal(1, 2, "the amount")
    t.assert_.true(len("a") == 1)
    t.assert_.Matches("abc", "^x")


def test_gives_up(t):
    t.fatal("no way on")


def test_skips(t):
    t.skip("needs a database")


def test_crashes(t):
    raise ValueError("boom")


def test_leaves(t):
    sys.exit(5)


def test_loops(t):
    while True:
        pass
'''
WANTED = {
    "TestAsks": "passed",
    "test_async": "passed",
    "test_fails": "failed",
    "test_gives_up": "failed",
    "test_skips": "skipped",
    "test_crashes": "error",
    "test_leaves": "error",
    "test_loops": "timeout",
}


@pytest.fixture
def tested(project: VivaProject) -> VivaProject:
    project.write("assistants/shop/package.yao", '{"name": "Shop"}')
    project.write("assistants/shop/src/prices.py", "FLIGHT = 2000\n")
    project.write("assistants/shop/src/setup_test.py", TESTS)
    return project


def run(project: VivaProject, *flags: str):
    return project.viva("test", "-i", "scripts.shop.setup", "--timeout", "1s", "-o", "out.jsonl", *flags)


def test_every_ending_of_a_test_is_a_status_of_its_case(tested: VivaProject):
    began = time.monotonic()
    done = run(tested, "-j", "4")
    assert time.monotonic() - began < 30
    assert done.code == 1
    assert tested.statuses() == {f"shop.setup::{name}": status for name, status in WANTED.items()}
    rows = {row["id"].partition("::")[2]: row for row in tested.rows() if row["type"] == "result"}
    assert rows["test_fails"]["error"] == (
        'Equal: the amount: wanted 2, got 1 (line 23); Matches: /^x/ is not in "abc" (line 25)'
    )
    assert rows["test_skips"]["skip_reason"] == "needs a database"
    assert rows["test_crashes"]["fault"] == "test"
    assert "ValueError: boom" in rows["test_crashes"]["error"]
    assert 'raise ValueError("boom")' in rows["test_crashes"]["logs"]
    assert rows["test_loops"]["error"] == "timeout after 1s"
    assert rows["TestAsks"]["line"] == 8
    assert rows["TestAsks"]["output"]["logs"] == ["it said echo: hi"]
    assert "printed by the test" in rows["TestAsks"]["logs"]
    assert "printed by the test" not in done.out


def test_all_report_formats_show_them(tested: VivaProject):
    run(tested, "--run", "TestAsks|test_fails|test_skips", "-o", "r.json", "-o", "r.md", "-o", "r.xml", "-o", "r.html")
    report = json.loads((tested.root / "r.json").read_text())
    assert {r["id"].partition("::")[2]: r["status"] for r in report["results"]} == {
        name: WANTED[name] for name in ("TestAsks", "test_fails", "test_skips")
    }
    markdown = (tested.root / "r.md").read_text()
    assert "wanted 2, got 1" in markdown
    assert "needs a database" in markdown
    suite = ET.parse(tested.root / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert "needs a database" in (tested.root / "r.html").read_text()


def test_reports_can_be_made_again_from_the_results(tested: VivaProject):
    run(tested, "--run", "test_skips|test_fails")
    done = tested.viva("report", "out.jsonl", "-o", "again.json")
    assert done.code == 0, done.text
    again = json.loads((tested.root / "again.json").read_text())
    assert [r["assertions"][0]["outcome"] for r in again["results"]] == ["failed", "skipped"]


def test_a_test_is_chosen_by_name_and_rerun_as_the_console_says(tested: VivaProject):
    done = run(tested, "--run", "test_fails$")
    assert done.counts["Total"] == 1
    assert "viva test -i scripts.shop.setup --run 'shop.setup::test_fails$'" in done.out


def test_a_run_of_nothing_but_skips_is_green_and_says_so(tested: VivaProject):
    done = run(tested, "--run", "test_skips")
    assert done.code == 0
    assert "needs a database" in done.out


def test_the_agent_flag_does_not_turn_a_test_into_a_message(tested: VivaProject):
    done = run(tested, "-n", "blocking", "--run", "TestAsks")
    assert done.code == 0, done.text


def test_the_user_of_the_run_reaches_the_agents_a_test_calls(tested: VivaProject):
    tested.write("agent.py", "def echo(messages, ctx):\n    return ctx['identity']['user_id']\n\nblocking = echo\n")
    tested.write(
        "assistants/shop/src/who_test.py",
        "from vivavoce.script_testing import process\n\n"
        "def test_who(t, ctx):\n    t.assert_.equal(process('agents.echo.Stream', ctx, 'hi').content, 'alice')\n",
    )
    done = tested.viva("test", "-i", "scripts.shop.who", "-u", "alice")
    assert done.code == 0, done.text


def test_they_are_listed_and_validated_without_being_run(tested: VivaProject):
    listed = tested.viva("list", "-i", "scripts.shop.setup")
    assert listed.code == 0
    assert "assistants/shop/src/setup_test.py::shop.setup::TestAsks" in listed.out
    assert tested.viva("validate", "-i", "scripts.shop.setup").code == 0


def test_they_run_from_any_folder_of_the_project(tested: VivaProject):
    inner = VivaProject.__new__(VivaProject)
    inner.root = tested.root / "assistants" / "shop"
    done = inner.viva("test", "-i", "scripts.shop.setup", "--run", "TestAsks")
    assert done.code == 0, done.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def test_x(t:\n", "setup_test.py:1: syntax error"),
        ("import nothing_like_this\ndef test_x(t): ...\n", "No module named 'nothing_like_this'"),
        ("x = 1\n", "no tests in this file"),
    ],
    ids=["syntax", "import", "empty"],
)
def test_a_file_that_cannot_be_used_is_exit_2(tested: VivaProject, text: str, says: str):
    tested.write("assistants/shop/src/setup_test.py", text)
    done = run(tested)
    assert done.code == 2
    assert says in done.err


def test_a_file_that_is_not_there_is_exit_2_with_the_nearest(tested: VivaProject):
    done = tested.viva("test", "-i", "scripts.shop.setpu")
    assert done.code == 2
    assert "did you mean 'setup'?" in done.err


def test_saved_as_cases_they_still_run(tested: VivaProject):
    assert run(tested, "--dry-run", "--run", "TestAsks").code == 0
    done = tested.viva("test", "-i", "out.jsonl", "-o", "again.jsonl")
    assert done.code == 0, done.text
    assert tested.statuses("again.jsonl") == {"shop.setup::TestAsks": "passed"}
