"""The conformance checks of what generators answer."""

from typing import Any

import pytest
from tests.conformance.checks import checks
from tests.fakes.evidence import FakeJudge

from vivavoce.protocols import AgentCard
from vivavoce.sources.generated import GeneratedSource
from vivavoce.sources.input_ref import classify


@pytest.mark.parametrize("check", checks("generator.parse"))
async def test_generator_reply(check: dict[str, Any]):
    source = GeneratedSource(classify("agents:gen"))
    made = await source.generate(FakeJudge(check["text"]), AgentCard(id="target", kind="fake"))
    if "ids" in check:
        assert [case.id for case in made.cases] == check["ids"]
        assert made.problems == []
    else:
        assert made.cases == []
        assert check["error_contains"] in str(made.problems[0])
