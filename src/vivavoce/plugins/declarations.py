"""What a kind of agent and a report format declare about themselves: the one place the rest of viva asks."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.notation.durations import WrittenDuration
from vivavoce.project.project import Project
from vivavoce.project.settings import AtLeastOne
from vivavoce.protocols import DocumentWriter, ShowsCalls, Surroundings, Target, TargetFactory, TargetSpec

Config: TypeAlias = Mapping[str, JsonValue]
"""The fields of one agent, as plain data."""


PORT_VARIABLE = "PORT"
"""The port of an attempt's own server: `${PORT}` in the agent's entry and in the case, `$PORT` in its environment."""


class ServeFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The user's own server: started before the agent is first called, ended after the run or the attempt."""

    cmd: Annotated[list[str] | str, Meta(description="The program and its arguments.")]
    ready: Annotated[
        int | str,
        Meta(
            description="When it is ready: a URL that answers, a port, or a regex that its log matches.",
            examples=[8000, "http://localhost:8000/health"],
        ),
    ]
    cwd: Annotated[str | None, Meta(description="Where it is started, from the project's folder.")] = None
    env: Annotated[dict[str, str], Meta(description="Added to its environment.")] = {}
    stop: Annotated[WrittenDuration, Meta(description="How long it may take to end before it is killed.")] = "5s"
    timeout: Annotated[WrittenDuration, Meta(description="How long it may take to become ready.")] = "60s"
    reuse: Annotated[bool, Meta(description="Whether a server that listens there already is used instead.")] = False
    per: Annotated[
        Literal["run", "attempt"],
        Meta(description="One server for the whole `run`, or one for each `attempt`, on a free port: `${PORT}`."),
    ] = "run"


class OtelFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the agent's OpenTelemetry spans are received, from which its tool calls are read."""

    listen: Annotated[
        Annotated[int, Meta(ge=0, le=65535)] | None,
        Meta(description="The port on loopback (4318; any free one for agents that viva starts)."),
    ] = None
    wait: Annotated[WrittenDuration, Meta(description="How long to wait for the spans of a turn.")] = "10s"


class McpMockFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where `viva mcp-mock` asks for its answers."""

    listen: Annotated[
        Annotated[int, Meta(ge=0, le=65535)], Meta(description="The port on loopback (0: any free one).")
    ] = 0


class AgentFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every agent of `viva.yaml` may say. A kind adds its own fields in a subclass."""

    description: Annotated[str | None, Meta(description="Shown by `viva agents`.")] = None
    model: Annotated[str | None, Meta(description="The model it uses; `prices` are looked up by this name.")] = None
    max_parallel: Annotated[AtLeastOne | None, Meta(description="Most calls of this agent at once.")] = None
    rate: Annotated[str | None, Meta(description="Most calls in a time: `10/s`, `600/m`.")] = None
    serve: Annotated[ServeFields | None, Meta(description="The agent's server, when viva is to start it.")] = None
    otel: Annotated[OtelFields | None, Meta(description="Read its tool calls from its OpenTelemetry spans.")] = None
    model_proxy: Annotated[
        JsonObject | bool | None,
        Meta(description="A proxy before its models: `{upstream: {openai: URL}}`, `{openai: URL}`, or true."),
    ] = None
    mcp_mock: Annotated[
        McpMockFields | bool | None,
        Meta(description="True: its MCP servers are started by `viva mcp-mock`, so that cases can mock their tools."),
    ] = None
    shows_calls: Annotated[
        bool | None,
        Meta(
            description="True: every answer shows the agent's tool calls, even plain text (which then made none). "
            "False: none does."
        ),
    ] = None


def _never(_: Config) -> bool:
    return False


def always(_: Config) -> bool:
    """For `TargetKind.takes_workspace`: agents that run here."""
    return True


