"""`viva shrink`: the smallest conversation that still fails, as a case; what it prints and exits with."""

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
async def clerk(messages, context):
    said = " ".join(m["content"] for m in messages if m["role"] == "user")
    return "You get 900 EUR." if "coupon" in said and "refund" in messages[-1]["content"] else "Of course."
"""
LINES = ["Hello.", "I have a coupon.", "It is blue.", "A refund, please."]
CASE = {
    "id": "long",
    "turns": [{"input": line} for line in LINES],
    "final_assertions": [{"type": "not_contains", "value": "900"}],
}


@pytest.fixture
def failed(project: VivaProject) -> VivaProject:
    project.write("agent.py", AGENT)
    project.write("viva.yaml", "agents:\n  clerk: {python: agent.py:clerk}\nagent: clerk\n")
    project.cases(CASE, {"id": "fine", "input": "Hello."})
    assert project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 1
    return project


def test_it_writes_a_smaller_case_that_fails_as_the_command_it_prints(failed: VivaProject):
    done = failed.viva("shrink", "out.jsonl::long", "-o", "small.jsonl")
    assert done.code == 0, done.text
    assert "4 turns" in done.out
    assert "it failed in 1 of 1 run:" in done.out
    assert done.out.endswith("\nviva test -i small.jsonl::long-shrunk\n")
    again = failed.viva("test", "-i", "small.jsonl::long-shrunk", "-o", "again.jsonl")
    assert (again.code, failed.statuses("again.jsonl")) == (1, {"long-shrunk": "failed"})
    [row] = [row for row in failed.rows("again.jsonl") if row["type"] == "result"]
    assert len(row["turns"]) == 2


def test_a_failure_that_does_not_come_again_is_exit_1_and_nothing_is_written(failed: VivaProject):
    failed.write("agent.py", "async def clerk(messages, context):\n    return 'Of course.'\n")
    done = failed.viva("shrink", "out.jsonl::long", "-o", "small.jsonl")
    assert (done.code, "long did not fail again in the same way: it passes now" in done.out) == (1, True), done.text
    assert not (failed.root / "small.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["out.jsonl::fine"], "nothing to shrink"),
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["out.jsonl::long", "-o", "small.yaml"], "cases are written as JSON lines"),
        (["out.jsonl::long", "--runs", "2", "--min-fail", "3"], "cannot fail 3 times in 2 runs"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_shrunk_is_exit_2(failed: VivaProject, arguments: list[str], said: str):
    done = failed.viva("shrink", *arguments)
    assert (done.code, said in done.err) == (2, True), done.text
