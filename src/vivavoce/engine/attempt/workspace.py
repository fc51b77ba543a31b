"""The folder that an attempt works in: copied before, described and removed after."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import structs

from vivavoce.containment.daemon_threads import in_daemon_thread
from vivavoce.containment.overlong_work import TookTooLong, finished_apart
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt
from vivavoce.model.workspace import Workspace, WorkspaceAfter
from vivavoce.project.project import Project
from vivavoce.project.variables import UndefinedVariable, interpolate
from vivavoce.sources.decoding.attachments import folder_of
from vivavoce.wording.plurals import first_few
from vivavoce.workspaces.changes import describe, size_warning
from vivavoce.workspaces.copies import Copies

VARIABLE = "WORKSPACE"
"""The copy's path, as `${WORKSPACE}` in a case."""
_DESCRIBING_S = 60.0
_MOST_NAMED = 3


def workspace_folder(case: Case, written: str, project: Project) -> Path:
    """Returns the folder that `workspace:` names. Raises UsageError when it lies outside the project."""
    folder = folder_of(case, project)
    place, root = (folder / written).resolve(), project.root.resolve()
    if not (project.config.allow_outside or place.is_relative_to(root) or place.is_relative_to(folder)):
        hint = "viva.yaml can say 'allow_outside: true'"
        raise UsageError(f"the workspace {written} lies outside the project", at=case.origin, hint=hint)
    return place


async def in_workspace(case: Case, resources: RunResources, work: Callable[[Workspace], Awaitable[Attempt]]) -> Attempt:
    """Does the work in a copy of the case's folder; returns its attempt with what was left in the copy."""
    async with _copied(case, resources) as workspace:
        attempt = await work(workspace)
        return await _described(attempt, workspace, resources.copies)


@asynccontextmanager
async def _copied(case: Case, resources: RunResources) -> AsyncGenerator[Workspace]:
    workspace = await in_daemon_thread(lambda: _copy(case, resources))
    try:
        yield workspace
    except BaseException:
        # The run is being stopped: what waits may be cancelled again, so nothing is waited for.
        resources.copies.remove(workspace)
        raise
    await in_daemon_thread(lambda: resources.copies.remove(workspace))


def _copy(case: Case, resources: RunResources) -> Workspace:
    try:
        written = interpolate(str(case.workspace), resources.variables, resources.secrets)
    except UndefinedVariable as undefined:
        raise UsageError(str(undefined), at=case.origin, hint="write $${ for a literal ${") from None
    folder = workspace_folder(case, written, resources.project)
    try:
        return resources.copies.make(str(folder), written, case.id)
    except UsageError as problem:
        raise UsageError(problem.what, at=case.origin, hint=problem.hint) from None


async def _described(attempt: Attempt, workspace: Workspace, copies: Copies) -> Attempt:
    try:
        after, warnings = await finished_apart(lambda: _look(workspace, copies), _DESCRIBING_S, "comparing the files")
    except (OSError, TookTooLong) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        after = WorkspaceAfter(source=workspace.name, kept_at=workspace.folder if copies.keep else None)
        warnings = (f"the workspace could not be looked at afterwards: {why}",)
    return structs.replace(attempt, workspace=after, warnings=(*attempt.warnings, *warnings))


def _look(workspace: Workspace, copies: Copies) -> tuple[WorkspaceAfter, tuple[str, ...]]:
    after = describe(workspace, copies.limits, workspace.folder if copies.keep else None)
    warnings: list[str] = []
    if (too_large := size_warning(workspace, copies.limits)) is not None:
        warnings.append(too_large)
    if after.outside:
        named = first_few(after.outside, _MOST_NAMED)
        warnings.append(f"something was written outside the workspace's copy: {named}")
    return after, tuple(warnings)
