"""What a plain HTTP agent declares about itself. Imports nothing of what speaks to it."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.protocols import TargetSpec
from vivavoce.targets.web_address import is_web_address


class CallPaths(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the parts of a tool call are. Without these the usual names are looked for."""

    path: Annotated[str, Meta(description="JSON path of the calls in the answer.")]
    name: Annotated[str | None, Meta(description="In each call: its tool.")] = None
    args: Annotated[str | None, Meta(description="In each call: its arguments.")] = None
    result: Annotated[str | None, Meta(description="In each call: its result.")] = None
    error: Annotated[str | None, Meta(description="In each call: why it failed.")] = None
    id: Annotated[str | None, Meta(description="In each call: its id.")] = None


class StreamForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a streamed answer is read."""

    format: Annotated[Literal["sse", "ndjson"], Meta(description="Server-sent events, or one JSON value a line.")]
    take: Annotated[
        Literal["all", "last"],
        Meta(description="Whether the texts of all events are joined, or the last one is the whole reply."),
    ] = "all"


class HttpCall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One request for each line, and how its answer is read."""

    url: Annotated[str, Meta(description="Where requests go. Values of templates in it are percent-encoded.")]
    method: Annotated[Literal["GET", "POST", "PUT", "PATCH", "DELETE"], Meta(description="The HTTP method.")] = "POST"
    headers: Annotated[dict[str, str], Meta(description="Headers of every request, with templates.")] = {}
    query: Annotated[JsonObject, Meta(description="Query parameters, with templates.")] = {}
    body: Annotated[
        JsonValue, Meta(description="The body with templates: a JSON value, a form, or a text sent as it is.")
    ] = None
    reply: Annotated[str | None, Meta(description="JSON path of the reply; without it the whole answer is.")] = None
    tool_calls: Annotated[str | CallPaths | None, Meta(description="JSON path of the tool calls.")] = None
    ignore: Annotated[
        list[str], Meta(description="JSON paths of parts of the answer that look like tool calls but are not.")
    ] = []
    usage: Annotated[str | None, Meta(description="JSON path of the tokens used.")] = None
    data: Annotated[str | None, Meta(description="JSON path of structured output.")] = None
    session: Annotated[
        str | None, Meta(description="JSON path of what is `{{ session }}` in the next turn's request.")
    ] = None
    session_header: Annotated[str | None, Meta(description="The same, from a header of the answer.")] = None
    cookies: Annotated[bool, Meta(description="Whether a conversation keeps the cookies it is given.")] = False
    stream: Annotated[
        bool | Literal["sse", "ndjson"] | StreamForm | None,
        Meta(description="How a streamed answer is read; true: as its content type says."),
    ] = None


class HttpFields(AgentFields, frozen=True, kw_only=True):
    """Any agent behind an HTTP endpoint of its own."""

    http: Annotated[HttpCall, Meta(description="The request, and where the reply is in the answer.")]


def check_call(value: JsonValue) -> None:
    """Raises UsageError or ValueError for a template or path that cannot work."""
    from vivavoce.targets.http_agent.checks import checked_call

    checked_call(value)


def _require_address(spec: TargetSpec, filled: Mapping[str, JsonValue]) -> None:
    call = filled.get(spec.kind)
    url: JsonValue = call.get("url") if is_object(call) else None
    if not isinstance(url, str) or "${" in url or url.startswith("{{"):
        return
    try:
        bad = not (is_web_address(url) and urlsplit(url.partition("{{")[0]).hostname)
    except ValueError:
        bad = True
    if bad:
        raise UsageError(f"agent {spec.id!r}: not an address: {url!r}", hint="write it like https://host/path")


def _guess(name: str) -> str | None:
    return f"`http: {{url: {name}, …}}` at an agent of viva.yaml" if is_web_address(name) else None


HTTP = TargetKind(
    name="http",
    target="vivavoce.targets.http_agent.target:HttpAgentTarget",
    fields=HttpFields,
    # An address alone does not say where the reply is.
    by_reference=False,
    guess=_guess,
    check_address=_require_address,
    check_fields={"http": check_call},
    # The form of the answer decides, and whether `tool_calls` says where they are.
    shows_calls="when_it_has_some",
    may_repeat=False,
)
