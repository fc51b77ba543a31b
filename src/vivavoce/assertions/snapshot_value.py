"""What a snapshot keeps of a conversation, and in which places another one differs from it."""

from collections.abc import Callable

from msgspec import UNSET

from vivavoce.assertions.differences import ENOUGH, Difference, differences
from vivavoce.assertions.tool_calls import read_arguments
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, json_equal
from vivavoce.model.message import ToolCall, words_of_content
from vivavoce.model.transcript import Turn
from vivavoce.notation.yaml_writer import with_sorted_keys
from vivavoce.protocols import Evidence

SameText = Callable[[str, str], bool]


def tools_in(evidence: Evidence, *, results: bool) -> JsonArray:
    """The calls in their order: `tool`, `args`, and where it is wanted what came of them."""
    return [_call(call, results=results) for _, call in evidence.calls]


def conversation_in(evidence: Evidence, *, results: bool) -> JsonArray:
    """Each turn: what the user said, what the agent called, what it answered."""
    return [_turn(turn, results=results) for turn in evidence.turns]


def _turn(turn: Turn, *, results: bool) -> JsonObject:
    told: JsonObject = {}
    if turn.line.content:
        told["user"] = words_of_content(turn.line.content)
    if turn.reply.calls:
        told["calls"] = [_call(call, results=results) for call in turn.reply.calls]
    told["agent"] = with_sorted_keys(turn.reply.output)
    return told


def _call(call: ToolCall, *, results: bool) -> JsonObject:
    arguments = read_arguments(call)
    told: JsonObject = {"tool": call.name}
    if arguments is None:
        told["args"] = call.args
    elif arguments:
        told["args"] = with_sorted_keys(arguments)
    if results and call.error is not None:
        told["error"] = call.error
    elif results and call.result is not UNSET:
        told["result"] = with_sorted_keys(call.result)
    return told


def is_like(approved: JsonValue, actual: JsonValue, same_text: SameText) -> bool:
    """Equality of the structure, of numbers, booleans and null; texts are compared by `same_text`."""
    if is_object(approved) and is_object(actual):
        return approved.keys() == actual.keys() and all(is_like(approved[k], actual[k], same_text) for k in approved)
    if is_array(approved) and is_array(actual):
        return len(approved) == len(actual) and all(
            is_like(left, right, same_text) for left, right in zip(approved, actual, strict=True)
        )
    if isinstance(approved, str) and isinstance(actual, str):
        return same_text(approved, actual)
    return json_equal(approved, actual)


def parting(approved: JsonValue, actual: JsonValue) -> list[Difference]:
    """Where both differ. Lists of other lengths are compared from both ends: one new call is one difference."""
    if not (is_array(approved) and is_array(actual)):
        return differences(approved, actual)
    if len(approved) == len(actual):
        pairs = zip(range(len(actual)), approved, actual, strict=True)
        found = [one for at, left, right in pairs for one in _named(differences(left, right, f"[{at}]"), right, at)]
        return found[:ENOUGH]
    first = _common(approved, actual)
    last = _common(approved[first:][::-1], actual[first:][::-1])
    gone = [{"path": f"[{at}]", "expected": approved[at]} for at in range(first, len(approved) - last)]
    new = [{"path": f"[{at}]", "actual": actual[at]} for at in range(first, len(actual) - last)]
    return [*gone, *new][:ENOUGH]


def _common(left: JsonArray, right: JsonArray) -> int:
    pairs = zip(left, right, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if not json_equal(one, other)), min(len(left), len(right)))


def _named(found: list[Difference], item: JsonValue, at: int) -> list[Difference]:
    """`[1].args.amount` of a call reads better as `refund[1].amount`."""
    if not is_object(item) or not isinstance(tool := item.get("tool"), str):
        return found
    begin = f"[{at}].args."
    return [
        {**one, "path": f"{tool}[{at}].{one['path'].removeprefix(begin)}"} if one["path"].startswith(begin) else one
        for one in found
    ]
