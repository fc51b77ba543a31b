"""A folder with a `package.yao` → an agent as data."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_array
from vivavoce.notation.templates import TemplateProblem, fill
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.project.files import read_yao
from vivavoce.project.packages import PACKAGE_FILE, find_package, list_packages, package_dir, package_id
from vivavoce.project.project import Project
from vivavoce.targets.agent_package.locales import USUAL, Locales, messages_in, read_locales
from vivavoce.targets.agent_package.mcp_servers import McpServer, declared_servers
from vivavoce.targets.agent_package.prompts import Prompt, checked_prompt, read_prompts


class _PackageFile(Struct, frozen=True):
    """What matters of a `package.yao`; Yao's other fields (avatar, placeholder, …) are not our business."""

    name: str
    description: str = ""
    type: str = "assistant"
    connector: str | None = None
    options: dict[str, Any] = {}
    tools: list[str | dict[str, Any]] | None = None
    mcp: Any = None
    prompts: list[Any] | None = None


class AgentPackage(Struct, frozen=True, kw_only=True):
    """An agent as its folder describes it."""

    folder: Path
    shown: str
    """The folder as a person would write it."""
    name: str
    description: str = ""
    type: str = "assistant"
    connector: str | None = None
    options: dict[str, Any] = {}
    tools: list[str | dict[str, Any]] | None = None
    """Which tools it offers, by name or as declarations; None: every function of `src/tools.py`."""
    mcp: tuple[McpServer, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    locales: Locales = {}

    def said_in(self, locale: str) -> JsonObject:
        """The package's own words in a language: what its locale file says, with its name and description."""
        return {"name": self.name, "description": self.description, **messages_in(self.locales, locale)}

    @property
    def hooks_file(self) -> Path:
        return self.folder / "src" / "index.py"

    @property
    def tools_file(self) -> Path:
        return self.folder / "src" / "tools.py"


def required_package(name: str, project: Project) -> Path:
    """The folder of a package. Raises UsageError when there is none of this name."""
    if (folder := find_package(name, project)) is not None:
        return folder
    known = [package_id(folder, project) for folder in list_packages(project)]
    expected = project.shown(package_dir(name, project) / PACKAGE_FILE)
    raise UsageError(f"there is no agent package {name!r}", hint=did_you_mean(name, known) or f"looked for {expected}")


def load_package(folder: Path, project: Project) -> AgentPackage:
    """Reads and checks everything that is data; the agent's code is left alone."""
    shown = path_from_here(folder)
    place = Origin(f"{shown}/{PACKAGE_FILE}")
    try:
        file = msgspec.convert(read_yao(folder / PACKAGE_FILE), _PackageFile)
    except msgspec.ValidationError as error:
        raise UsageError(split_validation_error(str(error))[0], at=place) from None
    if is_array(file.prompts):
        prompts = tuple(checked_prompt(entry, place) for entry in file.prompts)
    else:
        prompts = read_prompts(folder, shown)
    _refuse_foreign_hooks(folder, shown)
    locales = read_locales(folder)
    words = messages_in(locales, project.config.identity.locale or USUAL)
    return AgentPackage(
        folder=folder,
        shown=shown,
        name=_in_words(file.name, words, place),
        description=_in_words(file.description, words, place),
        type=file.type,
        connector=file.connector,
        options=file.options,
        tools=file.tools,
        mcp=declared_servers(file.mcp, project, folder, place),
        prompts=prompts,
        locales=locales,
    )


def _refuse_foreign_hooks(folder: Path, shown: str) -> None:
    """Raises UsageError for hooks that are written in TypeScript only: leaving them out would test another agent."""
    for name in ("index.ts", "index.js"):
        if (folder / "src" / name).is_file() and not (folder / "src" / "index.py").is_file():
            raise UsageError(
                f"the hooks in {name} would not run: viva runs hooks written in Python",
                at=f"{shown}/src/{name}",
                hint="write src/index.py with the same functions Create(ctx, messages) and Next(ctx, payload), "
                "or test the running server with -n openai:URL",
            )


def _in_words(text: str, words: JsonObject, place: Origin) -> str:
    """A text of `package.yao` with its `{{ name }}` filled in; names without a translation stay as they are written."""
    try:
        return fill(text, words, keep_unknown=True)
    except TemplateProblem as error:
        raise UsageError(str(error), at=place) from None
