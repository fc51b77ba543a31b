"""What an A2A agent declares about itself. Imports none of what speaks the protocol."""

from typing import Annotated, Literal

from msgspec import Meta

from vivavoce.model.json_value import JsonObject
from vivavoce.notation.durations import WrittenDuration
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.targets.web_address import is_web_address, require_web_address


class A2aFields(AgentFields, frozen=True, kw_only=True):
    """An agent that speaks A2A."""

    a2a: Annotated[str, Meta(description="The address of the agent, of its card, or of its endpoint.")]
    headers: Annotated[dict[str, str], Meta(description="Headers of every request.")] = {}
    endpoint: Annotated[str | None, Meta(description="Where messages go, when the card names the wrong address.")] = (
        None
    )
    transport: Annotated[
        Literal["JSONRPC", "HTTP+JSON"] | None, Meta(description="Which of the card's transports to use.")
    ] = None
    version: Annotated[Literal["0.3", "1.0"] | None, Meta(description="Which version of the protocol to use.")] = None
    stream: Annotated[bool | None, Meta(description="Whether answers are streamed; otherwise what the card says.")] = (
        None
    )
    metadata: Annotated[JsonObject, Meta(description="`metadata` of every request.")] = {}
    output_modes: Annotated[
        list[str], Meta(description="`acceptedOutputModes`; text/plain and application/json otherwise.")
    ] = []
    connect_timeout: Annotated[WrittenDuration | None, Meta(description="To connect: `10s`.")] = None
    idle_timeout: Annotated[WrittenDuration | None, Meta(description="Between two events of a stream: `60s`.")] = None
    turn_timeout: Annotated[WrittenDuration | None, Meta(description="For one turn: `5m`.")] = None


def _guess(name: str) -> str | None:
    return f"a2a:{name}" if is_web_address(name) else None


A2A = TargetKind(
    name="a2a",
    target="vivavoce.targets.a2a.target:A2aTarget",
    fields=A2aFields,
    example="a2a:URL",
    guess=_guess,
    check_address=require_web_address,
    # The protocol has no place for tool calls; some servers show them in one of four shapes.
    shows_calls="when_it_has_some",
    # Asked again, it may repeat its actions: only its author knows.
    may_repeat=False,
    # The server is sent the name of `-c`: it may know connectors that we do not.
    connector="passed_on",
)
