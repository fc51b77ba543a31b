"""One raw object → one Case, whichever file or agent it came from."""

from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct, structs

from vivavoce.errors import UsageError
from vivavoce.model.case import (
    AssertionSpec,
    Case,
    ConversationRules,
    FrontendTool,
    HookCommand,
    OnMissingInput,
    Origin,
    ScriptedTurn,
    SimulatorSpec,
)
from vivavoce.model.json_value import is_array, is_object
from vivavoce.model.message import Message
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.notation.yaml_reader import YamlDocument
from vivavoce.sources.decoding.case_fields import CaseFields, CommonFields, HookFields, ToolFields
from vivavoce.sources.decoding.conversation_decoder import (
    NO_OPTIONS,
    assertions_at,
    decode_checkpoints,
    decode_duration,
    decode_options,
    decode_simulator,
    decode_turn,
)
from vivavoce.sources.decoding.field_check import checked
from vivavoce.sources.decoding.message_decoder import decode_input, decode_messages
from vivavoce.sources.decoding.place import Place
from vivavoce.sources.reading.json_places import JsonText

SKIPPED = "marked to be skipped"
Script: TypeAlias = tuple[tuple[Message, ...], tuple[ScriptedTurn, ...]]
"""What was said before, and what the user will say."""
_LOOKS_LIKE_A_BOOLEAN = {"true", "false", "yes", "no", "on", "off", "y", "n", "1", "0"}


class Defaults(Struct, frozen=True):
    """What a format says for the author who says nothing."""

    case_id: str | None = None
    on_missing_input: OnMissingInput | None = None
    stop_on_failure: bool = False


PLAIN = Defaults()


def decode_case(
    raw: dict[str, Any], origin: Origin, defaults: Defaults = PLAIN, document: JsonText | None = None
) -> Case:
    """A case as JSONL writes it. Raises UsageError naming file, line and field."""
    place = Place(origin, document)
    return decode_fields(checked(raw, CaseFields, place), place, defaults)


def decode_yaml_case(document: YamlDocument, path: str, default_id: str) -> Case:
    """A YAML test: the same fields, but its verdict is binary and its first failed turn ends it."""
    place = Place(Origin(path, document.line), document)
    if not is_object(document.value):
        raise place.wanted(
            "a mapping with 'turns'", document.value, "several tests in one file stand between --- lines"
        )
    return decode_fields(checked(document.value, CaseFields, place), place, Defaults(default_id, "end", True))


def decode_fields(fields: CaseFields, place: Place, defaults: Defaults = PLAIN) -> Case:
    """The case that soundly typed fields describe. Raises UsageError where they make no sense together."""
    simulator: SimulatorSpec | None = None
    simulated_turns: int | None = None
    if fields.simulator is not None:
        simulator, simulated_turns = decode_simulator(fields.simulator, place.at("simulator"))
    script = _script(fields, place)
    if fields.min_pass is not None and fields.runs is not None and fields.min_pass > fields.runs:
        raise place.at("min_pass").problem(f"{fields.min_pass} of only {fields.runs} runs cannot pass")
    return structs.replace(
        _common_case(fields, script, place, defaults),
        options=NO_OPTIONS if fields.options is None else decode_options(fields.options),
        final_assertions=assertions_at(place, "final_assertions", fields.final_assertions),
        checkpoints=decode_checkpoints(fields.checkpoints, place.at("checkpoints")) if fields.checkpoints else (),
        simulator=simulator,
        rules=_rules(fields, place, defaults, simulated_turns),
        hooks=tuple(map(_hook, fields.hooks)) if fields.hooks else (),
        before=fields.before,
        after=fields.after,
        frontend_tools=_frontend_tools(fields.tools, place.at("tools")) if fields.tools else (),
        state=fields.state,
        runs=fields.runs,
        min_pass=fields.min_pass,
    )


def decode_common_fields(fields: CommonFields, origin: Origin) -> Case:
    """The same for a case that says nothing more."""
    place = Place(origin)
    return _common_case(fields, _exchange(fields, place), place, PLAIN)


