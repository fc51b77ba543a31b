"""Case files as pytest sees them: a file is a collector, a case is an item."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.pytest_plugin.suite import CASES, INI, Suite

from vivavoce.wording.unsafe_characters import UNSAFE

pytestmark = pytest.mark.process


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


def test_a_bad_file_is_a_collection_error_that_names_every_problem(suite: Suite):
    suite.write("bad.viva.json", '[{"id": "A", "input": "x", "assrt": 1}, {"id": "B"}, {"id": "C", "input": "x"}]')
    suite.write("good.viva.yaml", "turns: [{user: hi}]\n")
    done = suite.pytest("-v")
    assert done.code == 2
    assert "unknown field 'assrt'" in done.out
    assert "did you mean 'assert'?" in done.out
    assert "no input: nobody says anything" in done.out
    assert "Traceback" not in done.out


def test_a_case_that_is_not_in_order_fails_and_nobody_is_called(suite: Suite):
    suite.write("a.viva.json", '[{"id": "A", "input": "x", "agent": "eco"}, {"id": "B", "input": "x"}]')
    done = suite.pytest("-v")
    assert done.outcomes == {"a.viva.json::A": "FAILED", "a.viva.json::B": "PASSED"}
    assert "unknown agent 'eco' (did you mean 'echo'?)" in done.out


POISON = "::stop-commands::y\n  ::add-mask::abc\n##[error]x ##vso[task]y \x1b]0;owned\x07\u202e"


def test_nothing_said_acts_on_a_terminal_or_on_the_log_of_github(suite: Suite):
    """Pytest prints what it is given as it is."""
    # What a function prints in a test of the user's own is the user's.
    body = "    if text != 'hello': print(P)\n    if text == 'raise': raise ValueError(P)\n    return P\n"
    suite.write("agent.py", f"P = {POISON!r}\n\ndef echo(text):\n{body}")
    suite.write("viva.yaml", "agents:\n  echo: {python: agent.py:echo}\nagent: echo\n")
    cases: list[dict[str, object]] = [
        {
            "id": POISON,
            "input": POISON,
            "assert": {"type": "contains", "value": "z", "message": POISON},
        },
        {"id": "raises", "input": "raise", "tags": ["x"]},
        {"id": "skipped", "input": "x", "skip": POISON},
        {"id": "other", "input": "x", "expected": POISON + "z"},
    ]
    suite.write("c.viva.json", json.dumps(cases))
    suite.write("bad.viva.json", json.dumps([{"id": "x", POISON: 1}]))
    suite.write("test_it.py", "async def test_it(viva):\n    await viva.say('hello')\n    assert False\n")
    for files in (("c.viva.json", "test_it.py"), ("bad.viva.json",)):
        done = suite.pytest("-v", "-rA", *files, GITHUB_ACTIONS="true")
        assert done.code in (1, 2), done.out
        assert not any(line.strip().startswith("::") for line in done.out.split("\n")), done.out
        assert not re.search(r"##\w*\[", done.out), done.out
        assert not re.search(UNSAFE, done.out.replace("\t", "")), done.out
        assert "stop-commands" in done.out


BESIDE: dict[str, Callable[[Path], object]] = {
    "UPPER.VIVA.YAML": lambda path: path.write_text("input: hi\nassert: {type: contains, value: never said}\n"),
    "Mixed.Viva.Yml": lambda path: path.write_text("input: hi\nassert: {type: contains, value: never said}\n"),
    "linked.viva.yaml": lambda path: path.symlink_to("nowhere"),
    "pipe.viva.yaml": lambda path: os.mkfifo(path),
    "empty.viva.yaml": lambda path: path.touch(),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_file_that_cannot_pass_makes_its_folder_red(suite: Suite, name: str):
    suite.write("tests/good.viva.yaml", "input: hi\n")
    assert suite.pytest("-q", "tests").code == 0
    BESIDE[name](suite.root / "tests" / name)
    done = suite.pytest("-q", "tests")
    assert done.code not in (0, 5), done.out
    assert name in done.out
