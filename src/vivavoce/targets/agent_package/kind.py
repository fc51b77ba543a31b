"""What an agent package declares about itself. Imports nothing of what runs it."""

from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from vivavoce.plugins.declarations import AgentFields, TargetKind, always
from vivavoce.project.packages import find_package
from vivavoce.project.project import Project
from vivavoce.protocols import TargetSpec


class PackageFields(AgentFields, frozen=True, kw_only=True):
    """A folder with a `package.yao`."""

    package: Annotated[str, Meta(description="The package's dotted id, or the path of its folder.")]
    options: Annotated[
        dict[str, Any], Meta(description="Request parameters of its model; they count more than the package's own.")
    ] = {}


def _scripts_folder(spec: TargetSpec, project: Project) -> Path | None:
    folder = find_package(str(spec.config.get("package") or spec.id), project)
    return None if folder is None else folder / "src"


PACKAGE = TargetKind(
    name="package",
    struck_at=("model", "tool"),
    target="vivavoce.targets.agent_package.target:AgentPackageTarget",
    fields=PackageFields,
    shows_calls="always",
    may_repeat=True,
    priced_by="connector",
    connector="used",
    scripts_folder=_scripts_folder,
    takes_workspace=always,
)
