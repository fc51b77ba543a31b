"""The fields of a case that are not just copied: how each is decoded into a Case and encoded again."""

from collections.abc import Callable

import msgspec
from msgspec import UNSET, Struct

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, CallOptions, Case, HookCommand, OnMissingInput
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.notation.fault_notation import read_fault, written_fault
from vivavoce.notation.place import Place
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.sources.decoding import conversation_encoder as encoder
from vivavoce.sources.decoding.assertion_decoder import assertions_in
from vivavoce.sources.decoding.case_fields import CaseFields, CommonFields, HookFields
from vivavoce.sources.decoding.case_rules import decode_rules, encode_rules
from vivavoce.sources.decoding.conversation_decoder import (
    assertions_under,
    decode_checkpoints,
    decode_options,
    decode_simulator,
)
from vivavoce.sources.decoding.script_decoder import decode_history_script, decode_script

SKIPPED = "marked to be skipped"
_LOOKS_LIKE_A_BOOLEAN = {"true", "false", "yes", "no", "on", "off", "y", "n", "1", "0"}


class Defaults(Struct, frozen=True):
    """The defaults of a file format."""

    case_id: str | None = None
    on_missing_input: OnMissingInput | None = None
    stop_on_failure: bool = False


Values = JsonObject
"""Attributes of a Case, or fields of a file, by name."""


class CasePart(Struct, frozen=True):
    """Attributes of a Case, and the fields of a file that hold them."""

    attributes: tuple[str, ...]
    fields: tuple[str, ...]
    decode: Callable[[CaseFields, Place, Defaults, Values], None]
    """Adds the attributes that differ from their defaults to the values. Raises UsageError with all problems."""
    encode: Callable[[Case], Values]
    """Returns the fields that differ from their defaults."""


def decode_skip(skip: bool | str | None, place: Place) -> str | None:
    """Returns why the case is not run, or None."""
    if skip is None or isinstance(skip, bool):
        return SKIPPED if skip else None
    reason = skip.strip()
    if not reason or reason.lower() in _LOOKS_LIKE_A_BOOLEAN:
        raise place.at("skip").wanted("true, false or a reason", skip, "write true or false without quotes")
    return reason


def _skip(case: Case) -> Values:
    return {} if case.skip is None else {"skip": True if case.skip == SKIPPED else case.skip}


def decode_case_assertions(fields: CommonFields, place: Place) -> tuple[AssertionSpec, ...]:
    """Reads `assert` and `assertions`. When a case has both, all of them must hold."""
    if fields.assertions is UNSET:
        return () if fields.assert_ is UNSET else assertions_in(fields.assert_, place.at("assert"))
    return assertions_under(place, {"assert": fields.assert_, "assertions": fields.assertions})


def _hook(fields: HookFields) -> HookCommand:
    if fields.timeout_ms is None:
        return HookCommand(cmd=tuple(fields.cmd))
    return HookCommand(cmd=tuple(fields.cmd), timeout_s=fields.timeout_ms / 1000)


def _hook_fields(hook: HookCommand) -> JsonObject:
    written: JsonObject = {"cmd": list(hook.cmd)}
    if hook.timeout_s != HookCommand(cmd=hook.cmd).timeout_s:
        written["timeout_ms"] = round(hook.timeout_s * 1000, 6)
    return written


def _refuse_each(fields: CaseFields, place: Place, _: Defaults, __: Values) -> None:
    """Raises UsageError: a table makes many cases of one, so it cannot be decoded as a single case."""
    if fields.each is not None:
        raise place.at("each").problem("only a case of a file can have a table")


