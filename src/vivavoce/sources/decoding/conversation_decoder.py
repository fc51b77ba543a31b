"""Who says what and when: turns, simulator and checkpoints."""

from typing import Any

from msgspec import UNSET

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.case import AssertionSpec, CallOptions, Checkpoint, ResumeAnswer, ScriptedTurn, SimulatorSpec
from vivavoce.model.json_value import is_number, is_object
from vivavoce.notation.durations import parse_duration
from vivavoce.notation.yaml_reader import YamlDocument
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.decoding.case_fields import (
    CheckpointFields,
    OptionsFields,
    ResumeFields,
    SimulatorFields,
    TurnFields,
)
from vivavoce.sources.decoding.content_decoder import decode_content, decode_parts
from vivavoce.sources.decoding.message_decoder import decode_message
from vivavoce.sources.decoding.place import Place

NO_OPTIONS = CallOptions()
REFERENCE_PREFIXES = ("agents:", "scripts:")


def decode_turn(fields: TurnFields, place: Place) -> ScriptedTurn:
    name = "user" if fields.input is None else "input"
    if fields.input is not None and fields.user is not None:
        raise place.problem("'input' and 'user' say the same thing: keep one")
    said = fields.user if fields.input is None else fields.input
    content, speaker = "", None
    if is_object(said) and "role" in said:
        message = decode_message(said, place.at(name))
        if message.role != "user":
            raise place.at(name, "role").wanted("user", message.role, "earlier messages go into 'messages'")
        content, speaker = message.content, message.name
    elif said is not None:
        content = decode_content(said, place.at(name))
    if not content and not fields.attachments and not fields.resume:
        raise place.problem("no input: the user says nothing", "give it an 'input'")
    return ScriptedTurn(
        content=content,
        name=speaker,
        attachments=tuple(decode_parts(fields.attachments or [], place.at("attachments"))),
        assertions=(
            assertions_at(place, "assert", fields.assert_) + assertions_at(place, "assertions", fields.assertions)
        ),
        options=None if fields.options is None else decode_options(fields.options),
        resume=_resume(fields.resume),
        line=place.here.line if isinstance(place.document, YamlDocument) else 0,
    )


def assertions_at(place: Place, name: str, value: Any) -> tuple[AssertionSpec, ...]:
    """The assertions that stand under a name, if it is there. Where it has other names, what is under any must hold."""
    if value is UNSET:
        return ()
    try:
        return decode_assertions(value, place.origin)
    except UsageError as error:
        raise place.at(name).problem(error.what, error.hint) from None


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


def decode_simulator(fields: SimulatorFields, place: Place) -> tuple[SimulatorSpec, int | None]:
    """The simulator, and the `max_turns` its metadata may carry."""
    options = NO_OPTIONS if fields.options is None else decode_options(fields.options)
    metadata = {**(fields.metadata or {}), **options.metadata}
    max_turns = metadata.pop("max_turns", None)
    if max_turns is not None and (not is_number(max_turns) or max_turns != int(max_turns) or max_turns < 0):
        raise place.at("options", "metadata", "max_turns").wanted("a whole number, 0 or more", max_turns)
    use = fields.use if fields.use.startswith(REFERENCE_PREFIXES) else f"agents:{fields.use}"
    if use in REFERENCE_PREFIXES:
        raise place.at("use").wanted("the id of an agent or script", fields.use)
    spec = SimulatorSpec(
        use=use,
        options=CallOptions(
            connector=options.connector,
            mode=options.mode,
            search=options.search,
            skip=options.skip,
            metadata=metadata,
        ),
    )
    return spec, int(max_turns) if max_turns else None


def decode_checkpoints(entries: list[CheckpointFields], place: Place) -> tuple[Checkpoint, ...]:
    checkpoints: dict[str, Checkpoint] = {}
    for index, fields in enumerate(entries):
        here = place.at(index)
        if fields.id in checkpoints:
            raise here.problem(f"duplicate checkpoint id {fields.id!r}")
        checkpoints[fields.id] = _checkpoint(fields, here)
    for index, checkpoint in enumerate(checkpoints.values()):
        for needed in checkpoint.after:
            if needed not in checkpoints:
                raise place.at(index, "after").problem(
                    f"there is no checkpoint {needed!r}", did_you_mean(needed, list(checkpoints))
                )
    if circle := _circle(checkpoints):
        raise place.problem(f"'after' goes round in a circle: {' → '.join(circle)}")
    return tuple(checkpoints.values())


def _checkpoint(fields: CheckpointFields, place: Place) -> Checkpoint:
    assertions = (
        assertions_at(place, "assert", fields.assert_)
        + assertions_at(place, "assertion", fields.assertion)
        + assertions_at(place, "assertions", fields.assertions)
    )
    if not assertions:
        raise place.problem(f"checkpoint {fields.id!r} has no assertion", "say in 'assertion' what must happen")
    after = (fields.after,) if isinstance(fields.after, str) else tuple(fields.after or ())
    return Checkpoint(
        id=fields.id,
        assertions=assertions,
        description=fields.description,
        after=after,
        required=fields.required,
    )


def _circle(checkpoints: dict[str, Checkpoint]) -> list[str]:
    """The ids of a circle of `after`, first and last the same; empty when there is none."""
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter({checkpoint.id: checkpoint.after for checkpoint in checkpoints.values()}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def decode_duration(text: str | None, place: Place) -> float | None:
    if text is None:
        return None
    try:
        return parse_duration(text)
    except ValueError as error:
        raise place.problem(str(error)) from None
