"""`viva compare`: the same cases against several agents or models, with the real process."""

import json
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

AGENTS = """
def good(text):
    return f"refund for {text}"

def bad(text):
    return "no" if text in ("q2", "q3") else f"refund for {text}"

def paid(messages):
    return {"content": "refund", "usage": {"input_tokens": 10, "output_tokens": 10}}
"""
CONFIG = """
agents:
  good: {python: agents.py:good}
  bad: {python: agents.py:bad}
  paid: {python: agents.py:paid}
connectors:
  small: {type: scripted, options: {rules: [], otherwise: "no"}}
  large: {type: scripted, options: {rules: [], otherwise: refund}}
"""


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    project.write("agents.py", AGENTS)
    project.write("viva.yaml", CONFIG)
    project.write("assistants/shop/package.yao", '{"name": "Shop", "connector": "large"}')
    check = {"assert": {"type": "contains", "value": "refund"}}
    project.cases(*({"id": f"T{n}", "input": f"q{n}", **check} for n in range(1, 6)))
    return project


def results(project: VivaProject, name: str = "out.jsonl") -> list[dict[str, Any]]:
    return [row for row in project.rows(name) if row["type"] == "result"]


def labels(project: VivaProject) -> list[tuple[str, str]]:
    return [(row["id"], row["case"]["agent"]) for row in results(project)]


def test_each_case_runs_with_each_agent_in_turns(shop: VivaProject):
    done = shop.viva("compare", "cases.jsonl", "-n", "good", "-n", "bad", "-o", "out.jsonl")
    assert done.code == 1
    assert labels(shop)[:4] == [("T1", "good"), ("T1", "bad"), ("T2", "bad"), ("T2", "good")]
    assert "5 test cases × 2 agents" in done.out
    assert "bad did not pass 2 of 5 cases" in done.out
    assert "good did not pass" not in done.out
    assert "viva test -i cases.jsonl::T2 -n bad" in done.out


def test_it_is_green_when_every_agent_passes_everything(shop: VivaProject):
    done = shop.viva("compare", "cases.jsonl", "-n", "good", "-n", "paid")
    assert done.code == 0
    assert "no real difference in passing" in done.out


def test_a_real_difference_is_told(shop: VivaProject):
    done = shop.viva("compare", "cases.jsonl", "-n", "good", "-n", "bad", "--runs", "5")
    assert "good passes more than bad: ahead in 2 cases, behind in 0" in done.out
    assert "pass^5" in done.out


def test_an_agent_runs_over_each_connector_and_one_without_runs_once(shop: VivaProject):
    flags = ("-n", "shop", "-n", "good", "-c", "small", "-c", "large")
    done = shop.viva("compare", "cases.jsonl", *flags, "-o", "out.jsonl")
    assert labels(shop)[:3] == [("T1", "shop @ small"), ("T1", "shop @ large"), ("T1", "good")]
    assert {row["case"]["agent"] for row in results(shop) if row["status"] == "failed"} == {"shop @ small"}
    assert "viva test -i cases.jsonl::T1 -n shop -c small" in done.out
    again = shop.viva("test", "-i", "cases.jsonl::T1", "-n", "shop", "-c", "small")
    assert again.code == 1


@pytest.mark.parametrize("width", ["60", "80", "160"])
def test_the_end_fits_the_terminal(shop: VivaProject, width: str):
    done = shop.viva("compare", "cases.jsonl", "-n", "good", "-n", "bad", "--runs", "2", COLUMNS=width)
    end = done.out[done.out.index("Comparison (5 cases") : done.out.index("Failures of bad")]
    assert max(map(len, end.splitlines())) <= int(width)
    assert "T2" in end


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "name at least two agents"),
        (("-n", "good"), "only one agent to compare"),
        (("-n", "good", "-n", "good"), "named twice"),
        (("-n", "good", "-n", "goood"), "did you mean 'good'"),
        (("-c", "small", "-c", "large"), "which agents"),
        (("-n", "good", "-n", "bad", "--early-stop"), "--early-stop"),
    ],
)
def test_what_cannot_be_compared_is_exit_2(shop: VivaProject, flags: tuple[str, ...], said: str):
    done = shop.viva("compare", "cases.jsonl", *flags)
    assert done.code == 2
    assert said in done.err


def test_an_agent_twice_in_viva_test_leads_here(shop: VivaProject):
    done = shop.viva("test", "cases.jsonl", "-n", "good", "-n", "bad")
    assert done.code == 2
    assert "viva compare" in done.err


def test_the_budget_is_for_each_agent(shop: VivaProject):
    flags = ("-n", "paid", "-n", "good", "--budget", "40tok", "-o", "out.jsonl")
    done = shop.viva("compare", "cases.jsonl", *flags)
    assert done.code == 1
    ran = {label: [] for label in ("paid", "good")}
    for row in results(shop):
        ran[row["case"]["agent"]].append(row["status"])
    assert ran == {"paid": ["passed"] * 2 + ["not_run"] * 3, "good": ["passed"] * 5}
    assert "paid: budget: 40 tokens spent" in done.out
    assert shop.viva("compare", "cases.jsonl", *flags, "--allow-not-run").code == 0


def test_an_unfinished_comparison_goes_on(shop: VivaProject):
    flags = ("compare", "cases.jsonl", "-n", "paid", "-n", "good", "-o", "out.jsonl")
    stopped = shop.viva(*flags, "--budget", "40tok")
    assert "viva compare" in stopped.out
    assert "--resume" in stopped.out
    done = shop.viva(*flags, "--resume")
    assert "7 of 10 cases done" in done.err
    assert done.code == 0
    assert sorted(labels(shop)) == sorted((f"T{n}", label) for n in range(1, 6) for label in ("paid", "good"))
    assert {row["status"] for row in results(shop)} == {"passed"}
    other = shop.viva("compare", "cases.jsonl", "-n", "good", "-n", "bad", "--resume", "out.jsonl")
    assert other.code == 2
    assert "another agent" in other.err


def test_the_history_knows_each_agent_by_itself(shop: VivaProject):
    shop.viva("compare", "cases.jsonl", "-n", "good", "-n", "bad")
    listed = json.loads(shop.viva("history", "--json").out)
    assert listed[0]["agent_id"] == "good vs bad"
    told = shop.viva("history", "--case", "T2", "--json").out
    assert {(one["agent"], one["status"]) for one in json.loads(told)} == {("bad", "failed"), ("good", "passed")}
