"""Groups environment, stability, exit_code, timeout of the run."""

from typing import Any

import msgspec
import pytest
from tests.conformance.checks import checks

from vivavoce.engine.attempt.identity import IdentityFlags, RunContext, context_of, identity_for
from vivavoce.engine.stability import classify, stability_of
from vivavoce.errors import exit_code_of
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, Status, Summary
from vivavoce.project.settings import IdentityConfig


@pytest.mark.parametrize("check", checks("environment"))
def test_environment(check: dict[str, Any]):
    context = context_of(check["ctx"]) if check["ctx"] else RunContext()
    case = Case(id="T", user=check["case"].get("user"), team=check["case"].get("team"))
    identity = msgspec.to_builtins(identity_for(case, IdentityFlags(**check["flags"]), context, IdentityConfig()))
    assert identity | check["env"] == identity


@pytest.mark.parametrize("check", checks("stability.classify"))
def test_classes(check: dict[str, Any]):
    assert classify(check["pass_rate"]) == check["stability_class"]


@pytest.mark.parametrize("check", checks("stability.metrics"))
def test_metrics(check: dict[str, Any]):
    attempts = [Attempt(status=Status(run["status"]), duration_ms=run["duration_ms"]) for run in check["runs"]]
    metrics = msgspec.to_builtins(stability_of(attempts))
    for name, wanted in check["metrics"].items():
        assert metrics[name] == (pytest.approx(wanted, abs=1e-6) if isinstance(wanted, float) else wanted), name


@pytest.mark.parametrize("check", [c for c in checks("exit_code") if "summary" in c.values[0]])
def test_exit_codes(check: dict[str, Any]):
    counts = check["summary"]
    assert exit_code_of(Summary(total=sum(counts.values()), **counts)) == check["exit_code"]
