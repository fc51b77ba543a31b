"""The one declaration of every field of a case file, with its type and meaning.

A field that `Case` has under the same name is copied. The others are mapped in case_parts. The JSON schema and the
messages about wrong fields are made from these types; a test compares docs/cases.md with them.

All types omit defaults, so an encoded case has only the keys that its author wrote. That is how a repeated key is
noticed (see json_places.may_repeat_a_key).
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from vivavoce.model.case import OnMissingInput
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.server_request import LISTS, VERBS
from vivavoce.notation.durations import WrittenDuration

Assertions = Annotated[JsonValue, Meta(description="What must hold.", extra_json_schema={"$ref": "#/$defs/Assertions"})]
Content = Annotated[JsonValue, Meta(extra_json_schema={"$ref": "#/$defs/Content"})]
REQUEST_SCHEMA: JsonObject = {
    "type": "object",
    "description": "A request of an MCP server.",
    "properties": {verb: {"type": "string"} for verb in VERBS}
    | {"list": {"enum": list(LISTS)}, "args": {"type": "object"}},
    "anyOf": [{"required": [verb]} for verb in VERBS],
    "additionalProperties": False,
}
TurnInput = Annotated[
    JsonValue,
    Meta(extra_json_schema={"anyOf": [{"$ref": "#/$defs/Content"}, {"$ref": "#/$defs/MessageFields"}, REQUEST_SCHEMA]}),
]
AtLeastOne = Annotated[int, Meta(ge=1)]
NotEmpty = Annotated[str, Meta(min_length=1)]
_MESSAGES: JsonObject = {
    "anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/MessageFields"}},
        {"$ref": "#/$defs/MessagesFields"},
        {"type": "null"},
    ]
}


class OptionsFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What travels with a call besides the messages."""

    connector: Annotated[str | None, Meta(description="Model connector to use.")] = None
    mode: Annotated[str | None, Meta(description="Agent mode.")] = None
    search: Annotated[JsonValue, Meta(description="Search behaviour.")] = None
    skip: Annotated[dict[str, bool] | None, Meta(description="What the agent leaves out: history, trace, …")] = None
    metadata: Annotated[JsonObject | None, Meta(description="Free-form data for the agent.")] = None


class MessageFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One message of a conversation."""

    role: Annotated[Literal["user", "assistant", "system", "developer", "tool"], Meta(description="Who says it.")] = (
        "user"
    )
    content: Content | UnsetType = UNSET
    name: Annotated[str | None, Meta(description="The speaker, when there are several users.")] = None
    id: Annotated[str | None, Meta(description="The id under which the message is sent.")] = None
    tool_calls: Annotated[
        list[JsonObject] | None, Meta(description="Calls of an assistant message, as OpenAI writes them.")
    ] = None
    tool_call_id: Annotated[str | None, Meta(description="The call a tool message answers.")] = None


class ResumeFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a turn answers an open interrupt; with no selector it answers every open one."""

    id: Annotated[str | None, Meta(description="Answers the interrupt with this id.")] = None
    reason: Annotated[str | None, Meta(description="Answers interrupts with this reason.")] = None
    tool: Annotated[str | None, Meta(description="Answers interrupts of this tool.")] = None
    cancelled: Annotated[bool, Meta(description="True: the interrupt is cancelled instead of answered.")] = False
    payload: Annotated[JsonValue, Meta(description="The answer.")] = None


class TurnFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One scripted line of the user, and what must hold for the answer."""

    input: Annotated[TurnInput, Meta(description="What the user says.")] = None
    user: Annotated[TurnInput, Meta(description="The same as `input`.")] = None
    attachments: Annotated[
        JsonArray | None,
        Meta(description="Files sent with the line.", extra_json_schema={"items": {"$ref": "#/$defs/ContentPart"}}),
    ] = None
    assertions: Assertions | UnsetType = UNSET
    assert_: Assertions | UnsetType = field(default=UNSET, name="assert")
    options: Annotated[OptionsFields | None, Meta(description="Added to the case's options; these win.")] = None
    resume: Annotated[
        ResumeFields | list[ResumeFields] | None, Meta(description="Answers to open interrupts (AG-UI, A2A).")
    ] = None


class SimulatorFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who plays the user once the script has run out."""

    use: Annotated[NotEmpty, Meta(description="An agent id, `agents:ID` or `scripts:ID`.")]
    options: Annotated[OptionsFields | None, Meta(description="What the simulator is called with.")] = None
    metadata: Annotated[JsonObject | None, Meta(description="The same as `options.metadata`.")] = None


class CheckpointFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that must happen at some turn."""

    id: Annotated[NotEmpty, Meta(description="Unique in the case.")]
    description: Annotated[str | None, Meta(description="What it is about, for people and judges.")] = None
    assert_: Assertions | UnsetType = field(default=UNSET, name="assert")
    assertion: Assertions | UnsetType = UNSET
    assertions: Assertions | UnsetType = UNSET
    after: Annotated[str | list[str] | None, Meta(description="Checkpoints that must be reached before.")] = None
    required: Annotated[bool, Meta(description="False: the case may pass without it.")] = True


class InteractiveFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Whether a person may answer."""

    enabled: Annotated[bool, Meta(description="True: a person answers where the script has run out.")] = False
    timeout: Annotated[WrittenDuration | None, Meta(description="How long to wait for the person.")] = None


class HookFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A command run before the conversation; the JSON object it prints becomes variables."""

    cmd: Annotated[
        list[NotEmpty], Meta(min_length=1, description="Program and arguments.", examples=[["bash", "setup.sh"]])
    ]
    timeout_ms: Annotated[Annotated[float, Meta(gt=0)] | None, Meta(description="How long it may take (60000).")] = None


class ToolFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A tool the app's front end would run, and how it is answered."""

    name: Annotated[NotEmpty, Meta(description="The name the agent calls it by.")]
    description: Annotated[str, Meta(description="What the agent is told about it.")] = ""
    parameters: Annotated[JsonObject | None, Meta(description="JSON Schema of the arguments.")] = None
    answer: Annotated[JsonValue | UnsetType, Meta(description="One fixed answer for every call.")] = UNSET
    answers: Annotated[
        JsonArray | None,
        Meta(description="Answers in order: plain values, each used once, or {value|error|script, when?, once?}."),
    ] = None
    when: Annotated[
        list[JsonObject] | None,
        Meta(description="Answers for calls whose arguments match: {args: {argument: regex}, answer|error|script}."),
    ] = None
    error: Annotated[str | UnsetType, Meta(description="Every call fails with this.")] = UNSET
    script: Annotated[str | UnsetType, Meta(description="A script answers.")] = UNSET
    delay: Annotated[WrittenDuration | UnsetType, Meta(description="How long every answer takes, e.g. `2s`.")] = UNSET


class EachFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table, and how it is read."""

    file: Annotated[NotEmpty, Meta(description="CSV, TSV or JSONL; relative to the case file, else to the project.")]
    id: Annotated[NotEmpty | None, Meta(description="The column that names the rows (`id` where there is one).")] = None
    delimiter: Annotated[
        Annotated[str, Meta(min_length=1, max_length=1)] | None, Meta(description="Between cells, e.g. `;`.")
    ] = None


class MutantsFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What `viva mutate` accepts for this case."""

    allow: Annotated[
        tuple[MutantKind, ...], Meta(description="Kinds of changes that no check needs to notice here.")
    ] = ()


class MessagesFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Messages that a script makes when the case runs."""

    use: Annotated[NotEmpty, Meta(description="`scripts:ID`: returns the messages as a case writes them.")]


class CommonFields(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The fields of most cases."""

    id: Annotated[NotEmpty | None, Meta(description="Unique in its file. A YAML test is named after its file.")] = None
    name: Annotated[str | None, Meta(description="A title for people.")] = None
    description: Annotated[str | None, Meta(description="What the case is about, for people.")] = None
    tags: Annotated[tuple[NotEmpty, ...] | None, Meta(description="Words to select by.", examples=[["smoke"]])] = None
    metadata: Annotated[JsonObject | None, Meta(description="Free-form data.")] = None
    skip: Annotated[bool | str | None, Meta(description="True, or the reason why the case is not run.")] = None
    agent: Annotated[NotEmpty | None, Meta(description="The agent under test.")] = None
    user: Annotated[str | None, Meta(description="User id the agent is called with.")] = None
    team: Annotated[str | None, Meta(description="Team id the agent is called with.")] = None
    locale: Annotated[str | None, Meta(description="Locale the agent is called with.")] = None
    input: Annotated[
        JsonValue,
        Meta(
            description="What the user says: text, a message, or the messages so far.",
            extra_json_schema={
                "anyOf": [
                    {"type": "string"},
                    {"$ref": "#/$defs/MessageFields"},
                    REQUEST_SCHEMA,
                    {"type": "array", "items": {"$ref": "#/$defs/MessageFields"}},
                    {"type": "null"},
                ]
            },
        ),
    ] = None
    messages: Annotated[
        JsonValue,
        Meta(description="The messages so far, or `{use: scripts:ID}`.", extra_json_schema=_MESSAGES),
    ] = None
    expected: Annotated[JsonValue, Meta(description="The exact output, when there is no assertion.")] = None
    assert_: Assertions | UnsetType = field(default=UNSET, name="assert")
    assertions: Assertions | UnsetType = UNSET


