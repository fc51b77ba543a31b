"""`input`, `messages` and `turns` → the earlier messages, and the lines of the user."""

from typing import TypeAlias

from vivavoce.errors import Problems, UsageError
from vivavoce.model.case import ScriptedTurn
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Message
from vivavoce.notation.checked_fields import checked
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_fields import CaseFields, CommonFields, MessagesFields
from vivavoce.sources.decoding.conversation_decoder import decode_turn
from vivavoce.sources.decoding.message_decoder import decode_input, decode_messages

SCRIPTS = "scripts:"
Script: TypeAlias = tuple[tuple[Message, ...], tuple[ScriptedTurn, ...]]
"""The earlier messages, and the lines of the user."""


def decode_history_script(messages: JsonObject, place: Place) -> str:
    """The reference of the script that makes the messages. Raises UsageError for anything but a script."""
    if "use" not in messages:
        raise place.wanted("a list", messages, "or {use: scripts:ID} for a script that makes them")
    fields = checked(messages, MessagesFields, place)
    if not fields.use.startswith(SCRIPTS) or fields.use == SCRIPTS:
        raise place.at("use").wanted("scripts:ID", fields.use)
    return fields.use


def decode_script(fields: CaseFields, place: Place) -> Script:
    """Reads `turns` after `messages`, or the last message as the only line. `messages` win over `input`."""
    if not fields.turns:
        return decode_exchange(fields, place, simulated=fields.simulator is not None)
    problems = Problems()
    turns: list[ScriptedTurn] = []
    said: tuple[Message, ...] = ()
    if fields.input is not None:
        hint = "the first line belongs into 'turns', earlier messages into 'messages'"
        problems.found.append(place.at("input").problem("'input' and 'turns' exclude each other", hint))
    if fields.messages is not None and not is_object(fields.messages):
        with problems:
            said = decode_messages(_listed(fields.messages, place), place.at("messages"))
    lines = _lines(place.at("turns"), len(fields.turns))
    for index, (turn, line) in enumerate(zip(fields.turns, lines, strict=True)):
        try:
            turns.append(decode_turn(turn, place.at("turns", index), line))
        except UsageError as error:
            problems.add(error)
    if fields.type == "single_turn" and len(fields.turns) > 1:
        what = f"a single_turn case ends after its reply, but there are {len(fields.turns)} turns"
        problems.found.append(place.at("type").problem(what))
    problems.raise_any()
    return said, tuple(turns)


def _lines(turns: Place, count: int) -> list[int]:
    """Returns the line of each turn; 0 for all when the whole case is on one line."""
    lines = [] if turns.document is None else turns.document.lines_of_items(turns.steps, count)
    return lines if len(lines) == count else [0] * count


def decode_exchange(fields: CommonFields, place: Place, *, simulated: bool = False) -> Script:
    """Reads the last message as the user's line, the others as earlier messages."""
    if type(fields.input) is str and fields.input and fields.messages is None:
        return (), (ScriptedTurn(content=fields.input),)
    said = _said(fields, place)
    if not said:
        # Whether that is enough is decided later: the run may have a simulator for all cases.
        return (), ()
    last = said[-1]
    if last.role != "user":
        return said, () if simulated else (ScriptedTurn(),)
    if not last.content:
        raise place.problem("no input: the user says nothing", "give the last message some 'content'")
    return said[:-1], (ScriptedTurn(content=last.content, name=last.name),)


def _said(fields: CommonFields, place: Place) -> tuple[Message, ...]:
    if is_object(fields.messages):
        # The last message that the script makes is the user's line, unless an `input` says it.
        return () if fields.input is None else decode_input(fields.input, place.at("input"))
    if fields.messages is not None and (listed := _listed(fields.messages, place)):
        return decode_messages(listed, place.at("messages"))
    return () if fields.input is None else decode_input(fields.input, place.at("input"))


def _listed(messages: JsonValue, place: Place) -> JsonArray:
    if not is_array(messages):
        raise place.at("messages").wanted("a list", messages)
    return messages
