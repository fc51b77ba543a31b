"""Finding the part of an answer that a path names."""

from collections.abc import Iterator

from msgspec import UNSET, Struct

from vivavoce.assertions.clear_json import UnclearJson, clear_json, no_json_number
from vivavoce.assertions.off_loop import sized
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.json_paths import CompiledPath, compile_path
from vivavoce.protocols import Evidence


class Part(Struct, frozen=True):
    """What stands at a path."""

    values: JsonArray
    """Everything found there; empty when the path leads nowhere."""
    where: str = "output"
    repaired: bool = False
    """The JSON was broken and had to be mended."""
    leads_to_one: bool = True

    @property
    def value(self) -> JsonValue:
        """The value found; several as a list, none as null."""
        if len(self.values) > 1:
            return self.values
        return self.values[0] if self.values else None

    @property
    def notes(self) -> JsonObject:
        """What a verdict should remember about how it was found."""
        notes: JsonObject = {"repaired": True} if self.repaired else {}
        return notes if self.where == "output" else {**notes, "found_in": self.where}


async def part_at(path: str, evidence: Evidence) -> Part | None:
    """The part at a path of what is judged; None when there is no JSON to look into. Raises UnclearJson.

    Final assertions look further: the last reply, then the agent's state, then the results of tools
    that did not fail, newest first.
    """
    compiled = compile_path(path)
    nearest: Part | None = None
    for where, document in _documents(evidence):
        part = await sized(len(document) if isinstance(document, str) else 0, _part_in, document, compiled, where)
        if part is not None and part.values:
            return part
        nearest = nearest or part
    return nearest


def _documents(evidence: Evidence) -> Iterator[tuple[str, JsonValue]]:
    yield "output", evidence.output
    if evidence.scope != "final":
        return
    for turn in reversed(evidence.turns):
        if turn.reply.state is not UNSET:
            yield "state", turn.reply.state
            break
    for _, call in reversed(evidence.calls):
        if call.result is not UNSET and call.error is None:
            yield f"result of {call.name}", call.result


def _part_in(document: JsonValue, path: CompiledPath, where: str) -> Part | None:
    repaired = False
    if isinstance(document, str):
        found = clear_json(document)
        if found is None:
            return None
        document, repaired = found.value, found.repaired
    if not (is_object(document) or is_array(document)):
        return None
    values = path.find(document)
    # A filter such as `@.price > 100` passes over such a number, and a negated check would pass.
    looked_at = values if values or path.leads_to_one else document
    if (strange := no_json_number(looked_at, repaired=repaired)) is not None:
        place = path.text if values else f"the JSON in the {where}"
        raise UnclearJson(f"{place} is no JSON: {strange} is no JSON number")
    return Part(values, where, repaired, path.leads_to_one)
