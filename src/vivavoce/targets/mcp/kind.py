"""What an MCP server declares about itself as an agent under test. Imports nothing of the SDK."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.project.programs import require_program
from vivavoce.project.project import Project
from vivavoce.protocols import TargetSpec
from vivavoce.targets.web_address import is_web_address


class McpFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An MCP server: a program that speaks over stdio, or an address."""

    cmd: Annotated[list[str] | str | None, Meta(description="The program and its arguments.")] = None
    url: Annotated[str | None, Meta(description="The address of a server that speaks streamable HTTP.")] = None
    headers: Annotated[dict[str, str], Meta(description="Headers of every request.")] = {}
    cwd: Annotated[str | None, Meta(description="Where the program is started, from the project's folder.")] = None
    env: Annotated[dict[str, str], Meta(description="Added to the program's environment.")] = {}


class McpAgentFields(AgentFields, frozen=True, kw_only=True):
    """An MCP server as the agent under test."""

    mcp: Annotated[McpFields, Meta(description="How the server is started or reached.")]


def _read_reference(rest: str) -> JsonObject:
    """`mcp:URL` or `mcp:PROGRAM ARGUMENTS`"""
    return {"mcp": {"url": rest} if is_web_address(rest) else {"cmd": rest}}


def check_server(value: JsonValue) -> None:
    """Raises UsageError unless it has either `cmd` or `url`."""
    fields: JsonObject = value if is_object(value) else {}
    if bool(fields.get("cmd")) == bool(fields.get("url")):
        raise UsageError("mcp: an MCP server has either a `cmd` or a `url`")


def _require_address(spec: TargetSpec, filled: Mapping[str, JsonValue]) -> None:
    server = filled.get(spec.kind)
    url: JsonValue = server.get("url") if is_object(server) else None
    if isinstance(url, str) and "${" not in url and not is_web_address(url):
        raise UsageError(f"agent {spec.id!r}: not an address: {url!r}", hint="write it like https://host/mcp")


def _require_sdk_and_program(spec: TargetSpec, project: Project) -> None:
    from vivavoce.targets.mcp.link import sdk_module

    sdk_module("mcp")
    server = spec.config.get(spec.kind)
    if is_object(server):
        steps = ("agents", spec.id, "mcp", "cmd") if spec.id in project.config.agents else ()
        require_program(f"agent {spec.id!r}: mcp.cmd", server, project, steps)


MCP = TargetKind(
    name="mcp",
    target="vivavoce.targets.mcp.target:McpTarget",
    fields=McpAgentFields,
    read_reference=_read_reference,
    check_address=_require_address,
    check_needs=_require_sdk_and_program,
    check_fields={"mcp": check_server},
    shows_calls="always",
    may_repeat=False,
    takes_requests=True,
    keeps_promises=True,
)
