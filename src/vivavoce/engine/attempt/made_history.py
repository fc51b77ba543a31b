"""A message history that a script makes when the case runs (`messages: {use: scripts:ID}`)."""

from msgspec import structs

from vivavoce.engine.attempt.hooks import call_hook, plain_case
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.json_value import JsonValue, is_array, json_type
from vivavoce.model.message import Message
from vivavoce.notation.place import Place
from vivavoce.protocols import ScriptCaller
from vivavoce.sources.decoding.message_decoder import decode_messages


async def with_made_history(case: Case, ref: str, scripts: ScriptCaller) -> Case:
    """The case with the earlier messages that the script makes. A case without a line says the last of them.

    Calls `(case, ctx)`. Raises CallFailed with fault `hook` when the script fails, or makes no messages.
    """
    made: JsonValue = await call_hook("messages", ref, scripts, plain_case(case), ctx={"case_id": case.id})
    if not is_array(made):
        raise CallFailed(f"messages of {ref!r}: wanted a list of messages, found {json_type(made)}", fault="hook")
    try:
        said = decode_messages(made, Place(case.origin).at("messages"))
    except UsageError as problem:
        raise CallFailed(f"messages of {ref!r}: {problem.what}", fault="hook", hint=problem.hint) from None
    if case.turns or case.simulator is not None:
        return structs.replace(case, history=(*said, *case.history), history_script=None)
    return structs.replace(case, history=said[:-1], turns=(_line(said, ref),), history_script=None)


def _line(said: tuple[Message, ...], ref: str) -> ScriptedTurn:
    if not said or said[-1].role != "user" or not said[-1].content:
        hint = "return one, or give the case an `input` or `turns`"
        raise CallFailed(f"messages of {ref!r}: the last one is not the user's", fault="hook", hint=hint)
    return ScriptedTurn(content=said[-1].content, name=said[-1].name)