def _common_case(fields: CommonFields, script: Script, place: Place, defaults: Defaults) -> Case:
    # Python puts more than 15 named arguments through a dict: too dear for what every case passes.
    return Case(
        id=fields.id or _default_id(defaults, place),
        origin=place.origin,
        name=fields.name,
        description=fields.description,
        tags=tuple(fields.tags) if fields.tags else (),
        metadata=fields.metadata or {},
        skip=None if fields.skip is None else _skip(fields.skip, place),
        agent=fields.agent,
        user=fields.user,
        team=fields.team,
        locale=fields.locale,
        history=script[0],
        turns=script[1],
        assertions=_assertions(fields, place),
        expected=UNSET if fields.expected is None else fields.expected,
    )


def _assertions(fields: CommonFields, place: Place) -> tuple[AssertionSpec, ...]:
    """Under either name; where both are there, what is under both must hold."""
    asserted = assertions_at(place, "assert", fields.assert_)
    if fields.assertions is UNSET:
        return asserted
    return asserted + assertions_at(place, "assertions", fields.assertions)


def _default_id(defaults: Defaults, place: Place) -> str:
    if defaults.case_id is None:
        raise place.problem("'id' is missing", "every case needs an id of its own")
    return defaults.case_id


def _script(fields: CaseFields, place: Place) -> Script:
    """`turns` beat `messages`, `messages` beat `input`."""
    if not fields.turns:
        return _exchange(fields, place, simulated=fields.simulator is not None)
    said = _said(fields, place)
    turns = tuple(decode_turn(turn, place.at("turns", index)) for index, turn in enumerate(fields.turns))
    if fields.type == "single_turn" and len(turns) > 1:
        raise place.at("type").problem(f"a single_turn case ends after its reply, but there are {len(turns)} turns")
    # A lone `input` is the old spelling of the first turn; a list is what went before.
    return said if fields.messages or is_array(fields.input) else (), turns


def _exchange(fields: CommonFields, place: Place, *, simulated: bool = False) -> Script:
    """The last message is the user's line, all others went before."""
    if type(fields.input) is str and fields.input and fields.messages is None:
        return (), (ScriptedTurn(content=fields.input),)
    said = _said(fields, place)
    if not said:
        # Whether that will do only a run knows, which may have a simulator for everybody.
        return (), ()
    last = said[-1]
    if last.role != "user":
        return said, () if simulated else (ScriptedTurn(),)
    if not last.content:
        raise place.problem("no input: the user says nothing", "give the last message some 'content'")
    return said[:-1], (ScriptedTurn(content=last.content, name=last.name),)


def _said(fields: CommonFields, place: Place) -> tuple[Message, ...]:
    if fields.messages:
        return decode_messages(fields.messages, place.at("messages"))
    return () if fields.input is None else decode_input(fields.input, place.at("input"))


def _skip(skip: bool | str, place: Place) -> str | None:
    if isinstance(skip, bool):
        return SKIPPED if skip else None
    reason = skip.strip()
    if not reason or reason.lower() in _LOOKS_LIKE_A_BOOLEAN:
        raise place.at("skip").wanted("true, false or a reason", skip, "write true or false without quotes")
    return reason


def _rules(fields: CaseFields, place: Place, defaults: Defaults, simulated_turns: int | None) -> ConversationRules:
    interactive = fields.interactive
    enabled = interactive is not None and interactive.enabled
    waits = None if interactive is None else decode_duration(interactive.timeout, place.at("interactive", "timeout"))
    single = fields.type == "single_turn"
    many = bool(fields.turns or fields.simulator or fields.checkpoints or enabled or fields.type == "multi_turn")
    stops = fields.stop_on_failure
    return ConversationRules(
        multi_turn=many and not single,
        single_turn=single,
        max_turns=fields.max_turns or simulated_turns,
        timeout_s=None if fields.timeout is None else decode_duration(fields.timeout, place.at("timeout")),
        on_missing_input=fields.on_missing_input or defaults.on_missing_input,
        stop_on_failure=defaults.stop_on_failure if stops is None else stops,
        interactive=enabled,
        interactive_timeout_s=waits or 300.0,
    )


def _hook(fields: HookFields) -> HookCommand:
    if fields.timeout_ms is None:
        return HookCommand(cmd=tuple(fields.cmd))
    return HookCommand(cmd=tuple(fields.cmd), timeout_s=fields.timeout_ms / 1000)


def _frontend_tools(tools: list[ToolFields], place: Place) -> tuple[FrontendTool, ...]:
    """Read as those of the project's configuration are: a test may add its own."""
    try:
        return read_frontend_tools([msgspec.to_builtins(tool) for tool in tools], place.origin)
    except UsageError as error:
        raise UsageError(error.what, at=place.here, hint=error.hint) from None
