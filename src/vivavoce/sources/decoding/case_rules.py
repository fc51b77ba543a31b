"""The fields that say when a conversation ends: decoded into ConversationRules and encoded again."""

from decimal import Decimal

import msgspec

from vivavoce.errors import Problems
from vivavoce.model.case import Case, ConversationRules, OnMissingInput
from vivavoce.model.json_value import JsonObject
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.conversation_decoder import max_turns_of
from vivavoce.sources.decoding.conversation_encoder import encode_script

_AS_THEY_ARE = ("max_turns", "on_missing_input", "stop_on_failure")
_DEFAULTS = ConversationRules()


def decode_rules(
    fields: CaseFields, place: Place, on_missing_input: OnMissingInput | None, stop_on_failure: bool
) -> ConversationRules:
    """Returns the rules of a case; the last two arguments are the defaults."""
    problems = Problems()
    interactive = fields.interactive
    enabled = interactive is not None and interactive.enabled
    waits = timeout_s = simulated_turns = None
    if interactive is not None:
        with problems:
            waits = _seconds(interactive.timeout, place.at("interactive", "timeout"))
    if fields.timeout is not None:
        with problems:
            timeout_s = _seconds(fields.timeout, place.at("timeout"))
    if fields.simulator is not None:
        with problems:
            simulated_turns = max_turns_of(fields.simulator, place.at("simulator"))
    problems.raise_any()
    single = fields.type == "single_turn"
    many = bool(fields.turns or fields.simulator or fields.checkpoints or enabled or fields.type == "multi_turn")
    return ConversationRules(
        multi_turn=many and not single,
        single_turn=single,
        max_turns=fields.max_turns or simulated_turns,
        timeout_s=timeout_s,
        on_missing_input=fields.on_missing_input or on_missing_input,
        stop_on_failure=stop_on_failure if fields.stop_on_failure is None else fields.stop_on_failure,
        interactive=enabled,
        interactive_timeout_s=waits or _DEFAULTS.interactive_timeout_s,
    )


def encode_rules(case: Case) -> JsonObject:
    rules = case.rules
    plain: JsonObject = msgspec.to_builtins(rules)
    found = {name: plain[name] for name in _AS_THEY_ARE if name in plain}
    if rules.timeout_s is not None:
        found["timeout"] = _duration(rules.timeout_s)
    interactive: JsonObject = {"enabled": True} if rules.interactive else {}
    if rules.interactive_timeout_s != _DEFAULTS.interactive_timeout_s:
        interactive["timeout"] = _duration(rules.interactive_timeout_s)
    if interactive:
        found["interactive"] = interactive
    goes_on_anyway = rules.interactive or case.simulator or case.checkpoints or "turns" in encode_script(case)
    if rules.single_turn:
        found["type"] = "single_turn"
    elif rules.multi_turn and not goes_on_anyway:
        found["type"] = "multi_turn"
    return found


def _seconds(text: str | None, place: Place) -> float | None:
    if text is None:
        return None
    try:
        return parse_duration(text)
    except ValueError as error:
        raise place.problem(str(error)) from None


def _duration(seconds: float) -> str:
    """The short form, like `2m`, when it is exact; else in seconds."""
    short = format_duration(seconds)
    try:
        exact = parse_duration(short) == seconds
    except ValueError:
        exact = False
    return short if exact else f"{Decimal(repr(seconds)):f}s"
