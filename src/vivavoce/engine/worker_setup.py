"""Lets other processes run jobs: sends a Blueprint of this process's RunResources, from which they build their own."""

import os
import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from vivavoce.configuration.plugin_files import load_plugins
from vivavoce.containment.captured_output import capture_user_output
from vivavoce.containment.working_folder import here, kept_working_folder
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.metering.pacing import parse_rate
from vivavoce.model.events import Event
from vivavoce.model.json_value import JsonObject
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import AgentConfig, Config, ConnectorConfig
from vivavoce.protocols import Job, Work
from vivavoce.targets.serving.shared_folder import share_servers, share_token

_ENVIRONMENT = r"\bENV\.(\w+)"
Limited = TypeVar("Limited", AgentConfig, ConnectorConfig)


class Blueprint(Struct, frozen=True, kw_only=True):
    """What another process needs to run jobs as this one does. Plain data."""

    project: Project
    settings: RunSettings
    variables: JsonObject
    secrets: Secrets
    folder: Path
    """The working directory: paths in cases are relative to it."""
    folder_first: bool
    """Whether it is the first entry of the import path."""
    environment: dict[str, str]
    servers: str
    """By which all processes of the run on one machine share the agents' servers."""


class BlueprintSetup:
    """protocols.WorkerSetup: makes Blueprints of one RunResources."""

    def __init__(self, resources: RunResources) -> None:
        self._resources = resources

    @property
    def most(self) -> int | None:
        config = self._resources.project.config
        limits = [entry.max_parallel for entry in (*config.agents.values(), *config.connectors.values())]
        return min((limit for limit in limits if limit is not None), default=None)

    def opener(self, workers: int) -> Callable[[], AbstractAsyncContextManager[Work]]:
        resources = self._resources
        project = resources.project
        return partial(
            open_worker,
            Blueprint(
                project=structs.replace(project, config=shared_out(project.config, workers)),
                settings=resources.settings,
                variables=resources.variables,
                secrets=resources.secrets,
                folder=here(),
                folder_first=sys.path[0] in ("", str(here())),
                environment=named_environment(project),
                servers=share_token(),
            ),
        )

    def may_repeat(self, job: Job) -> bool:
        """Whether a lost job may run again: with `--retries`, or when neither hooks nor agent change anything."""
        if self._resources.settings.options.retries:
            return True
        case = job.case
        has_hooks = bool(case.hooks or case.before or case.after)
        return not has_hooks and self._resources.kind(self._resources.agent_name(case)).may_repeat


@asynccontextmanager
async def open_worker(blueprint: Blueprint) -> AsyncGenerator[Work]:
    """Builds RunResources from a Blueprint and yields the function that runs jobs. Changes the whole process."""
    root = blueprint.project.root
    try:
        os.chdir(blueprint.folder)
        if not root.is_dir():
            raise FileNotFoundError(root)
    except OSError as error:
        raise UsageError(
            f"{os.uname().nodename} has no folder {error.filename or root}",
            hint="the project must lie at the same path on every machine of the cluster",
        ) from None
    if not blueprint.folder_first:
        # Ray adds it: a file of the project must not hide a module of the standard library.
        sys.path[:] = [entry for entry in sys.path if entry != str(blueprint.folder)]
    os.environ.update(blueprint.environment)
    share_servers(blueprint.servers)
    load_plugins(blueprint.project)
    resources = RunResources(blueprint.project, blueprint.settings, secrets=blueprint.secrets)
    resources.variables.update(blueprint.variables)
    try:
        with kept_working_folder(), capture_user_output():
            yield Examination(resources, _nobody_listens).attempt
    finally:
        await resources.close()


def shared_out(config: Config, workers: int) -> Config:
    """Returns the configuration with each limit divided by the number of workers."""
    return structs.replace(
        config,
        agents={name: _part(entry, workers) for name, entry in config.agents.items()},
        connectors={name: _part(entry, workers) for name, entry in config.connectors.items()},
    )


def named_environment(project: Project) -> dict[str, str]:
    """Returns the environment variables that the configuration, connectors and `.env` name."""
    texts = [msgspec.json.encode(project.config).decode()]
    texts += [path.read_text(errors="replace") for path in sorted(project.connectors_dir.rglob("*.yao"))]
    names = {name for text in texts for name in re.findall(_ENVIRONMENT, text)}
    env_file = project.root / ".env"
    if env_file.is_file():
        from dotenv import dotenv_values

        names.update(dotenv_values(env_file))
    return {name: os.environ[name] for name in sorted(names) if name in os.environ}


def _part(entry: Limited, workers: int) -> Limited:
    if entry.max_parallel is not None:
        entry = structs.replace(entry, max_parallel=max(1, entry.max_parallel // workers))
    if entry.rate is not None:
        entry = structs.replace(entry, rate=f"{3600 / (parse_rate(entry.rate) * workers):f}/h")
    return entry


def _nobody_listens(_event: Event) -> None: ...
