"""Weaker versions of the tests of a shipped example, and what they do to its mutation score.

python -m tests.fakes.weakening EXAMPLE FOLDER      the same in the virtualenv of a framework, as JSON
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, structs

import vivavoce
from vivavoce.app.rejudging import Ready, planned_again
from vivavoce.app.request import RunRequest
from vivavoce.cli.commands.init import write_project
from vivavoce.engine.rejudging import case_of_recording
from vivavoce.insight.mutants.case_score import case_score
from vivavoce.insight.mutants.mutant import RunPool, pool_of
from vivavoce.insight.mutants.score import Counts, summed
from vivavoce.insight.mutants.survival import Trial
from vivavoce.insight.mutants.without_judges import without_judges
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonObject, JsonValue, is_object

Specs = tuple[AssertionSpec, ...]
_ASKED_OF_CALLS = ("args_match", "arguments", "result_match", "after")
"""What a rule can ask of a call beside its name. (No mutant changes a result to another result.)"""


class Weakness(Struct, frozen=True):
    """The score of an example, how many weaker versions of its tests were tried, and which did not lower it."""

    score: float
    tried: int
    harmless: list[str]


async def weakness_of(example: str, folder: Path) -> Weakness:
    """Writes the example, runs it once, and scores its tests with one weakening at a time."""
    write_project(folder, example)
    os.chdir(folder)
    await vivavoce.arun(outputs="out.jsonl", history=False)
    async with planned_again(("out.jsonl",), RunRequest.of({}), ask_judges=False) as ready:
        pool = pool_of(ready.runs.results())
        trials = list(_trials(ready))
        strong = [await _counts_of(trial, pool) for trial in trials]
        score = summed(strong).percent or 0.0
        tried, harmless = 0, list[str]()
        for at, trial in enumerate(trials):
            for words, weaker in weakened(trial.case):
                tried += 1
                changed = structs.replace(trial, case=weaker)
                if not await changed.passes(weaker, trial.recorded.transcript):
                    continue  # the conversation would have been another one: it has no score until it is held again
                counts = summed([*strong[:at], await _counts_of(changed, pool), *strong[at + 1 :]])
                if counts.percent is None or counts.percent >= score:
                    harmless.append(f"{trial.case.id}: {words} ({counts.percent})")
    return Weakness(score, tried, harmless)


def _trials(ready: Ready) -> Iterator[Trial]:
    resources = ready.planned.resources
    for case in ready.planned.plan.cases():
        found = ready.recorded.attempt(case, 1)
        if case.skip is None and found is not None:
            now = case_of_recording(case, found.case, found.attempt, resources)
            yield Trial(without_judges(now), found.attempt, resources.helpers)


async def _counts_of(trial: Trial, pool: RunPool) -> Counts:
    return case_score(trial.case, 1, await trial.fates(pool, 0)).counts


def weakened(case: Case) -> Iterator[tuple[str, Case]]:
    """The case with one check, checkpoint, or part of a check left out, or with one count made loose."""
    for field in ("assertions", "final_assertions"):
        for words, specs in _weaker_lists(getattr(case, field)):
            yield words, structs.replace(case, **{field: specs})
    for at, turn in enumerate(case.turns):
        for words, specs in _weaker_lists(turn.assertions):
            turns = (*case.turns[:at], structs.replace(turn, assertions=specs), *case.turns[at + 1 :])
            yield f"turn {at + 1} {words}", structs.replace(case, turns=turns)
    for at, point in enumerate(case.checkpoints):
        others = (*case.checkpoints[:at], *case.checkpoints[at + 1 :])
        left = [structs.replace(one, after=tuple(name for name in one.after if name != point.id)) for one in others]
        yield f"without checkpoint {point.id}", structs.replace(case, checkpoints=tuple(left))
        for words, specs in _weaker_lists(point.assertions):
            changed = structs.replace(point, assertions=specs)
            points = (*case.checkpoints[:at], changed, *case.checkpoints[at + 1 :])
            if specs:
                yield f"checkpoint {point.id} {words}", structs.replace(case, checkpoints=points)


def _weaker_lists(specs: Specs) -> Iterator[tuple[str, Specs]]:
    for at, spec in enumerate(specs):
        yield f"without {spec.type}", (*specs[:at], *specs[at + 1 :])
        for words, fields in _weaker_fields(spec.fields):
            weaker = structs.replace(spec, fields=fields)
            yield f"{spec.type} {words}", (*specs[:at], weaker, *specs[at + 1 :])


def _weaker_fields(fields: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    count: JsonValue = fields.get("count")
    if is_object(count):
        yield "with a loose count", {**fields, "count": {"min": count.get("exact", count.get("min", 1))}}
    for name in _ASKED_OF_CALLS:
        asked: JsonValue = fields.get(name)
        rest = {key: value for key, value in fields.items() if key != name}
        if is_object(asked):
            for one in asked:
                left = {key: value for key, value in asked.items() if key != one}
                yield f"without {name} {one}", {**rest, name: left} if left else rest
        elif asked is not None:
            yield f"without {name}", rest


if __name__ == "__main__":
    found = asyncio.run(weakness_of(sys.argv[1], Path(sys.argv[2])))
    print(json.dumps(structs.asdict(found)))
