"""The one Case: whatever file or agent a test came from, this is what runs."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonObject, JsonValue, Name
from vivavoce.model.message import Content, ContentPart, Message
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.planned_fault import PlannedFault

OnMissingInput = Literal["skip", "fail", "end"]
LineSource = Literal["static", "simulator", "interactive"]

SCRIPT_TESTS = "script_tests:"
"""Prefix of a script test's `agent`; the file with its function follows."""


class Origin(Struct, frozen=True, omit_defaults=True, gc=False):
    """Where a case was written, so that every error can say so."""

    path: Name = ""
    line: int = 0
    checks: tuple[tuple[int, ...], ...] = ()
    """The lines of a case's `assertions`, `final_assertions` and those of each turn; empty if it stands on one line."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


FULL_WEIGHT = 1.0
"""The default weight. Use this object, not `1.0`: msgspec leaves a default out of JSON only if it is this object."""


class AssertionSpec(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A check as plain data: `fields` are those of the assertion class that `type` names in the registry."""

    type: Name
    fields: JsonObject = {}
    negate: bool = False
    message: str | None = None
    path: str | None = None
    """Judge only this part of the output."""
    weight: float = FULL_WEIGHT
    """What it counts for in a case with `min_score`."""
    written: JsonObject = {}
    """As the author wrote it: reports quote this."""


class CallOptions(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What travels with a call besides the messages (Yao's context.Options)."""

    connector: str | None = None
    mode: str | None = None
    search: JsonValue = None
    skip: dict[str, bool] | None = None
    metadata: JsonObject = {}

    def overridden_by(self, other: "CallOptions | None") -> "CallOptions":
        """The same options with everything `other` sets put on top; metadata and skip merge key by key."""
        if other is None:
            return self
        return CallOptions(
            connector=other.connector or self.connector,
            mode=other.mode or self.mode,
            search=self.search if other.search is None else other.search,
            skip={**(self.skip or {}), **(other.skip or {})} or None,
            metadata={**self.metadata, **other.metadata},
        )


class Identity(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """On whose behalf the agent is called."""

    user_id: str = "test-user"
    team_id: str = "test-team"
    locale: str = "en-us"
    client_type: str = "test"
    client_ip: str = "127.0.0.1"
    referer: str = "test"
    accept: str = "standard"


class ResumeAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a line answers an open interrupt; with no selector it answers every open one."""

    id: str | None = None
    reason: str | None = None
    tool: str | None = None
    cancelled: bool = False
    payload: JsonValue = None


class ScriptedTurn(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A line the test's author wrote, and what must hold for the answer."""

    content: Content = ""
    name: str | None = None
    """Who of several users speaks, as the message's `name`."""
    attachments: tuple[ContentPart, ...] = ()
    assertions: tuple[AssertionSpec, ...] = ()
    options: CallOptions | None = None
    resume: tuple[ResumeAnswer, ...] = ()
    line: int = 0


class Checkpoint(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that must happen at some turn of a free conversation."""

    id: str
    assertions: tuple[AssertionSpec, ...]
    description: str | None = None
    after: tuple[str, ...] = ()
    required: bool = True


class SimulatorSpec(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The agent or script that plays the user."""

    use: str
    """A full reference: `agents:id` or `scripts:id`."""
    options: CallOptions = CallOptions()


class HookCommand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command run before the conversation; the JSON object it prints becomes variables."""

    cmd: tuple[str, ...]
    timeout_s: float = 60.0


class FrontendTool(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool the app's front end would run, answered by a stub."""

    name: str
    description: str = ""
    parameters: JsonObject = {}
    answers: tuple[JsonObject, ...] = ()
    """Tried in order: {"value"|"error"|"script", "when"?: {dotted arg: regex}, "once"?: bool, "delay"?: seconds}."""


class ConversationRules(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """When a conversation continues and when it ends. None means that the run's settings decide."""

    multi_turn: bool = False
    """Whether somebody may speak after the script; a plain `input` case ends with its reply."""
    single_turn: bool = False
    """`type: single_turn`: ends after its reply even under --simulator or --interactive."""
    max_turns: int | None = None
    timeout_s: float | None = None
    on_missing_input: OnMissingInput | None = None
    stop_on_failure: bool = False
    interactive: bool = False
    interactive_timeout_s: float = 300.0


class NotReached(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The last turns of a script, which the conversation did not reach. Result files only count them."""

    turns: int
    checks: int = 0
    fingerprint: str
    """Of the whole case, as `results.fingerprint` makes them: hexadecimal."""
    content_hash: str


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One test, ready to run and ready to travel: plain data only."""

    id: str
    origin: Origin = Origin()
    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    metadata: JsonObject = {}
    skip: str | None = None
    """Why the case is not run, or None."""
    agent: str | None = None
    user: str | None = None
    team: str | None = None
    locale: str | None = None
    options: CallOptions = CallOptions()

    history: tuple[Message, ...] = ()
    """The messages before the first turn."""
    history_script: str | None = None
    """The script that makes the history when the case runs; without turns, its last message is the line."""
    turns: tuple[ScriptedTurn, ...] = ()
    """The scripted lines in order; a plain `input` is a script of one."""
    not_reached: NotReached | None = None
    """Turns missing from a case that was read back from a result. None in every case that can be run."""
    assertions: tuple[AssertionSpec, ...] = ()
    final_assertions: tuple[AssertionSpec, ...] = ()
    expected: JsonValue | UnsetType = UNSET
    checkpoints: tuple[Checkpoint, ...] = ()
    simulator: SimulatorSpec | None = None
    rules: ConversationRules = ConversationRules()

    hooks: tuple[HookCommand, ...] = ()
    before: str | None = None
    after: str | None = None
    frontend_tools: tuple[FrontendTool, ...] = ()
    mocks: tuple[FrontendTool, ...] = ()
    """Answers in place of tools that the agent has."""
    faults: tuple[PlannedFault, ...] = ()
    """Failures that viva injects."""
    state: JsonValue = None
    """Initial agent state (AG-UI)."""
    thread_id: str | None = None
    """Thread id sent to an AG-UI agent; None: a new one is made."""
    workspace: str | None = None
    """The folder that the agent works in, copied for each attempt; relative to the case's file."""
    priority: int | None = None
    """0 (most important) to 3, for `--order risk`; None: 2."""
    runs: int | None = None
    min_pass: int | None = None
    min_score: float | None = None
    """The share of the weight of all checks that must hold; None: all of them must."""
    mutants_allowed: tuple[MutantKind, ...] = ()
    """Changes of its conversation that its checks need not notice."""

    @property
    def key(self) -> str:
        """Unique in a run: `path::id`. Bytes that are not UTF-8 are escaped."""
        key = f"{self.origin.path}::{self.id}"
        return key if key.isascii() else key.encode("utf-8", "backslashreplace").decode()

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_script_test(self) -> bool:
        """Whether the case is a function of a script test file, and not a conversation with an agent."""
        return self.agent is not None and self.agent.startswith(SCRIPT_TESTS)

    @property
    def script_length(self) -> int:
        """How many turns the script has, including those that are not in `turns`."""
        return len(self.turns) + (0 if self.not_reached is None else self.not_reached.turns)

    @property
    def first_input(self) -> Content:
        return self.turns[0].content if self.turns else ""
