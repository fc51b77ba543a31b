"""What a shell completes: the agents and tags of the project around here, files and the ids in them."""

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vivavoce.project.project import Project

_MOST_IDS = 1_000
_MOST_RUNS = 50


def _agents(project: "Project", _given: list[str]) -> Iterable[str]:
    from vivavoce.engine.resolve import known_agents

    return known_agents(project)


def _tags(project: "Project", given: list[str]) -> Iterable[str]:
    from vivavoce.app.opening import sources_of
    from vivavoce.model.case import Case

    cases = (case for source in sources_of(project, given) for case in source.read())
    return sorted({tag for case in cases if isinstance(case, Case) for tag in case.tags})


def _given(ctx: click.Context) -> list[str]:
    """The sources that stand on the command line already."""
    return [*(ctx.params.get("inputs") or ()), *(ctx.params.get("more_inputs") or ()), *ctx.args]


def _completing(
    words_of: "Callable[[Project, list[str]], Iterable[str]]",
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    def complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
        from vivavoce.configuration.project_finder import find_project
        from vivavoce.errors import VivaError

        try:
            return [word for word in words_of(find_project(Path.cwd()), _given(ctx)) if word.startswith(incomplete)]
        except VivaError:
            return []

    return complete


def complete_source(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """Files, and after `path::` the ids in them. bash splits words at colons, so there only the id is completed."""
    from click.shell_completion import CompletionItem

    path, colons, begun = incomplete.rpartition("::")
    if colons:
        return [f"{path}::{found}" for found in _ids(path) if found.startswith(begun)]
    words = _given(ctx)
    if len(words) > 1 and words[-1] == "::":
        return [found for found in _ids(words[-2]) if found.startswith(incomplete)]
    if len(words) > 0 and incomplete == "::":
        return _ids(words[-1])
    return [CompletionItem(incomplete, type="file")]


def _ids(path: str) -> list[str]:
    from vivavoce.app.opening import sources_of
    from vivavoce.configuration.project_finder import find_project
    from vivavoce.errors import VivaError
    from vivavoce.model.case import Case

    try:
        read = (case for source in sources_of(find_project(Path.cwd()), [path]) for case in source.read())
        return [case.id for case in islice(read, _MOST_IDS) if isinstance(case, Case)]
    except VivaError:
        return []


COMPLETIONS = {"agents": _completing(_agents), "tags": _completing(_tags), "sources": complete_source}
"""By the name an option gives for what completes it."""


def complete_run(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """Files, `last`, and the ids of the runs that the history keeps."""
    from click.shell_completion import CompletionItem

    from vivavoce.configuration.project_finder import find_project
    from vivavoce.errors import VivaError
    from vivavoce.results.history.database import history_file
    from vivavoce.results.history.reading import History

    try:
        kept = History(history_file(find_project(Path.cwd()))).runs(_MOST_RUNS)
    except VivaError:
        kept = []
    words = ["last", "last~1", *(run.info.run_id for run in kept)] if kept else []
    named = [word for word in words if word.startswith(incomplete)]
    return [*(CompletionItem(word) for word in named), CompletionItem(incomplete, type="file")]
