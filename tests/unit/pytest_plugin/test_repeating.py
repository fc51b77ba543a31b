"""A test function run as often as its mark says."""

import re
from typing import Any

import pytest
from tests.unit.pytest_plugin.suite import Suite

from vivavoce.errors import UsageError
from vivavoce.pytest_plugin.repeating import RepeatRule

pytestmark = pytest.mark.process


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


@pytest.mark.parametrize(
    ("kwargs", "wanted"),
    [({}, (1, 1)), ({"runs": 3}, (3, 3)), ({"runs": 3, "min_pass": 2}, (3, 2)), ({"agent": "a"}, (1, 1))],
)
def test_all_runs_must_pass_unless_the_mark_says_otherwise(kwargs: dict[str, Any], wanted: tuple[int, int]):
    found = RepeatRule.by(pytest.mark.viva(**kwargs).mark)
    assert (found.runs, found.min_pass) == wanted
    assert RepeatRule.by(None) == RepeatRule(1, 1)


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        (pytest.mark.viva(runs=2, min_pass=3), "3 of 2 runs cannot pass"),
        (pytest.mark.viva(runs=0), "0 of 0 runs cannot pass"),
        (pytest.mark.viva(runs="3"), "runs and min_pass are whole numbers"),
        (pytest.mark.viva(runs=True), "runs and min_pass are whole numbers"),
        (pytest.mark.viva(3), r"takes runs, min_pass and agent, not \(3,\)"),
        (pytest.mark.viva(run=3), r"not \['run'\]"),
    ],
    ids=["too many", "none", "text", "bool", "positional", "misspelt"],
)
def test_a_mark_that_cannot_be_meant_is_refused(mark: pytest.MarkDecorator, said: str):
    with pytest.raises(UsageError, match=said):
        RepeatRule.by(mark.mark)
