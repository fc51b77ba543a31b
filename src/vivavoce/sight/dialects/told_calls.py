"""The calls that a request itself tells: those since the user's last words, of which its messages say that they ran."""

from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import ToolCall
from vivavoce.sight.dialects.dialect import Dialect


def told_calls(dialect: Dialect, body: JsonObject) -> list[ToolCall]:
    """Examples in a prompt end with words of the user, so that they are not among them."""
    said = [dialect.said(message) for message in dialect.sections(body).talk]
    spoken = [at for at, one in enumerate(said) if one.role == "user" and not one.results]
    since = said[spoken[-1] + 1 if spoken else 0 :]
    return [
        ToolCall(id=call_id, name=name, args=args)
        for one in since
        for (name, args), call_id in zip(one.calls, one.ids, strict=True)
    ]
