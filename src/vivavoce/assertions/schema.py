"""The output fits a JSON Schema; every place where it does not is reported."""

from importlib import import_module
from typing import Any, ClassVar

from msgspec import Struct

from vivavoce.assertions.clear_json import clear_json, no_json_number
from vivavoce.assertions.off_loop import sized
from vivavoce.model.json_value import (
    JsonObject,
    JsonValue,
    compact_json,
    is_object,
    rounded,
    text_of,
)
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import SHORT, kept, quote, shorten_middle

ENOUGH = 100
MOST_ERRORS = 10_000
"""No more are looked for."""
MOST_SHOWN = 10


class MatchesSchema(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The JSON of the output is valid under the schema."""

    schema: JsonObject | bool
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _require_schema(self.schema)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        output = evidence.output
        size = len(output) if isinstance(output, str) else len(text_of(output))
        return await sized(size, self._judge, output)

    def _judge(self, output: JsonValue) -> Verdict:
        judged, repaired = output, False
        if isinstance(output, str) and not self._wants_text():
            found = clear_json(output)
            if found is None:
                seen = f"no JSON in the output to validate: {quote(output)}"
                return failed(seen, actual=kept(output), negatable=False)
            judged, repaired = found.value, found.repaired
        notes: JsonObject = {"repaired": True} if repaired else {}
        if (strange := no_json_number(judged, repaired=repaired)) is not None:
            # Comparing it is always false, or always true: no rule about numbers may pass with it, negated or not.
            seen = f"output does not fit the schema: {strange} is no JSON number"
            return failed(seen, actual=quote(judged), negatable=False, **notes)
        errors = _errors(self.schema, judged)
        if not errors:
            return passed("output fits the schema", **notes)
        # No `expected`: a difference between a schema and data would say nothing.
        return failed(_in_words(errors), actual=kept(judged), errors=errors[:ENOUGH], **notes)

    def _wants_text(self) -> bool:
        return is_object(self.schema) and self.schema.get("type") == "string"


def _in_words(errors: list[dict[str, str]]) -> str:
    """The violations with their paths, one a line where there are several."""
    listed = [f"{error['path']}: {error['message']}" for error in errors[:MOST_SHOWN]]
    if len(errors) == 1:
        return f"output does not fit the schema: {listed[0]}"
    more = [f"and {len(errors) - MOST_SHOWN} more"] if len(errors) > MOST_SHOWN else []
    head = f"output does not fit the schema in {len(errors)} places:"
    return "\n  ".join([head, *listed, *more])


def _errors(schema: JsonValue, value: JsonValue) -> list[dict[str, str]]:
    found = _schemas().schema_errors(schema, value, MOST_ERRORS)
    return [{"path": error.json_path, "message": shorten_middle(_message(error), SHORT)} for error in found]


def _message(error: Any) -> str:
    """What the schema says; where the type is wrong, the digits of a number do not matter and are rounded."""
    if error.validator != "type":
        return error.message
    return error.message.replace(repr(error.instance), repr(rounded(error.instance)), 1)


def _require_schema(schema: JsonValue) -> None:
    try:
        _schemas().validator_of(compact_json(schema))
    except _schemas().BadSchema as bad:
        raise ValueError(f"bad JSON schema at {bad.path}: {shorten_middle(bad.what, SHORT)}") from None


def _schemas() -> Any:
    """The module that validates: it imports what is heavy."""
    return import_module("vivavoce.notation.json_schemas")
