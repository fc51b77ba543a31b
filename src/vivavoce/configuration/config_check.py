"""A configuration as it was written → Config, or every field in it that is wrong, each with its own line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from vivavoce.configuration.agent_entries import checked_agents
from vivavoce.configuration.objections import objections
from vivavoce.configuration.run_values import run_objections
from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_array, is_object
from vivavoce.notation.steps import Steps
from vivavoce.project.settings import Config

LineOf = Callable[[Steps], int]


def checked_config(value: Any, shown: str, line_of: LineOf, root: Path) -> Config:
    """The configuration of the project at `root`. Raises UsageError with all that is wrong; `shown` is its file."""

    def placed(steps: Steps, what: str, hint: str | None) -> UsageError:
        return UsageError(what, at=Origin(shown, line_of(steps)), hint=hint)

    if not is_object(value):
        raise UsageError("the configuration must be a mapping", at=Origin(shown, line_of(())))
    broken = _load_plugins(value, root, placed)
    # The names of a broken plug-in are missing: that is not reported as a second problem.
    agents, wrong = ({}, []) if broken or "agents" not in value else checked_agents(value["agents"])
    rest = {name: part for name, part in value.items() if name != "agents"}
    try:
        config = msgspec.convert(rest, Config)
    except msgspec.ValidationError as error:
        found = list(objections(rest, Config, ()))
        wrong += found or [((), str(error), None)]
        run = value.get("run")
        wrong += run_objections(run) if is_object(run) else ()
        config = Config()
    problems = [*broken, *(placed(*objection) for objection in wrong)]
    if problems:
        problems.sort(key=lambda problem: problem.at.line if isinstance(problem.at, Origin) else 0)
        raise problems[0] if len(problems) == 1 else ManyProblems(problems)
    return structs.replace(config, agents=agents)


def _load_plugins(
    value: JsonObject, root: Path, placed: Callable[[Steps, str, str | None], UsageError]
) -> list[UsageError]:
    named = value.get("plugins")
    if not named:
        return []
    from vivavoce.configuration.plugin_files import load_plugin_file

    problems: list[UsageError] = []
    for index, file in enumerate(named if is_array(named) else [named]):
        if isinstance(file, str):
            steps: Steps = ("plugins", index) if is_array(named) else ("plugins",)
            try:
                load_plugin_file(file, root)
            except UsageError as problem:
                problems.append(problem if problem.at else placed(steps, problem.what, problem.hint))
    return problems
