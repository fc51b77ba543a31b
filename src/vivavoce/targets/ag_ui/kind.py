"""What an AG-UI app and a replayed recording declare about themselves. Imports none of what speaks the protocol."""

from typing import Annotated, Literal

from msgspec import Meta, field

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.notation.durations import WrittenDuration
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.plugins.declarations import AgentFields, TargetKind
from vivavoce.targets.web_address import is_web_address, require_web_address


class AgentRunFields(AgentFields, frozen=True, kw_only=True):
    """What every run of the agent is given."""

    thread_id: Annotated[
        str | None,
        Meta(description="Thread id of every conversation; a new one is made otherwise. May hold `${NAME}` of a hook."),
    ] = None
    state: Annotated[JsonValue, Meta(description="The state a conversation begins with.")] = None
    context: Annotated[JsonArray, Meta(description="`context` of every run.")] = []
    forwarded_props: Annotated[JsonObject, Meta(description="`forwardedProps` of every run.")] = {}
    tools: Annotated[
        list[JsonObject], Meta(description="Front-end tools advertised to the agent, with their stub answers.")
    ] = []
    envelope: Annotated[Literal["copilotkit"] | None, Meta(description="Wrap requests as this server wants them.")] = (
        None
    )
    options: Annotated[JsonObject, Meta(description="Of the envelope: `agentId`.")] = {}
    connect_timeout: Annotated[WrittenDuration | None, Meta(description="To connect: `10s`.")] = None
    idle_timeout: Annotated[WrittenDuration | None, Meta(description="Between two events: `60s`.")] = None
    turn_timeout: Annotated[WrittenDuration | None, Meta(description="For one turn: `5m`.")] = None


class AgUiFields(AgentRunFields, frozen=True, kw_only=True):
    """An AG-UI app."""

    agui: Annotated[str, Meta(description="The address of an AG-UI app.")]
    headers: Annotated[dict[str, str], Meta(description="Headers of every request.")] = {}


class AgUiReplayFields(AgentRunFields, frozen=True, kw_only=True):
    """Recorded streams of an AG-UI app."""

    folder: Annotated[str, Meta(description="The folder of a recording, `?timing=none` plays it at once.")] = field(
        name="agui-replay"
    )


def _guess(name: str) -> str | None:
    return f"agui:{name}" if is_web_address(name) else None


AG_UI = TargetKind(
    name="agui",
    struck_at=("tool", "stream"),
    target="vivavoce.targets.ag_ui.target:AgUiTarget",
    fields=AgUiFields,
    example="agui:URL",
    guess=_guess,
    check_address=require_web_address,
    check_fields={"tools": read_frontend_tools},
    shows_calls="always",
    # Asked again, it may repeat its actions: only its author knows.
    may_repeat=False,
    records_itself=True,
)
AG_UI_REPLAY = TargetKind(
    name="agui-replay",
    target="vivavoce.targets.ag_ui.replay:AgUiReplayTarget",
    fields=AgUiReplayFields,
    check_fields={"tools": read_frontend_tools},
    shows_calls="always",
    may_repeat=True,
    replays=True,
)
