"""The tests of the shipped examples are strong, and every weakening of them shows in their score."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

import vivavoce
from vivavoce.app.mutating import mutate
from vivavoce.app.rejudging import planned_again
from vivavoce.app.request import RunRequest
from vivavoce.cli.commands.init import write_project
from vivavoce.engine.rejudging import case_of_recording
from vivavoce.insight.mutants.case_score import case_score
from vivavoce.insight.mutants.mutant import RunPool
from vivavoce.insight.mutants.pool import pool_of
from vivavoce.insight.mutants.score import Counts, summed
from vivavoce.insight.mutants.survival import Trial
from vivavoce.insight.mutants.without_judges import without_judges
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonValue, is_object

Specs = tuple[AssertionSpec, ...]
LIMITS = ("without forbid", "without max_duration_ms")
"""Weakenings that take a limit away."""


async def counts_of(trial: Trial, pool: RunPool) -> Counts:
    return case_score(trial.case, 1, await trial.fates(pool, 0)).counts


def weaker_lists(specs: Specs) -> Iterator[tuple[str, Specs]]:
    """Each check dropped; each exact count made a minimum."""
    for at, spec in enumerate(specs):
        yield f"without {spec.type}", (*specs[:at], *specs[at + 1 :])
        count: JsonValue = spec.fields.get("count")
        if is_object(count) and "exact" in count:
            loose = structs.replace(spec, fields={**spec.fields, "count": {"min": count["exact"]}})
            yield f"{spec.type} with a loose count", (*specs[:at], loose, *specs[at + 1 :])


def weakened(case: Case) -> Iterator[tuple[str, Case]]:
    for field in ("assertions", "final_assertions"):
        for words, specs in weaker_lists(getattr(case, field)):
            yield words, structs.replace(case, **{field: specs})
    for at, turn in enumerate(case.turns):
        for words, specs in weaker_lists(turn.assertions):
            turns = (*case.turns[:at], structs.replace(turn, assertions=specs), *case.turns[at + 1 :])
            yield f"turn {at + 1} {words}", structs.replace(case, turns=turns)


def find_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers of examples are started as `python3`."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


async def test_the_tests_of_the_endpoint_example_are_strong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One of its checks is about something that no mutant does: a price of what is not sold."""
    write_project(tmp_path, "openai")
    monkeypatch.chdir(tmp_path)
    find_python(monkeypatch)
    await vivavoce.arun(outputs="out.jsonl", history=False)
    assert ((await mutate(("out.jsonl",), RunRequest.of({}))).counts.percent or 0) >= 90


@pytest.mark.parametrize("example", ["expense", "python", "shop", "pydantic_ai"])
async def test_the_score_is_high_and_every_weakening_lowers_it(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write_project(tmp_path, example)
    monkeypatch.chdir(tmp_path)
    find_python(monkeypatch)
    await vivavoce.arun(outputs="out.jsonl", history=False)
    async with planned_again(("out.jsonl",), RunRequest.of({}), ask_judges=False) as ready:
        pool = pool_of(ready.runs.results())
        resources = ready.planned.resources
        trials: list[Trial] = []
        for case in ready.planned.plan.cases():
            found = ready.recorded.attempt(case, 1)
            if case.skip is None and found is not None:
                now = without_judges(case_of_recording(case, *found, resources))
                trials.append(Trial(now, found[1], resources.helpers))
        strong = [await counts_of(trial, pool) for trial in trials]
        score = summed(strong).percent
        assert score is not None
        assert score >= 90
        harmless: list[str] = []
        for at, trial in enumerate(trials):
            for words, weaker in weakened(trial.case):
                changed = await counts_of(structs.replace(trial, case=weaker), pool)
                percent = summed([*strong[:at], changed, *strong[at + 1 :]]).percent
                # Mutants of a kind that nothing limits any more do not count: of 100 % such a rule takes nothing.
                is_limit = words.endswith(LIMITS) and score == 100 and changed.noticed < strong[at].noticed
                if not is_limit and (percent is None or percent >= score):
                    harmless.append(f"{trial.case.id}: {words}")
        assert harmless == []
