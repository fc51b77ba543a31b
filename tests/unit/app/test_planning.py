"""From a request to a plan: everything that is wrong is known before the first call."""

from pathlib import Path

import pytest
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.planning import NothingSelected, planned, run_info
from vivavoce.app.request import RunRequest
from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.project.run_defaults import RunDefaults

ONE = {"id": "A", "input": "hi", "tags": ["slow"]}
TWO = {"id": "B", "input": "ho"}


async def selected(request: RunRequest) -> list[str]:
    async with planned(request) as ready:
        return [case.id for case in ready.plan.cases()]


async def test_the_cases_of_a_file_are_planned_in_its_order(request_for: MakeRequest):
    assert await selected(request_for(ONE, TWO)) == ["A", "B"]


async def test_every_problem_is_raised_at_once(request_for: MakeRequest):
    with pytest.raises(ManyProblems) as caught:
        await selected(request_for({"id": "A", "inptu": "hi"}, {"id": "B", "input": "x", "agent": "nobody"}))
    assert [str(problem.at) for problem in caught.value.problems] == ["cases.jsonl:1", "cases.jsonl:2"]


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"pattern": "zzz"}, "--run"),
        ({"keywords": "zzz"}, "-k"),
        ({"marks": "zzz"}, "-m"),
        ({"tags": ("zzz",)}, "--tag"),
    ],
)
async def test_a_selection_that_leaves_nothing_names_the_flag(request_for: MakeRequest, options, flag):
    with pytest.raises(NothingSelected, match="none of the 2 cases found is selected") as caught:
        await selected(request_for(ONE, TWO, **options))
    assert flag in str(caught.value.hint)


async def test_a_file_without_cases_is_never_a_green_run(request_for: MakeRequest):
    with pytest.raises(ManyProblems, match=r"^cases\.jsonl: no cases found in it"):
        await selected(request_for())


async def test_a_run_of_messages_alone_is_known_and_not_kept(root: Path):
    request = RunRequest.of({"messages": ("hello there",)}, {}).with_defaults(RunDefaults())
    async with planned(request) as ready:
        assert (ready.only_messages, ready.is_kept) == (True, False)


async def test_cases_of_a_file_are_kept(request_for: MakeRequest):
    async with planned(request_for(ONE)) as ready:
        assert (ready.only_messages, ready.is_kept) == (False, True)


async def test_cases_of_a_program_are_planned_after_those_of_files(request_for: MakeRequest):
    made = Case(id="C", turns=(ScriptedTurn(content="hi"),))
    assert await selected(request_for(ONE, cases=(made,))) == ["A", "C"]


async def test_the_report_says_what_is_about_to_run(request_for: MakeRequest):
    async with planned(request_for(ONE, TWO, runs=3)) as ready:
        info = run_info(ready)
    assert (info.agent_id, info.total_cases, info.runs_per_case) == ("a", 2, 3)
    assert info.inputs == ("cases.jsonl",)


async def test_a_live_object_is_an_agent_like_any_other(request_for: MakeRequest):
    def reply(text: str) -> str:
        return text

    async with planned(request_for(ONE, agent=reply)) as ready:
        assert ready.resources.card(next(ready.plan.cases())).kind == "python"


async def test_a_missing_file_is_a_usage_error(root: Path):
    with pytest.raises(UsageError):
        await selected(RunRequest.of({"inputs": ("nowhere.jsonl",)}, {}).with_defaults(RunDefaults()))
