"""Faults and mocks that can never come to pass are refused, with where they could."""

from typing import Any

import pytest
from tests.fakes.examining import case_of

from vivavoce.engine.plan.intervention_checks import refuse_interventions, struck_at
from vivavoce.errors import UsageError
from vivavoce.model.agent_card import AgentCard, ToolSpec
from vivavoce.notation.fault_notation import read_fault
from vivavoce.plugins.catalog import TARGETS
from vivavoce.protocols import TargetSpec


def refused(
    case: dict[str, Any], *run_faults: str, kind: str = "cmd", card: AgentCard | None = None, **config: Any
) -> str:
    """What is said; empty when nothing is wrong."""
    spec = TargetSpec(id="a", kind=kind, config=config)
    card = card or AgentCard(id="a", kind=kind, tools=(ToolSpec(name="pay"),))
    faults = [read_fault(fault) for fault in run_faults]
    try:
        refuse_interventions(case_of(input="hi", **case), faults, spec, TARGETS.load(kind), card)
    except UsageError as problem:
        return str(problem)
    return ""


def test_where_viva_stands_follows_from_the_kind_and_its_fields():
    def places(**config: Any) -> tuple[str, ...]:
        return struck_at(TargetSpec(id="a", kind="cmd", config=config), TARGETS.load("cmd"))

    assert set(places(model_proxy=True, mcp_mock=True)) - set(places()) == {"model", "tool"}
    assert places(model_proxy=False, mcp_mock=None) == places()


def test_a_fault_of_the_model_needs_the_proxy():
    said = refused({"faults": ["model:429@2"]})
    assert said.startswith("cases.jsonl:1: fault model:429@2 can never strike")
    assert "give the agent `model_proxy: true`" in said
    assert refused({"faults": ["model:429@2"]}, model_proxy=True) == ""


def test_a_fault_of_the_run_is_held_against_each_case():
    assert "fault model:429 can never strike" in refused({}, "model:429")


def test_a_fault_or_mock_of_a_tool_needs_the_mcp_mock():
    for case in ({"faults": ["tool:pay:error"]}, {"mocks": [{"name": "pay", "answer": 1}]}):
        assert "start it with `viva mcp-mock`" in refused(case)
        assert refused(case, mcp_mock=True) == ""


@pytest.mark.parametrize("case", [{"faults": ["tool:pya:error"]}, {"mocks": [{"name": "pya", "answer": 1}]}])
def test_a_tool_that_the_agent_does_not_have_is_refused_with_its_name(case: dict[str, Any]):
    assert "agent 'a' has no tool 'pya' (did you mean 'pay'?)" in refused(case, kind="package")
    more = AgentCard(id="a", kind="package", has_more_tools=True)
    assert refused(case, kind="package", card=more) == ""


def test_without_any_tool_that_is_said():
    said = refused({"faults": ["tool:pay:error"]}, kind="package", card=AgentCard(id="a", kind="package"))
    assert "its tools: none" in said