class TargetKind(Struct, frozen=True, kw_only=True):
    """A kind of agent: how it is written, checked and built."""

    name: str
    """Its prefix in `-n NAME:…` and its name in `agents: {x: {kind: NAME}}`."""
    target: TargetFactory | str
    """What builds it from (spec, surroundings): a class, or "module:Class" to import it when it is first used."""
    fields: type[AgentFields] | None = AgentFields
    """What it takes in `viva.yaml`; None: it cannot be written there. The field with the kind's name is its address."""
    read_reference: Callable[[str], JsonObject] | None = None
    """The fields that `-n NAME:REST` stands for; without it REST is the address."""
    by_reference: bool = True
    """Whether `-n NAME:REST` can name one; False: it can only be written in `viva.yaml`."""
    example: str = ""
    """A reference as help shows it: `agui:URL`."""
    guess: Callable[[str], str | None] | None = None
    """The reference of this kind that a name nobody knows was probably meant as."""
    check_address: Callable[[TargetSpec, Config], None] | None = None
    """Raises UsageError when the agent can never be reached. Gets its fields with the variables put in."""
    check_needs: Callable[[TargetSpec, Project], None] | None = None
    """Raises UsageError when something it needs is not installed: a program, an extra. For `viva validate`."""
    check_fields: Mapping[str, Callable[[JsonValue], object]] = {}
    """Checks of single fields that their type cannot express; each raises UsageError or ValueError."""
    shows_calls: ShowsCalls = "when_it_has_some"
    """Whether an answer always shows the agent's tool calls, only when its form has a place for them, or never."""
    runs: Literal["here", "started", "elsewhere"] = "elsewhere"
    """Where its code runs: in viva's process, in one that is started for each conversation, or elsewhere."""
    may_repeat: bool = False
    """Whether it may be asked again when the answer was lost: asking twice changes nothing in the world."""
    replays: bool = False
    """Whether it only plays back what was recorded: the time it takes says nothing about an agent."""
    records_itself: bool = False
    """Whether its target keeps what it receives (`record_to`), more exactly than an answer could be kept."""
    takes_requests: bool = False
    """Whether a turn is a request such as `{"call": NAME, "args": {…}}` in place of words."""
    takes_workspace: Callable[[Config], bool] = _never
    """Whether an agent with these fields can work in a folder that it is given (`CallContext.workspace`)."""
    struck_at: tuple[str, ...] = ()
    """Where viva stands between the agent and its world, so that faults can strike: `model`, `tool`, `stream`."""
    keeps_promises: bool = False
    """Whether breaches of its protocol's own rules always fail a turn, not only under --strict-protocol."""
    priced_by: Literal["model", "connector"] = "model"
    """Whether the price of a call is looked up by the agent's `model`, or its connector has done so already."""
    connector: Literal["unused", "passed_on", "used"] = "unused"
    """What it does with `-c`: nothing, sends the name to the agent, or calls that connector itself."""
    scripts_folder: Callable[[TargetSpec, Project], Path | None] | None = None
    """The agent's own folder of scripts: the `before` and `after` of its cases are looked for there first."""

    def build(self, spec: TargetSpec, surroundings: Surroundings) -> Target:
        """The live target. Raises UsageError when it cannot be built."""
        factory: TargetFactory = imported(self.target) if isinstance(self.target, str) else self.target
        return factory(spec, surroundings)


class ReportFormat(Struct, frozen=True, kw_only=True):
    """A format of reports: how it is named and what writes it."""

    name: str
    """`-r report.NAME`"""
    write: DocumentWriter | str
    """Writes a report to a text stream: a function, or "module:function" to import it when it is first used."""
    suffixes: tuple[str, ...] = ()
    """`-o FILE.SUFFIX`; a format without one can only be asked for by name."""

    @property
    def writer(self) -> DocumentWriter:
        return imported(self.write) if isinstance(self.write, str) else self.write


def imported(where: str) -> JsonValue:
    """The object at "module:name"."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)
