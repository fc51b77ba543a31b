"""Streamed tool calls put together from their pieces, as servers really send them.

Pieces of one call should share an index. Gemini and Ollama give every call the index 0, others none at all; so a new
id, or a name that comes with its own arguments, begins a new call. Where this is unclear, the pieces are unread, too.
"""

import uuid

from msgspec import Struct

from vivavoce.model.json_value import JsonArray, JsonValue, is_object
from vivavoce.model.message import ToolCall, Unread
from vivavoce.net.web_answers import bad_reply
from vivavoce.notation.json_text import call_arguments, json_or_text


class FunctionPiece(Struct, frozen=True, gc=False):
    name: str | None = None
    arguments: JsonValue = None


class CallPiece(Struct, frozen=True, gc=False):
    index: int | None = None
    id: str | None = None
    function: FunctionPiece | None = None
    name: str | None = None
    arguments: JsonValue = None
    args: JsonValue = None
    input: JsonValue = None

    @property
    def tool(self) -> str | None:
        return (self.function.name if self.function is not None else None) or self.name

    @property
    def given(self) -> JsonValue:
        """Its arguments, or its part of them."""
        if self.function is not None and self.function.arguments is not None:
            return self.function.arguments
        return next((each for each in (self.arguments, self.args, self.input) if each is not None), None)

    @property
    def contradicts_itself(self) -> bool:
        """Whether it has two names, or arguments under two keys, that differ."""
        function = self.function
        names = {name for name in (self.name, function and function.name) if name}
        given = [each for each in (self.arguments, self.args, self.input) if each not in (None, "", {})]
        if function is not None and function.arguments not in (None, "", {}):
            given.append(function.arguments)
        return len(names) > 1 or any(each != given[0] for each in given)


class _Draft:
    __slots__ = ("arguments", "id", "index", "names")

    def __init__(self, index: int) -> None:
        self.index = index
        self.id = ""
        self.names: list[str] = []
        self.arguments: JsonArray = []

    @property
    def whole(self) -> JsonValue:
        """The arguments so far; pieces that are no text count only if they are the last word."""
        if not self.arguments:
            return None
        if all(isinstance(piece, str) for piece in self.arguments):
            return "".join(self.arguments)
        return self.arguments[-1]

    @property
    def has_arguments(self) -> bool:
        return any(piece not in ("", None) for piece in self.arguments)

    @property
    def is_whole(self) -> bool:
        return is_object(self.whole) or (isinstance(self.whole, str) and is_object(json_or_text(self.whole)))


class CallPieces:
    """The calls of one reply, as far as they came."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []
        self._at: dict[int, _Draft] = {}
        self.unread: list[Unread] = []

    def __len__(self) -> int:
        return len(self._drafts)

    def add(self, pieces: list[CallPiece]) -> None:
        """The calls of one message, or the pieces of one event."""
        touched: set[int] = set()
        for position, piece in enumerate(pieces):
            index = position if piece.index is None else piece.index
            draft = self._at.get(index)
            if draft is None or self._begins(draft, piece, again=index in touched):
                if piece.index is None and draft is None and not piece.tool and self._drafts:
                    self._doubt(piece, "a piece of a call that nobody began")
                elif draft is not None and not piece.id and not draft.has_arguments and index not in touched:
                    # Another call, or the rest of this one's name: nobody can tell.
                    self._doubt(piece, f"after the name {''.join(draft.names)!r}, without an id")
                draft = self._at[index] = _Draft(index)
                self._drafts.append(draft)
            elif piece.index is None and not piece.id and len(self._drafts) > 1 and not piece.tool:
                self._doubt(piece, "a piece without an index, of one of several calls")
            touched.add(index)
            self._take(draft, piece)

    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(self._joined(draft) for draft in sorted(self._drafts, key=lambda draft: draft.index))

    def drop_nameless(self) -> None:
        """For a stream that broke: takes calls without a name, which was still to come, as unread."""
        for draft in [draft for draft in self._drafts if not draft.names]:
            self._drafts.remove(draft)
            self._doubt(CallPiece(arguments=draft.whole), "a call whose name never came")

    def _begins(self, draft: _Draft, piece: CallPiece, *, again: bool) -> bool:
        """Whether a piece begins another call, although its index was seen before."""
        if piece.id and draft.id and piece.id != draft.id:
            return True
        if not piece.tool or not draft.names:
            return False
        if again or (draft.is_whole and piece.given not in (None, "")):
            return True
        return piece.tool != draft.names[0] and (draft.has_arguments or piece.given not in (None, ""))

    def _take(self, draft: _Draft, piece: CallPiece) -> None:
        name = piece.tool
        if piece.contradicts_itself:
            self._doubt(piece, f"two names or two kinds of arguments, {piece.name!r} beside")
        if name and not draft.names:
            draft.names.append(name)
        elif name and name != draft.names[0]:
            # A name in two pieces, or the name of another call: this is unclear.
            self._doubt(piece, f"after the name {''.join(draft.names)!r}")
            draft.names.append(name)
        draft.id = draft.id or piece.id or ""
        if piece.given is not None:
            draft.arguments.append(piece.given)

    def _doubt(self, piece: CallPiece, where: str) -> None:
        told = f"name {piece.tool!r}, arguments {str(piece.given)[:120]!r}"
        self.unread.append(Unread(told, f"tool_calls: {where}", "call"))

    def _joined(self, draft: _Draft) -> ToolCall:
        if not draft.names:
            raise bad_reply(f"a tool call without a function.name{f' ({draft.id})' if draft.id else ''}")
        call_id = draft.id or f"call_{uuid.uuid4().hex[:12]}"
        return ToolCall(id=call_id, name="".join(draft.names), args=call_arguments(draft.whole))
