"""What an OpenAI-compatible endpoint declares about itself. Imports nothing of what speaks to it."""

from typing import Annotated, Any

from msgspec import Meta

from vivavoce.notation.references import parse_params
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.targets.web_address import is_web_address, require_web_address


class OpenAiFields(AgentFields, frozen=True, kw_only=True):
    """An OpenAI-compatible chat endpoint."""

    openai: Annotated[str, Meta(description="The address of the endpoint, `?model=NAME` may follow.")]
    headers: Annotated[dict[str, str], Meta(description="Headers of every request.")] = {}
    key: Annotated[str | None, Meta(description="The API key.")] = None
    stream: Annotated[bool | None, Meta(description="Whether answers are streamed.")] = None
    yao: Annotated[bool, Meta(description="Whether it is a Yao server, which is sent Yao's own headers.")] = False
    options: Annotated[
        dict[str, Any], Meta(description="Extra fields of the request body (temperature, response_format, tools, …).")
    ] = {}


def _read_reference(rest: str) -> dict[str, Any]:
    """`URL?model=m&temperature=0`"""
    url, _, query = rest.partition("?")
    params = parse_params(query)
    model = params.pop("model", None)
    return {"openai": url, "model": model, "options": params}


def _guess(name: str) -> str | None:
    return f"openai:{name}?model=…" if is_web_address(name) else None


OPENAI = TargetKind(
    name="openai",
    target="vivavoce.targets.openai_compatible:OpenAiCompatibleTarget",
    fields=OpenAiFields,
    read_reference=_read_reference,
    example="openai:URL?model=M",
    guess=_guess,
    check_address=require_web_address,
    shows_calls="always",
    may_repeat=True,
    priced_by="connector",
    # The endpoint is sent the name of `-c`: it may know connectors that we do not.
    connector="passed_on",
)
