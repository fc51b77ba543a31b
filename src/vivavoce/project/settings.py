"""The types of the project's configuration (`viva.yaml`). Flags and VIVA_* variables override it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.notation.patterns import refuse_bad_pattern
from vivavoce.project.run_defaults import RunDefaults

AtLeastOne = Annotated[int, Meta(ge=1)]


class AgentConfig(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A named agent: its kind, and the checked fields of that kind."""

    kind: str
    max_parallel: AtLeastOne | None = None
    rate: str | None = None
    fields: JsonObject = {}


class LegacyTarget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Seed 001's `target:` block: one AG-UI app."""

    endpoint: str
    headers: dict[str, str] = {}


class ConnectorConfig(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A model connection, with the fields of Yao's connector files."""

    type: str
    name: str | None = None
    label: str | None = None
    version: str | None = None
    options: JsonObject = {}
    max_parallel: Annotated[AtLeastOne | None, Meta(description="The most calls of this model at once.")] = None
    rate: Annotated[str | None, Meta(description="The most calls per second, minute or hour: `10/s`, `600/m`.")] = None


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """The price of a million tokens, in the currency of `--budget`."""

    input: Annotated[float, Meta(ge=0)] = 0.0
    output: Annotated[float, Meta(ge=0)] = 0.0


class IdentityConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    user: str | None = None
    team: str | None = None
    locale: str | None = None


class AwaitingConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How to recognise that an agent waits for an answer, if it does not say so."""

    tools: list[str] | None = None
    patterns: list[str] | None = None


class SnapshotReplacement(Struct, frozen=True, forbid_unknown_fields=True, rename={"becomes": "as"}):
    """A pattern of text that differs from run to run, and its replacement in snapshots."""

    match: str
    becomes: str = "<…>"

    def __post_init__(self) -> None:
        refuse_bad_pattern(self.match)


class SnapshotConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How snapshots are kept."""

    normalise: Annotated[
        list[Literal["uuid", "time", "id", "date"] | SnapshotReplacement] | None,
        Meta(description="What is replaced because it differs from run to run (`uuid`, `time` and `id` by default)."),
    ] = None


class CoverageConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What `viva coverage` looks at."""

    tools: Annotated[
        list[str | JsonObject] | None,
        Meta(description="The agent's tools, where it does not list them: names, or `{name, parameters}`."),
    ] = None
    ignore: Annotated[
        list[str],
        Meta(description="What need not be covered: `refund.failed`, `*.failed`, `search.*.given`."),
    ] = []


class ReplayConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How recorded model calls are found again."""

    ignore: Annotated[list[str], Meta(description="Patterns of texts that may change from run to run.")] = []
    reuse: Annotated[bool, Meta(description="Whether one recorded call may answer several requests.")] = False
    max_age_days: Annotated[
        Annotated[int, Meta(ge=0)], Meta(description="Recordings that are older are reported; 0: never.")
    ] = 30


class FuzzConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rules of `viva fuzz` for this agent, besides the universal ones."""

    rules: Annotated[list[JsonObject], Meta(description="Assertions that must hold whatever a hostile user says.")] = []
    never_said: Annotated[
        list[str], Meta(description="Texts that the agent must never say, such as parts of its system prompt.")
    ] = []


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """`viva.yaml`, `[tool.viva]`, or seed 001's `aguitest.config.yaml`."""

    tests: list[str] | str | None = None
    agent: Annotated[str | None, Meta(description="The agent under test when neither `-n` nor a package decides.")] = (
        None
    )
    agents: dict[str, AgentConfig] = {}
    target: LegacyTarget | None = None
    connectors: dict[str, ConnectorConfig] = {}
    prices: Annotated[
        dict[str, Price],
        Meta(description="By model name (`*` and `?` allowed; the first that fits counts), for calls without a cost."),
    ] = {}
    identity: IdentityConfig = IdentityConfig()
    awaiting: AwaitingConfig = AwaitingConfig()
    snapshots: SnapshotConfig = SnapshotConfig()
    run: RunDefaults = RunDefaults()
    coverage: Annotated[CoverageConfig, Meta(description="See docs/coverage.md.")] = CoverageConfig()
    replay: Annotated[ReplayConfig, Meta(description="How tapes are replayed; see docs/tapes.md.")] = ReplayConfig()
    defaults: Annotated[
        JsonObject, Meta(description="What all cases share: assertions, agent, tags, timeout, …; see docs/cases.md.")
    ] = {}
    variables: Annotated[dict[str, str], Meta(description="Values for `${NAME}` in cases and agents.")] = {}
    tools: Annotated[list[JsonObject], Meta(description="Front-end tools of every AG-UI agent.")] = []
    plugins: Annotated[
        list[str] | str,
        Meta(description="Python files that add assertions, kinds of agents, connectors, report formats or executors."),
    ] = []
    fuzz: FuzzConfig = FuzzConfig()
    allow_outside: Annotated[bool, Meta(description="Whether attachments may lie outside the project.")] = False
    assistants: str = "assistants"
    connectors_dir: str = "connectors"
    scripts: str = "scripts"
