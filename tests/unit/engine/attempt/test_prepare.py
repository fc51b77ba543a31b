"""The last step before a case runs."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import FakeResources, case_of

from vivavoce.engine.attempt.prepare import prepared
from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.project.settings import Config


async def prepare(case: Case, root: Path, variables: dict[str, Any], **settings: Any) -> Case:
    resources = FakeResources({"fake": FakeTarget()}, RunSettings(agent="fake", **settings), root, Config())
    try:
        return prepared(case, variables, resources)
    finally:
        await resources.close()


async def test_variables_are_filled_into_lines_checks_and_options(tmp_path: Path):
    case = case_of(
        input="order ${ID}", assertions=[{"type": "contains", "value": "${ID}"}], options={"metadata": {"id": "${ID}"}}
    )
    filled = await prepare(case, tmp_path, {"ID": "A-17"})
    assert filled.turns[0].content == "order A-17"
    assert filled.assertions[0].fields["value"] == "A-17"
    assert filled.options.metadata == {"id": "A-17"}


async def test_an_undefined_variable_is_told_at_the_case(tmp_path: Path):
    with pytest.raises(UsageError, match=r"cases\.jsonl:1: undefined variable \$\{ID\}"):
        await prepare(case_of(input="order ${ID}"), tmp_path, {})


async def test_a_check_that_would_become_empty_is_refused(tmp_path: Path):
    case = case_of(input="hi", assertions=[{"type": "contains", "value": "${ID}"}])
    with pytest.raises(UsageError, match="a check would be empty"):
        await prepare(case, tmp_path, {"ID": ""})


async def test_a_literal_dollar_stays(tmp_path: Path):
    assert (await prepare(case_of(input="costs $5 or $${X}"), tmp_path, {})).turns[0].content == "costs $5 or ${X}"


async def test_a_case_without_variables_stays_the_same_object(tmp_path: Path):
    case = case_of(input="plain")
    assert await prepare(case, tmp_path, {}) is case


async def test_checks_of_an_input_case_belong_to_its_first_reply_when_a_simulator_goes_on(tmp_path: Path):
    case = case_of(input="hi", expected="hello")
    moved = await prepare(case, tmp_path, {}, simulator="agents:sim")
    assert [spec.type for spec in moved.turns[0].assertions] == ["equals"]
    assert moved.assertions == ()


async def test_checks_stay_where_they_are_in_a_case_of_turns(tmp_path: Path):
    case = case_of(turns=[{"input": "hi"}], assertions=[{"type": "contains", "value": "x"}])
    assert (await prepare(case, tmp_path, {}, simulator="agents:sim")).assertions == case.assertions


async def test_a_missing_attachment_is_an_error_of_the_case(tmp_path: Path):
    turn = {"input": "see", "attachments": [{"type": "file", "source": "file://gone.png"}]}
    with pytest.raises(UsageError, match=r"gone\.png"):
        await prepare(case_of(turns=[turn]), tmp_path, {})
