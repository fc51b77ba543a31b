"""What a shell completes: the agents and tags of the project around here."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vivavoce.project.project import Project


def _agents(project: "Project") -> Iterable[str]:
    from vivavoce.engine.resolve import known_agents

    return known_agents(project)


def _tags(project: "Project") -> Iterable[str]:
    from vivavoce.app.opening import sources_of
    from vivavoce.model.case import Case

    cases = (case for source in sources_of(project, ()) for case in source.read())
    return sorted({tag for case in cases if isinstance(case, Case) for tag in case.tags})


def _completing(
    words_of: "Callable[[Project], Iterable[str]]",
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    def complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
        from vivavoce.configuration.project_finder import find_project
        from vivavoce.errors import VivaError

        try:
            return [word for word in words_of(find_project(Path.cwd())) if word.startswith(incomplete)]
        except VivaError:
            return []

    return complete


COMPLETIONS = {"agents": _completing(_agents), "tags": _completing(_tags)}
"""By the name an option gives for what completes it."""
