"""Decodes turns, simulator and checkpoints."""

from msgspec import UNSET, structs

from vivavoce.errors import Problems, UsageError, did_you_mean
from vivavoce.model.case import AssertionSpec, CallOptions, Checkpoint, ResumeAnswer, ScriptedTurn, SimulatorSpec
from vivavoce.model.json_value import JsonObject, is_number, is_object
from vivavoce.model.message import Content, ContentPart
from vivavoce.model.server_request import is_request
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.assertion_decoder import assertions_in
from vivavoce.sources.decoding.case_fields import (
    CheckpointFields,
    OptionsFields,
    ResumeFields,
    SimulatorFields,
    TurnFields,
)
from vivavoce.sources.decoding.content_decoder import decode_content, decode_parts, decode_request
from vivavoce.sources.decoding.message_decoder import decode_message

NO_OPTIONS = CallOptions()
REFERENCE_PREFIXES = ("agents:", "scripts:")


def decode_turn(fields: TurnFields, place: Place, line: int = 0) -> ScriptedTurn:
    """Returns the turn; `line` is its line in the file. Raises UsageError with all its problems."""
    problems = Problems()
    content: Content = ""
    speaker: str | None = None
    attachments: list[ContentPart] = []
    assertions: tuple[AssertionSpec, ...] = ()
    try:
        content, speaker = _said(fields, place)
        if not content and not fields.attachments and not fields.resume:
            raise place.problem("no input: the user says nothing", "give it an 'input'")
    except UsageError as error:
        problems.add(error)
    if fields.attachments:
        with problems:
            attachments = decode_parts(fields.attachments, place.at("attachments"))
    try:
        assertions = assertions_under(place, {"assert": fields.assert_, "assertions": fields.assertions})
    except UsageError as error:
        problems.add(error)
    problems.raise_any()
    return ScriptedTurn(
        content=content,
        name=speaker,
        attachments=tuple(attachments),
        assertions=assertions,
        options=None if fields.options is None else decode_options(fields.options),
        resume=_resume(fields.resume),
        line=line,
    )


def _said(fields: TurnFields, place: Place) -> tuple[Content, str | None]:
    """What is said, and the name of who says it."""
    if fields.input is not None and fields.user is not None:
        raise place.problem("'input' and 'user' say the same thing: keep one")
    name = "user" if fields.input is None else "input"
    said = fields.user if fields.input is None else fields.input
    if said is None:
        return "", None
    if is_request(said):
        return decode_request(said, place.at(name)), None
    if not is_object(said) or "role" not in said:
        return decode_content(said, place.at(name)), None
    message = decode_message(said, place.at(name))
    if message.role != "user":
        raise place.at(name, "role").wanted("user", message.role, "earlier messages go into 'messages'")
    return message.content, message.name


def assertions_under(place: Place, named: JsonObject) -> tuple[AssertionSpec, ...]:
    """The assertions under several names; UNSET for a name that is not used. All of them must hold."""
    there = [(name, value) for name, value in named.items() if value is not UNSET]
    if len(there) < 2:
        return assertions_in(there[0][1], place.at(there[0][0])) if there else ()
    problems = Problems()
    specs: list[AssertionSpec] = []
    for name, value in there:
        with problems:
            specs += assertions_in(value, place.at(name))
    problems.raise_any()
    return tuple(specs)


def decode_options(fields: OptionsFields) -> CallOptions:
    return CallOptions(
        connector=fields.connector,
        mode=fields.mode,
        search=fields.search,
        skip=fields.skip,
        metadata=fields.metadata or {},
    )


def _resume(fields: ResumeFields | list[ResumeFields] | None) -> tuple[ResumeAnswer, ...]:
    if fields is None:
        return ()
    answers = fields if isinstance(fields, list) else [fields]
    return tuple(
        ResumeAnswer(id=a.id, reason=a.reason, tool=a.tool, cancelled=a.cancelled, payload=a.payload) for a in answers
    )


def decode_simulator(fields: SimulatorFields, place: Place) -> SimulatorSpec:
    options = NO_OPTIONS if fields.options is None else decode_options(fields.options)
    metadata = {**(fields.metadata or {}), **options.metadata}
    metadata.pop("max_turns", None)
    use = fields.use if fields.use.startswith(REFERENCE_PREFIXES) else f"agents:{fields.use}"
    if use in REFERENCE_PREFIXES:
        raise place.at("use").wanted("the id of an agent or script", fields.use)
    return SimulatorSpec(use=use, options=structs.replace(options, metadata=metadata))


def max_turns_of(fields: SimulatorFields, place: Place) -> int | None:
    """The `max_turns` in the metadata of a simulator, which is a rule of the conversation."""
    inside = {} if fields.options is None else fields.options.metadata or {}
    max_turns = {**(fields.metadata or {}), **inside}.get("max_turns")
    if max_turns is not None and (not is_number(max_turns) or max_turns != int(max_turns) or max_turns < 0):
        raise place.at("options", "metadata", "max_turns").wanted("a whole number, 0 or more", max_turns)
    return int(max_turns) if max_turns else None


def decode_checkpoints(entries: list[CheckpointFields], place: Place) -> tuple[Checkpoint, ...]:
    """Returns the checkpoints. Raises UsageError with all their problems."""
    problems = Problems()
    checkpoints: list[Checkpoint] = []
    known = [fields.id for fields in entries]
    for index, fields in enumerate(entries):
        here = place.at(index)
        if fields.id in known[:index]:
            problems.found.append(here.problem(f"duplicate checkpoint id {fields.id!r}"))
        for needed in _after(fields):
            if needed not in known:
                what, hint = f"there is no checkpoint {needed!r}", did_you_mean(needed, known)
                problems.found.append(here.at("after").problem(what, hint))
        with problems:
            checkpoints.append(_checkpoint(fields, here))
    if circle := _circle(entries):
        problems.found.append(place.problem(f"'after' goes round in a circle: {' → '.join(circle)}"))
    problems.raise_any()
    return tuple(checkpoints)


def _checkpoint(fields: CheckpointFields, place: Place) -> Checkpoint:
    named = {"assert": fields.assert_, "assertion": fields.assertion, "assertions": fields.assertions}
    assertions = assertions_under(place, named)
    if not assertions:
        raise place.problem(f"checkpoint {fields.id!r} has no assertion", "say in 'assertion' what must happen")
    return Checkpoint(
        id=fields.id,
        assertions=assertions,
        description=fields.description,
        after=_after(fields),
        required=fields.required,
    )


def _after(fields: CheckpointFields) -> tuple[str, ...]:
    return (fields.after,) if isinstance(fields.after, str) else tuple(fields.after or ())


def _circle(entries: list[CheckpointFields]) -> list[str]:
    """The ids of a circle of `after`, first and last the same; empty when there is none."""
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter({fields.id: _after(fields) for fields in entries}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