def _decode_skip(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if fields.skip is not None:
        values["skip"] = decode_skip(fields.skip, place)


def _decode_options(fields: CaseFields, _: Place, __: Defaults, values: Values) -> None:
    if fields.options is not None:
        values["options"] = decode_options(fields.options)


def _decode_script(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if is_object(fields.messages):
        values["history_script"] = decode_history_script(fields.messages, place.at("messages"))
    values["history"], values["turns"] = decode_script(fields, place)


def _decode_assertions(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    values["assertions"] = decode_case_assertions(fields, place)


def _decode_finals(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if fields.final_assertions is not UNSET:
        values["final_assertions"] = assertions_in(fields.final_assertions, place.at("final_assertions"))


def _decode_checkpoints(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if fields.checkpoints:
        values["checkpoints"] = decode_checkpoints(fields.checkpoints, place.at("checkpoints"))


def _decode_simulator(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if fields.simulator is not None:
        values["simulator"] = decode_simulator(fields.simulator, place.at("simulator"))


def _decode_rules(fields: CaseFields, place: Place, defaults: Defaults, values: Values) -> None:
    values["rules"] = decode_rules(fields, place, defaults.on_missing_input, defaults.stop_on_failure)


def _decode_hooks(fields: CaseFields, _: Place, __: Defaults, values: Values) -> None:
    if fields.hooks:
        values["hooks"] = tuple(map(_hook, fields.hooks))


def _decode_tools(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    """Reads tools of the case like those of the project's configuration."""
    if fields.tools:
        values["frontend_tools"] = read_frontend_tools(msgspec.to_builtins(fields.tools), place.at("tools"))


def _decode_mocks(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if fields.mocks:
        values["mocks"] = read_frontend_tools(msgspec.to_builtins(fields.mocks), place.at("mocks"), word="mock")


def _decode_faults(fields: CaseFields, place: Place, _: Defaults, values: Values) -> None:
    if not fields.faults:
        return
    read: list[PlannedFault] = []
    for number, written in enumerate(fields.faults):
        try:
            read.append(read_fault(written))
        except UsageError as problem:
            raise place.at("faults", number).problem(problem.what, problem.hint) from None
    values["faults"] = tuple(read)


def _decode_mutants(fields: CaseFields, _: Place, __: Defaults, values: Values) -> None:
    if fields.mutants is not None:
        values["mutants_allowed"] = tuple(dict.fromkeys(fields.mutants.allow))


def _mutants(case: Case) -> Values:
    return {"mutants": {"allow": [kind.value for kind in case.mutants_allowed]}} if case.mutants_allowed else {}


def _assertions(field: str) -> Callable[[Case], Values]:
    def encode(case: Case) -> Values:
        specs: tuple[AssertionSpec, ...] = getattr(case, field)
        return {field: encoder.encode_assertions(specs)} if specs else {}

    return encode


def _nothing(_: Case) -> Values:
    """The rows of a table are separate cases by now."""
    return {}


def _options(case: Case) -> Values:
    return {} if case.options == CallOptions() else {"options": encoder.encode_options(case.options)}


def _simulator(case: Case) -> Values:
    return {} if case.simulator is None else {"simulator": encoder.encode_simulator(case.simulator)}


def _checkpoints(case: Case) -> Values:
    return {"checkpoints": [*map(encoder.encode_checkpoint, case.checkpoints)]} if case.checkpoints else {}


def _hooks(case: Case) -> Values:
    return {"hooks": [*map(_hook_fields, case.hooks)]} if case.hooks else {}


def _tools(case: Case) -> Values:
    return {"tools": msgspec.to_builtins(case.frontend_tools)} if case.frontend_tools else {}


def _mocks(case: Case) -> Values:
    return {"mocks": msgspec.to_builtins(case.mocks)} if case.mocks else {}


def _faults(case: Case) -> Values:
    return {"faults": [*map(written_fault, case.faults)]} if case.faults else {}


_ABOUT_RULES = ("type", "timeout", "max_turns", "interactive", "on_missing_input", "stop_on_failure")
PARTS = (
    CasePart(("skip",), ("skip",), _decode_skip, _skip),
    CasePart(("options",), ("options",), _decode_options, _options),
    CasePart((), ("each",), _refuse_each, _nothing),
    CasePart(
        ("history", "turns", "history_script"), ("input", "messages", "turns"), _decode_script, encoder.encode_script
    ),
    CasePart(("assertions",), ("assert_", "assertions"), _decode_assertions, _assertions("assertions")),
    CasePart(("final_assertions",), ("final_assertions",), _decode_finals, _assertions("final_assertions")),
    CasePart(("checkpoints",), ("checkpoints",), _decode_checkpoints, _checkpoints),
    CasePart(("simulator",), ("simulator",), _decode_simulator, _simulator),
    CasePart(("rules",), _ABOUT_RULES, _decode_rules, encode_rules),
    CasePart(("hooks",), ("hooks",), _decode_hooks, _hooks),
    CasePart(("frontend_tools",), ("tools",), _decode_tools, _tools),
    CasePart(("mocks",), ("mocks",), _decode_mocks, _mocks),
    CasePart(("faults",), ("faults",), _decode_faults, _faults),
    CasePart(("mutants_allowed",), ("mutants",), _decode_mutants, _mutants),
)

_MAPPED = {name for part in PARTS for name in (*part.attributes, *part.fields)}
COPIED = tuple(name for name in CaseFields.__struct_fields__ if name in Case.__struct_fields__ and name not in _MAPPED)
"""The fields that a Case has under the same name; null means that the field is not set."""
