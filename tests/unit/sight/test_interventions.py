"""Faults and mocks of a case reach the tools and the model of an agent package, and are told."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.examining import case_of

import vivavoce
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.intervention_checks import refuse_interventions
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.model.result import Attempt, Status
from vivavoce.notation.fault_notation import read_fault
from vivavoce.project.project import Project
from vivavoce.protocols import Job

EXAMPLE = Path(vivavoce.__file__).parent / "examples" / "expense"
POLICY = {"input": "What is the limit for travel?"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "expense"))


async def examined(root: Path, *run_faults: str, **case: Any) -> Attempt:
    faults = tuple(read_fault(fault) for fault in run_faults)
    resources = RunResources(Project(root=root), RunSettings(agent="expense", faults=faults))
    try:
        return await Examination(resources, lambda _: None).attempt(Job(case=case_of(**case), index=1))
    finally:
        await resources.close()


@pytest.mark.parametrize(
    ("fault", "result", "error"),
    [
        ("tool:get_policy:error", None, "the tool failed"),
        ({"at": "tool", "name": "get_policy", "kind": "timeout", "message": "late"}, None, "late"),
        ({"at": "tool", "name": "get_policy", "kind": "result", "result": {"limit": 7}}, {"limit": 7}, None),
    ],
)
async def test_a_tool_fails_as_the_case_says_and_the_report_shows_where(
    root: Path, fault: Any, result: Any, error: Any
):
    attempt = await examined(root, faults=[fault], **POLICY)
    [call] = attempt.transcript.turns[0].reply.calls
    assert (call.result or None, call.error) == (result, error)
    assert "struck at call 1 of get_policy" in attempt.warnings[0]
    assert attempt.transcript.turns[0].reply.trace[-1]["type"] == "fault"


async def test_a_result_may_gain_a_field_or_become_huge(root: Path):
    more = await examined(root, "tool:get_policy:unknown_field", **POLICY)
    huge = await examined(root, "tool:get_policy:huge", **POLICY)
    results: list[Any] = [attempt.transcript.turns[0].reply.calls[0].result for attempt in (more, huge)]
    assert (results[0]["limit"], results[0]["x_unknown"]) == (5000, "?")
    assert len(results[1]["padding"]) == 1_000_000


async def test_a_busy_model_is_asked_again_and_a_broken_one_ends_the_case(root: Path):
    busy = await examined(root, "model:429@2", **POLICY)
    assert busy.status is Status.PASSED
    assert "5000" in busy.transcript.turns[0].reply.text
    assert "fault model:429@2 struck at model call 2" in busy.warnings[0]
    assert "HTTP 429" in busy.retries[0]
    broken = await examined(root, "model:500", **POLICY)
    assert (broken.status, broken.fault) == (Status.ERROR, "target")


@pytest.mark.parametrize(("kind", "finish"), [("refusal", "content_filter"), ("empty", "stop"), ("length", "length")])
async def test_a_model_may_refuse_or_say_nothing_or_half(root: Path, kind: str, finish: str):
    attempt = await examined(root, f"model:{kind}", input="Hello")
    assert attempt.transcript.turns[0].reply.finish_reason == finish


async def test_a_fault_that_never_fired_makes_the_case_an_error_of_the_test(root: Path):
    attempt = await examined(root, faults=["tool:create_expense:error@2"], **POLICY)
    assert (attempt.status, attempt.fault) == (Status.ERROR, "test")
    assert attempt.error == "fault tool:create_expense:error@2 never happened: 0 such calls"


async def test_a_mock_answers_in_place_of_the_function(root: Path):
    mocks = [
        {"name": "get_policy", "when": [{"args": {"category": "travel"}, "answer": {"limit": 1, "category": "x"}}]}
    ]
    attempt = await examined(root, mocks=mocks, **POLICY)
    assert attempt.transcript.turns[0].reply.text == "We pay up to $1 for x. A receipt is needed."


async def test_what_can_never_come_to_pass_is_refused(root: Path):
    resources = RunResources(Project(root=root), RunSettings(agent="expense"))
    spec, kind = resources.spec("expense"), resources.kind("expense")
    for fields, why in (
        ({"mocks": [{"name": "get_polcy", "answer": 1}]}, "has no tool 'get_polcy'"),
        ({"faults": ["tool:pay:error"]}, "has no tool 'pay'"),
        ({"faults": ["stream:cut"]}, "can never strike"),
    ):
        case = case_of(input="x", **fields)
        with pytest.raises(UsageError, match=why):
            refuse_interventions(case, (), spec, kind, resources.card(case))
    await resources.close()


@pytest.mark.parametrize(
    "written",
    ["model", "model:430", "tool:error", "model:429@x", "model:429@0", {"at": "model", "kind": "429", "rate": 0.5}],
)
def test_a_fault_that_cannot_be_is_refused_when_it_is_read(written: Any):
    with pytest.raises(UsageError):
        read_fault(written)
