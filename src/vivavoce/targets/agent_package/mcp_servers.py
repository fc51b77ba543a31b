"""The MCP servers a package names: in its own `mcp`, or by id in `mcps/*.mcp.yao` of the package or the project."""

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.json_value import is_array, is_object
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.project.files import read_yao, yao_files
from vivavoce.project.packages import package_id
from vivavoce.project.project import Project

FOLDER = "mcps"
SUFFIXES = (".mcp.yao", ".mcp.json", ".mcp.jsonc")


class McpServer(Struct, frozen=True, kw_only=True):
    """How to reach one server: a command to start, or an address."""

    id: str
    command: str | None = None
    args: list[str] = []
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    tools: list[str] | None = None
    """Which of its tools are offered; None: all."""

    @property
    def prefix(self) -> str:
        """What stands before each tool's name: models take letters, digits, `_` and `-` only."""
        return re.sub(r"[^A-Za-z0-9_-]", "_", self.id) + "__"


class _Written(Struct, frozen=True):
    """A server as a file or a package writes it; Yao says `arguments` and `authorization_token`."""

    transport: str | None = None
    command: str | None = None
    args: list[str] = []
    arguments: list[str] = []
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    authorization_token: str | None = None
    tools: Any = None


def declared_servers(value: Any, project: Project, folder: Path, at: Origin) -> tuple[McpServer, ...]:
    """A package's `mcp`: a list of ids and objects, Yao's `{servers: […]}`, or an object of servers by id."""
    if value is None:
        return ()
    if is_object(value):
        listed: Any = value.get("servers")
        value = listed if is_array(listed) else [{"id": name, **_object(inner, at)} for name, inner in value.items()]
    if not is_array(value):
        raise UsageError("mcp must be a list of servers", at=at)
    return tuple(_server(entry, position, project, folder, at) for position, entry in enumerate(value, 1))


def _server(entry: Any, position: int, project: Project, folder: Path, at: Origin) -> McpServer:
    if isinstance(entry, str):
        return _from_file(entry, project, folder, at)
    fields = _object(entry, at)
    if "command" in fields or "url" in fields:
        name = str(fields.get("id") or fields.get("name") or f"mcp{position}")
        return _checked(name, fields, folder, at)
    name = fields.get("server_id") or fields.get("id")
    if not isinstance(name, str):
        raise UsageError("an MCP server needs a `command`, a `url` or a `server_id`", at=at)
    chosen: Any = fields.get("tools")
    found = _from_file(name, project, folder, at)
    return structs.replace(found, tools=[str(tool) for tool in chosen]) if is_array(chosen) else found


def _from_file(server_id: str, project: Project, folder: Path, at: Origin) -> McpServer:
    """A server of `mcps/`: `tools` or `agents.PACKAGE.tools` of the package's own folder, else one of the project's."""
    own = yao_files(folder / FOLDER, SUFFIXES)
    prefix = f"agents.{package_id(folder, project)}."
    short = server_id.removeprefix(prefix)
    if short in own:
        return _checked(server_id, read_yao(own[short]), folder, Origin(path_from_here(own[short])))
    files = yao_files(project.root / FOLDER, SUFFIXES)
    if server_id not in files:
        files = {**files, **{f"{prefix}{name}": path for name, path in own.items()}}
        known = sorted(files)
        raise UsageError(
            f"unknown MCP server {server_id!r}",
            at=at,
            hint=did_you_mean(server_id, known) or f"write {FOLDER}/{short.replace('.', '/')}.mcp.yao",
        )
    path = files[server_id]
    return _checked(server_id, read_yao(path), project.root, Origin(path_from_here(path)))


def _checked(server_id: str, fields: dict[str, Any], folder: Path, at: Origin) -> McpServer:
    try:
        written = msgspec.convert(fields, _Written)
    except msgspec.ValidationError as error:
        raise UsageError(f"MCP server {server_id!r}: {split_validation_error(str(error))[0]}", at=at) from None
    if (written.command is None) == (written.url is None):
        if written.transport == "process":
            what = f"MCP server {server_id!r} has the transport 'process', which only Yao itself can run"
            raise UsageError(what, at=at, hint="write its tools as functions in the package's src/tools.py")
        raise UsageError(f"MCP server {server_id!r} needs either a `command` or a `url`", at=at)
    token = {"Authorization": f"Bearer {written.authorization_token}"} if written.authorization_token else {}
    return McpServer(
        id=server_id,
        command=written.command,
        args=[*written.args, *written.arguments],
        env=written.env,
        cwd=str(folder / written.cwd) if written.cwd else str(folder),
        url=written.url,
        headers={**token, **written.headers},
        tools=[str(tool) for tool in written.tools] if is_array(written.tools) else None,
    )


def _object(value: Any, at: Origin) -> dict[str, Any]:
    if not is_object(value):
        raise UsageError("an MCP server is written as an id or as an object", at=at)
    return value
