"""Checks the values under `run:` that msgspec takes as any text: durations, budgets, orders."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import structs

from vivavoce.configuration.objections import Objection
from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.json_value import JsonValue
from vivavoce.notation.budgets import parse_budget
from vivavoce.notation.durations import parse_duration
from vivavoce.project.case_order import parse_order
from vivavoce.project.project import Project
from vivavoce.project.run_options import RUN_OPTIONS

_READERS: dict[str, Callable[[str], object]] = {
    "budget": parse_budget,
    "order": parse_order,
    **{one.setting: parse_duration for one in RUN_OPTIONS if one.setting and one.kind == "duration"},
}


def run_objections(run: Mapping[str, JsonValue]) -> Iterator[Objection]:
    """Every objection to a value; values of a wrong type are somebody else's."""
    for name, said in run.items():
        if name in _READERS and isinstance(said, str):
            try:
                _READERS[name](said)
            except UsageError as problem:
                yield ("run", name), f"run.{name}: {problem.what}", problem.hint
            except ValueError as error:
                yield ("run", name), f"run.{name}: {error}", None


def run_problems(project: Project) -> list[UsageError]:
    """The same for a project, each with its line in viva.yaml."""
    found = run_objections(structs.asdict(project.config.run))
    return [UsageError(what, at=project.place(*steps), hint=hint) for steps, what, hint in found]


def refuse_bad_run_values(project: Project) -> None:
    """Raises UsageError with all of them."""
    if problems := run_problems(project):
        raise problems[0] if len(problems) == 1 else ManyProblems(problems)
