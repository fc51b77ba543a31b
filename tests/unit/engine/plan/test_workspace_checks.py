"""Agents that would never see a workspace are refused, with what to do instead."""

import pytest

from vivavoce.engine.plan.workspace_checks import refuse_workspace
from vivavoce.errors import UsageError
from vivavoce.model.agent_card import AgentCard
from vivavoce.model.case import Origin
from vivavoce.plugins.catalog import TARGETS
from vivavoce.protocols import TargetSpec

PLACE = Origin(path="tests/shop.yaml", line=3)


def refusal(kind: str, card: AgentCard | None = None, **config: object) -> UsageError | None:
    spec = TargetSpec(id="shop", kind=kind, config={kind: "x", **config})
    try:
        refuse_workspace(spec, card or AgentCard(id="shop", kind=kind), PLACE)
    except UsageError as problem:
        return problem
    return None


@pytest.mark.parametrize("kind", ["cmd", "python"])
def test_agents_that_run_as_part_of_a_case_are_given_one(kind: str):
    assert refusal(kind) is None


@pytest.mark.parametrize("kind", ["a2a", "agui", "anthropic", "http", "openai"])
def test_a_server_elsewhere_is_refused_with_the_kinds_that_take_one(kind: str):
    problem = refusal(kind)
    assert problem is not None
    assert str(problem).startswith(f"tests/shop.yaml:3: agent 'shop' ({kind}) does not run as part of a case")
    named = (problem.hint or "").partition("one: ")[2].partition(";")[0].split(", ")
    assert {"cmd", "python"} <= set(named)
    assert all(TARGETS.load(name).takes_workspace({}) for name in named)
    assert "serve: {per: attempt}" in (problem.hint or "")


def test_a_server_for_the_whole_run_is_refused_and_one_for_each_attempt_is_not():
    problem = refusal("agui", serve={"cmd": ["serve"]})
    assert problem is not None
    assert "is started once for the whole run" in str(problem)
    assert "`per: attempt`" in (problem.hint or "")
    assert "${PORT}" in (problem.hint or "")
    assert refusal("agui", serve={"cmd": ["serve"], "per": "attempt"}) is None


def test_an_agent_that_says_why_it_cannot_is_refused_in_its_words():
    problem = refusal("python", AgentCard(id="shop", kind="python", no_workspace="it lives in another process"))
    assert problem is not None
    assert str(problem).endswith("agent 'shop' cannot be given a workspace: it lives in another process")
