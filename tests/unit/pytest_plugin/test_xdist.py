"""Tests spread over processes: every worker is a session of its own."""

import pytest
from tests.unit.pytest_plugin.suite import CASES, Suite

from vivavoce.pytest_plugin.xdist import output_of_worker

pytestmark = pytest.mark.process


def test_tests_are_spread_over_processes(suite: Suite):
    suite.write("cases.jsonl", CASES)
    suite.write("test_it.py", "async def test_it(viva):\n    assert (await viva.say('x')).text == '1: x'\n")
    done = suite.pytest("-n", "2", "cases.jsonl", "test_it.py", "-k", "not asks and not later")
    assert done.last.strip("= ").startswith("3 failed, 3 passed in")
    assert "output does not contain 'refund'" in done.out


def test_each_worker_writes_a_file_of_its_own():
    assert output_of_worker("out/results.jsonl", "gw0") == "out/results-gw0.jsonl"
    assert output_of_worker("results", "gw1") == "results-gw1"
