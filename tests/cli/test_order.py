"""`--order`, `--time-limit` and `priority`: which cases run first, and which do not run."""

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

SAYS_ECHO = {"assert": {"type": "contains", "value": "echo"}}


def order_of(project: VivaProject, *flags: str) -> list[str]:
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *flags)
    return [row["id"] for row in project.rows("out.jsonl") if row["type"] == "result"]


def test_risk_runs_what_is_new_then_what_failed_then_the_rest(project: VivaProject):
    old = [{"id": "ok", "input": "x", **SAYS_ECHO}, {"id": "bad", "input": "raise"}]
    project.cases(*old)
    assert order_of(project, "--order", "file") == ["ok", "bad"]
    project.cases(*old, {"id": "new", "input": "y"})
    assert order_of(project, "--order", "risk") == ["new", "bad", "ok"]
    assert order_of(project, "--order", "failed-first")[0] == "bad"


def test_random_can_be_repeated(project: VivaProject):
    project.cases(*({"id": f"c{number}", "input": "x"} for number in range(12)))
    first = order_of(project, "--order", "random:7")
    assert first != sorted(first, key=lambda name: int(name[1:]))
    assert order_of(project, "--order", "random:7") == first
    assert "--order random:" in project.viva("test", "-i", "cases.jsonl", "--order", "random").err


def test_cases_not_begun_in_time_are_not_run_and_red_unless_allowed(project: VivaProject):
    project.cases(*({"id": f"c{number}", "input": "slow"} for number in range(5)))
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--time-limit", "1ms")
    assert done.code == 1
    statuses = [row["status"] for row in project.rows("out.jsonl") if row["type"] == "result"]
    assert statuses.count("not_run") >= 4
    assert len(statuses) == 5
    assert "time limit" in done.out


@pytest.mark.parametrize(
    ("flags", "said"),
    [(("--order", "riks"), "did you mean 'risk'"), (("--time-limit", "soon"), "soon")],
)
def test_bad_values_are_exit_2(project: VivaProject, flags: tuple[str, ...], said: str):
    project.cases({"id": "a", "input": "x"})
    done = project.viva("test", "-i", "cases.jsonl", *flags)
    assert done.code == 2
    assert said in done.err


def test_a_priority_out_of_range_is_exit_2(project: VivaProject):
    project.cases({"id": "a", "input": "x", "priority": 4})
    done = project.viva("test", "-i", "cases.jsonl")
    assert done.code == 2
    assert "priority" in done.err
