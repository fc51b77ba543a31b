"""One raw object → one Case, from any file or agent."""

from msgspec import UNSET, structs

from vivavoce.errors import Problems, UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.notation.checked_fields import salvaged
from vivavoce.notation.place import FieldProblem, Place
from vivavoce.notation.yaml_reader import YamlDocument
from vivavoce.sources.decoding.case_fields import CaseFields, CommonFields
from vivavoce.sources.decoding.case_parts import (
    COPIED,
    PARTS,
    SKIPPED,
    Defaults,
    decode_case_assertions,
    decode_skip,
)
from vivavoce.sources.decoding.check_lines import origin_with_checks
from vivavoce.sources.decoding.script_decoder import decode_exchange, decode_history_script
from vivavoce.sources.scanning.json_places import JsonText

__all__ = [
    "PLAIN",
    "SKIPPED",
    "Defaults",
    "decode_at",
    "decode_case",
    "decode_common_fields",
    "decode_fields",
    "decode_yaml_case",
    "yaml_defaults",
]

PLAIN = Defaults()
TOO_DEEP = ("it is nested too deeply", "a few hundred levels are read")


def decode_case(raw: JsonObject, origin: Origin, defaults: Defaults = PLAIN, document: JsonText | None = None) -> Case:
    """A case as JSONL writes it. Raises UsageError with all its problems, each with file, line and field."""
    return decode_at(raw, Place(origin, document), defaults)


def decode_yaml_case(document: YamlDocument, path: str, default_id: str) -> Case:
    """A YAML test: the same fields, but its verdict is binary and its first failed turn ends it."""
    place = Place(Origin(path, document.line), document)
    raw = document.value
    if not is_object(raw):
        raise place.wanted("a mapping with 'turns'", raw, "several tests in one file stand between --- lines")
    problems = Problems()
    if "expected" in raw and raw["expected"] is None:
        hint = "remove it, or write assert: {type: equals, value: null}"
        problems.found.append(place.at("expected").problem("it is empty", hint))
    with problems:
        case = decode_at(raw, place, yaml_defaults(default_id))
        if not problems.found:
            return case
    raise problems.error()


def yaml_defaults(default_id: str) -> Defaults:
    """The defaults of YAML tests."""
    return Defaults(default_id, "end", True)


def decode_at(raw: JsonObject, place: Place, defaults: Defaults = PLAIN) -> Case:
    """Decodes the case at a place of a document. Raises UsageError with all its problems."""
    try:
        fields, wrong = salvaged(raw, CaseFields, place)
    except RecursionError:
        raise place.problem(*TOO_DEEP) from None
    if fields is not None and not wrong:
        return decode_fields(fields, place, defaults)
    problems = Problems()
    problems.found += wrong
    if fields is not None:
        try:
            decode_fields(fields, place, defaults)
        except UsageError as error:
            problems.found += [problem for problem in error.each() if not _follows(problem, wrong)]
    problems.found.sort(key=_line)
    raise problems.error()


def _follows(problem: UsageError, wrong: list[FieldProblem]) -> bool:
    """Whether a problem only follows from a wrong field that was left out."""
    if not isinstance(problem, FieldProblem):
        return False
    return any(problem.steps in (other.steps, other.steps[:-1]) for other in wrong)


def _line(problem: UsageError) -> int:
    return problem.at.line if isinstance(problem.at, Origin) else 0


def decode_fields(fields: CaseFields, place: Place, defaults: Defaults = PLAIN) -> Case:
    """Builds the case from fields of the right types. Raises UsageError with all its problems."""
    if place.document is not None:
        place = structs.replace(place, checks=[])
    problems = Problems()
    values: JsonObject = {name: value for name in COPIED if (value := getattr(fields, name)) is not None}
    if fields.id is None:
        with problems:
            values["id"] = _default_id(defaults, place)
    for part in PARTS:
        # Not `with problems`: it would make decoding of cases with turns a tenth slower.
        try:
            part.decode(fields, place, defaults, values)
        except UsageError as error:
            problems.add(error)
        except RecursionError:
            problems.found.append(place.problem(*TOO_DEEP))
    if fields.min_pass is not None and fields.runs is not None and fields.min_pass > fields.runs:
        what = f"{fields.min_pass} of only {fields.runs} runs cannot pass"
        problems.found.append(place.at("min_pass").problem(what))
    problems.raise_any()
    return Case(origin=origin_with_checks(place, values), **values)


def decode_common_fields(fields: CommonFields, origin: Origin) -> Case:
    """The same for a case with common fields only. A hot path: used for almost every line of JSONL files."""
    place = Place(origin)
    history, turns = decode_exchange(fields, place)
    # At most 15 named arguments: Python passes more of them in a dict, which is slower.
    case = Case(
        id=fields.id or _default_id(PLAIN, place),
        origin=origin,
        name=fields.name,
        description=fields.description,
        tags=fields.tags or (),
        metadata=fields.metadata or {},
        skip=None if fields.skip is None else decode_skip(fields.skip, place),
        agent=fields.agent,
        user=fields.user,
        team=fields.team,
        locale=fields.locale,
        history=history,
        turns=turns,
        assertions=decode_case_assertions(fields, place),
        expected=UNSET if fields.expected is None else fields.expected,
    )
    if is_object(fields.messages):
        return structs.replace(case, history_script=decode_history_script(fields.messages, place.at("messages")))
    return case


def _default_id(defaults: Defaults, place: Place) -> str:
    if defaults.case_id is None:
        raise place.missing("id", "every case needs an id of its own")
    return defaults.case_id
