"""Calls that a model writes into its words, because the server did not take them out or the agent reads them itself."""

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, object_in
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import calls_in_text, marks_of_calls, unread
from vivavoce.notation.suspected_calls import suspected_call

_STOPS = ("observation", "</code", "<end_code", "</tool", "</function", "</invoke", "</action", "[/tool")
"""Where agents let a model stop that read its calls out of its words."""


def calls_in_words(text: str, reasoning: str | None) -> tuple[Unread, ...]:
    """Calls that the server left in what the model said or thought."""
    found: list[Unread] = []
    if calls_in_text(text):
        found.append(suspected_call(text, "the text: a call that the server did not take out"))
    if reasoning and marks_of_calls(reasoning):
        found.append(unread(reasoning, "the reasoning: a call that the server did not take out", "call"))
    return tuple(found)


def stops_at_calls(request: JsonObject) -> tuple[Unread, ...]:
    """A request whose stop words say that the agent reads calls, or code that calls, out of the model's words."""
    config = object_in(request, "generationConfig")
    told: list[JsonValue] = [request.get("stop"), request.get("stop_sequences"), config.get("stopSequences")]
    words = [word for stop in told for word in (stop if is_array(stop) else [stop]) if isinstance(word, str)]
    for word in words:
        if any(mark in word.lower() for mark in _STOPS):
            what = f"the model is to stop at {word!r}: the agent reads its calls out of the model's words"
            return (Unread(what, "the request", "call"),)
    return ()