class CaseFields(CommonFields, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One test case."""

    each: Annotated[
        NotEmpty | EachFields | None,
        Meta(description="A table: one case for each row, with `${column}` filled in.", examples=["orders.csv"]),
    ] = None
    options: Annotated[OptionsFields | None, Meta(description="What the agent is called with.")] = None
    timeout: Annotated[WrittenDuration | None, Meta(description="For the whole case.")] = None
    type: Annotated[
        Literal["single_turn", "multi_turn"] | None,
        Meta(description="Whether the case ends after its reply or may go on; usually clear from its fields."),
    ] = None
    turns: Annotated[list[TurnFields] | None, Meta(description="The user's lines, in order.")] = None
    simulator: Annotated[
        SimulatorFields | None,
        Meta(description="Who plays the user once the script has run out.", examples=[{"use": "my.simulator"}]),
    ] = None
    checkpoints: Annotated[
        list[CheckpointFields] | None, Meta(description="What must happen at some turn of the conversation.")
    ] = None
    max_turns: Annotated[Annotated[int, Meta(ge=0)] | None, Meta(description="A longer conversation fails (20).")] = (
        None
    )
    interactive: Annotated[
        InteractiveFields | None, Meta(description="Whether a person may answer.", examples=[{"enabled": True}])
    ] = None
    on_missing_input: Annotated[
        OnMissingInput | None, Meta(description="What happens when the agent asks and nobody answers.")
    ] = None
    final_assertions: Assertions | UnsetType = UNSET
    stop_on_failure: Annotated[bool | None, Meta(description="End at the first turn that fails.")] = None
    hooks: Annotated[
        list[HookFields] | None, Meta(description="Commands run before; the JSON they print becomes variables.")
    ] = None
    before: Annotated[NotEmpty | None, Meta(description="Script function run before the case.")] = None
    after: Annotated[NotEmpty | None, Meta(description="Script function run after the case.")] = None
    tools: Annotated[list[ToolFields] | None, Meta(description="Front-end tools and their answers.")] = None
    mocks: Annotated[
        list[ToolFields] | None, Meta(description="Answers in place of tools that the agent has; see docs/mocks.md.")
    ] = None
    faults: Annotated[
        list[str | JsonObject] | None,
        Meta(description="Failures put in the agent's way; see docs/faults.md.", examples=[["model:429@2"]]),
    ] = None
    state: Annotated[JsonValue, Meta(description="Initial agent state (AG-UI).")] = None
    thread_id: Annotated[
        NotEmpty | None,
        Meta(description="Thread id (AG-UI) or context id (A2A) to begin with."),
    ] = None
    workspace: Annotated[
        NotEmpty | None,
        Meta(description="Folder that the agent works in: copied for each attempt, from the case file."),
    ] = None
    priority: Annotated[
        Annotated[int, Meta(ge=0, le=3)] | None,
        Meta(description="0 (most important) to 3, for `--order risk` (2)."),
    ] = None
    runs: Annotated[AtLeastOne | None, Meta(description="How often the case runs.")] = None
    min_pass: Annotated[AtLeastOne | None, Meta(description="How many of its runs must pass.")] = None
    min_score: Annotated[
        Annotated[float, Meta(gt=0, le=1)] | None,
        Meta(description="The share of the weight of its checks that must hold (1: all of them)."),
    ] = None
    mutants: Annotated[
        MutantsFields | None,
        Meta(description="Changes that viva mutate lets pass.", examples=[{"allow": ["reply-number"]}]),
    ] = None
