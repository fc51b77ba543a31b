"""What endpoints of models declare about themselves. Imports nothing of what speaks to them."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, field

from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.notation.references import parse_params
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.targets.web_address import is_web_address, require_web_address

_TARGET = "vivavoce.targets.openai_compatible:OpenAiCompatibleTarget"


class _EndpointFields(AgentFields, frozen=True, kw_only=True):
    """What every endpoint of a model may say."""

    headers: Annotated[dict[str, str], Meta(description="Headers of every request.")] = {}
    key: Annotated[str | None, Meta(description="The API key.")] = None
    stream: Annotated[bool | None, Meta(description="Whether answers are streamed.")] = None
    tools: Annotated[
        list[str | JsonObject],
        Meta(description="Tools offered to the model: `python:file.py:function`, or a tool with its stub answers."),
    ] = []
    plain: Annotated[
        bool | None,
        Meta(description="Whether only the conversation and what is written here is sent: no user id, no X-Viva-*."),
    ] = None
    options: Annotated[
        JsonObject, Meta(description="Extra fields of the request body (temperature, response_format, tools, …).")
    ] = {}


class OpenAiFields(_EndpointFields, frozen=True, kw_only=True):
    """An OpenAI-compatible chat endpoint."""

    openai: Annotated[str, Meta(description="The address of the endpoint, `?model=NAME` may follow.")]
    yao: Annotated[bool, Meta(description="Whether it is a Yao server, which is sent Yao's own headers.")] = False


class ResponsesFields(_EndpointFields, frozen=True, kw_only=True):
    """An endpoint of OpenAI's Responses API."""

    url: Annotated[str, Meta(description="The address of the endpoint, `?model=NAME` may follow.")] = field(
        name="openai-responses"
    )


class AnthropicFields(_EndpointFields, frozen=True, kw_only=True):
    """An endpoint of Anthropic's Messages API."""

    anthropic: Annotated[str, Meta(description="The address of the endpoint, `?model=NAME` may follow.")]


def _reader_of(kind: str) -> Callable[[str], JsonObject]:
    """Reads `URL?model=m&temperature=0`; `api-version`, which Azure wants, stays in the address.

    `plain=true` is the agent's field; everything else is a field of the request body.
    """

    def read_reference(rest: str) -> JsonObject:
        url, _, query = rest.partition("?")
        params = parse_params(query)
        model = params.pop("model", None)
        if (version := params.pop("api-version", None)) is not None:
            url = f"{url}?api-version={version}"
        fields: JsonObject = {kind: url, "model": model, "options": params}
        return fields if (plain := params.pop("plain", None)) is None else {**fields, "plain": plain}

    return read_reference


def _guess(name: str) -> str | None:
    return f"openai:{name}?model=…" if is_web_address(name) else None


def _check_tools(value: JsonValue) -> None:
    from vivavoce.targets.endpoint_tools import checked_tools

    checked_tools(value)


OPENAI = TargetKind(
    name="openai",
    struck_at=("model", "tool"),
    target=_TARGET,
    fields=OpenAiFields,
    read_reference=_reader_of("openai"),
    example="openai:URL?model=M",
    guess=_guess,
    check_address=require_web_address,
    check_fields={"tools": _check_tools},
    shows_calls="always",
    may_repeat=True,
    priced_by="connector",
    # The endpoint is sent the name of `-c`: it may know connectors that we do not.
    connector="passed_on",
)
OPENAI_RESPONSES = TargetKind(
    name="openai-responses",
    struck_at=("model", "tool"),
    target=_TARGET,
    fields=ResponsesFields,
    read_reference=_reader_of("openai-responses"),
    check_address=require_web_address,
    check_fields={"tools": _check_tools},
    shows_calls="always",
    may_repeat=True,
    priced_by="connector",
)
ANTHROPIC = TargetKind(
    name="anthropic",
    struck_at=("model", "tool"),
    target=_TARGET,
    fields=AnthropicFields,
    read_reference=_reader_of("anthropic"),
    check_address=require_web_address,
    check_fields={"tools": _check_tools},
    shows_calls="always",
    may_repeat=True,
    priced_by="connector",
)
