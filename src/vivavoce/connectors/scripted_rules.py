"""The rules of a scripted model as data: read and checked; every mistake is reported with its line."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Usage
from vivavoce.notation.durations import parse_duration
from vivavoce.notation.patterns import compile_pattern
from vivavoce.notation.steps import written_path
from vivavoce.notation.templates import TemplateProblem, check_template
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.project.files import read_text

REGEX = "regex:"
"""Before a metadata value that is a pattern."""
FieldPath = tuple[str | int, ...]
LineOf = Callable[[FieldPath], int]


class WantedCall(Struct, frozen=True, forbid_unknown_fields=True):
    """A tool the model asks for; the strings of `args` are templates."""

    name: str
    args: JsonValue = {}
    id: str | None = None


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When a request looks like this, the model answers like that."""

    when: str | None = None
    after_tool: str | list[str] | None = None
    turn: int | list[int] | None = None
    system: str | None = None
    metadata: JsonObject = {}

    say: str | None = None
    call: WantedCall | list[WantedCall] | None = None
    data: JsonValue | UnsetType = UNSET
    awaiting_input: bool | None = None
    input_hint: str | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    delay: str | None = None
    fail: str | None = None


class PlacedRule(Struct, frozen=True):
    rule: Rule
    place: str
    """`file:line`, for whatever goes wrong later."""
    delay_s: float = 0.0


class Rules(Struct, frozen=True):
    rules: tuple[PlacedRule, ...]
    otherwise: PlacedRule | None = None
    """What is answered when no rule fits; nothing means that this is an error."""


def load_rules(connector_id: str, options: Mapping[str, JsonValue], folders: list[Path]) -> Rules:
    """The rules of a connector's options: written there, or in the file they name."""
    written: JsonValue = options.get("rules")
    if is_array(written):
        inline, label = {"rules": written, "otherwise": options.get("otherwise")}, f"connector {connector_id!r}"
        last: FieldPath = ()

        def line_of(path: FieldPath) -> int:
            nonlocal last
            last = path
            return 0

        try:
            return _checked(inline, label, line_of)
        except UsageError as problem:  # who opens the connector knows in which file it is written
            raise UsageError(f"{label}: {written_path(last[:2])}: {problem.what}", hint=problem.hint) from None
    if not isinstance(written, str) or not written:
        raise UsageError(
            f"connector {connector_id!r} has no rules", hint="give `rules:` as a list or as the name of a YAML file"
        )
    path = next((folder / written for folder in folders if (folder / written).is_file()), None)
    if path is None:
        looked = ", ".join(path_from_here(folder / written) for folder in folders)
        raise UsageError(f"connector {connector_id!r}: there is no rules file {written!r}", hint=f"looked at {looked}")
    shown = path_from_here(path)
    document = next(iter(read_yaml_documents(read_text(path), shown)), None)
    if document is None or document.value is None:
        raise UsageError("the rules file is empty", at=shown)
    value = document.value
    if not is_array(value):
        return _checked(value, shown, document.line_of)
    return _checked({"rules": value}, shown, lambda where: document.line_of(where[1:]))


def _checked(value: JsonValue, shown: str, line_of: LineOf) -> Rules:
    if not is_object(value) or not is_array(value.get("rules")):
        raise UsageError("a list of rules is expected", at=Origin(shown, line_of(())))
    for name in value:
        if name not in ("rules", "otherwise"):
            raise UsageError(
                f"unknown field {name!r}",
                at=Origin(shown, line_of((name,))),
                hint=did_you_mean(name, ["rules", "otherwise"]) or "known: rules, otherwise",
            )
    rules = [_rule(rule, shown, ("rules", at), line_of) for at, rule in enumerate(value["rules"])]
    last = value.get("otherwise")
    answer = {"say": last} if isinstance(last, str) else last
    return Rules(tuple(rules), None if last is None else _rule(answer, shown, ("otherwise",), line_of))


def _rule(value: JsonValue, shown: str, where: FieldPath, line_of: LineOf) -> PlacedRule:
    def bad(what: str, field: FieldPath = (), line: int = 1, hint: str | None = None) -> UsageError:
        return UsageError(what, at=Origin(shown, line_of((*where, *field)) + line - 1), hint=hint)

    try:
        rule = msgspec.convert(value, Rule)
    except msgspec.ValidationError as error:
        what, field = split_validation_error(str(error))
        unknown = (
            next((name for name in value if name not in Rule.__struct_fields__), None) if is_object(value) else None
        )
        if unknown is not None:
            known = list(Rule.__struct_fields__)
            hint = did_you_mean(unknown, known) or f"known: {', '.join(known)}"
            raise bad(f"unknown field {unknown!r}", (unknown,), hint=hint) from None
        raise bad(what, field) from None
    if rule.say is None and rule.call is None and rule.data is UNSET and rule.fail is None:
        raise bad("the rule answers nothing", hint="give it `say`, `call`, `data` or `fail`")
    for name, pattern in _patterns(rule):
        try:
            compile_pattern(pattern)
        except ValueError as error:
            raise bad(str(error), (name,)) from None
    for name in ("say", "input_hint", "call", "data", "fail"):
        try:
            check_template(value.get(name))
        except TemplateProblem as error:
            raise bad(str(error), (name,), error.line) from None
    try:
        delay_s = parse_duration(rule.delay) if rule.delay else 0.0
    except ValueError as error:
        raise bad(str(error), ("delay",)) from None
    line = line_of(where)
    return PlacedRule(rule, f"{shown}:{line}" if line else f"{shown}, rule {where[-1]}", delay_s)


def _patterns(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.when:
        yield "when", rule.when
    if rule.system:
        yield "system", rule.system
    waiting: JsonArray = [rule.metadata]
    while waiting:
        value = waiting.pop()
        if is_object(value):
            waiting.extend(value.values())
        elif isinstance(value, str) and value.startswith(REGEX):
            yield "metadata", value.removeprefix(REGEX)
