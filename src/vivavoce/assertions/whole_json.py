"""The whole output is JSON, with nothing around it."""

import json
from typing import ClassVar

from msgspec import UNSET, Struct, structs

from vivavoce.assertions.off_loop import sized
from vivavoce.assertions.schema import MatchesSchema
from vivavoce.model.json_value import JsonObject, JsonValue, json_equal
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.json_text import find_json, strict_json
from vivavoce.protocols import Evidence, Helpers, Sight
from vivavoce.wording.quoting import kept, quote


class IsJson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole output is JSON: no prose, no fence, nothing repaired. With a schema it fits that too."""

    schema: JsonObject | bool | None = None
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "words"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.schema is not None:
            MatchesSchema(schema=self.schema)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        output = _as_said(evidence)
        if isinstance(output, str):
            try:
                output = await sized(len(output), strict_json, output)
            except ValueError as error:
                return failed(f"output is not JSON{_where(error)}: {quote(output)}", actual=kept(output))
        if self.schema is None:
            return passed("output is JSON")
        return await MatchesSchema(schema=self.schema).check(structs.replace(evidence, output=output), helpers)


def _where(error: ValueError) -> str:
    """Returns where the text stops being JSON; nothing when it does not even begin as JSON."""
    if not isinstance(error, json.JSONDecodeError):
        return f" ({error})"
    if error.pos >= len(error.doc.rstrip()):
        return " (it ends too early)" if error.doc.strip() else " (it is empty)"
    place = f"line {error.lineno}, column {error.colno}"
    if error.msg == "Extra data":
        return f" (more text follows it from {place} on)"
    return f" (it breaks at {place})" if error.pos > len(error.doc) - len(error.doc.lstrip()) else ""


def _as_said(evidence: Evidence) -> JsonValue:
    """The output; as the text it was found in when a target made data of the JSON inside a text."""
    reply = evidence.turns[-1].reply
    if reply.data is UNSET or not reply.text or not json_equal(evidence.output, reply.data):
        return evidence.output
    found = find_json(reply.text)
    return reply.text if found is not None and json_equal(found.value, reply.data) else evidence.output
