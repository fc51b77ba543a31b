"""Tool calls where a server shows them. A2A itself has none; four shapes are known.

* ADK, and executors written after it: data parts marked `function_call` and `function_response`;
* BeeAI: data parts of the types `tool-call` and `tool-result`;
* LangGraph: data parts with `tool_results`, which name no arguments;
* agno: metadata of status updates in a stream, which show no results.
"""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal, text_of
from vivavoce.model.message import ToolCall, Unread
from vivavoce.notation.hidden_calls import CALL_KEYS, looks_like_calls, names_tools, plain_key, tool_names_in, unread
from vivavoce.notation.json_text import call_arguments, json_or_text
from vivavoce.notation.possible_names import names_beside
from vivavoce.targets.a2a.spelling import Part, objects_in, text_in
from vivavoce.targets.a2a.strange_fields import may_be_about_calls

TYPES_OF_CALLS = ("function_call", "function_response")
_READ_OF_CALLS = frozenset(
    {
        *("id", "type", "name", "tool_name", "args", "response", "result", "content", "status"),
        *("toolCallId", "tool_call_id", "tool_args", "agno_event_type"),
    }
)
_AGNO_EVENT = "agno_event_type"
_LANGGRAPH = "Response from assistant "
"""How LangGraph's server describes the artifact of every answer."""
NOT_SHOWN = "(the server does not show the arguments)"
"""Arguments that are a text and no object: rules that look at them are broken, the others are judged."""


class CallDraft(Struct, kw_only=True):
    """A call as far as it is known."""

    id: str
    name: str
    args: JsonValue | UnsetType = UNSET
    result: JsonValue | UnsetType = UNSET
    error: str | None = None
    started_ms: float
    completed_ms: float

    def as_call(self) -> ToolCall:
        return ToolCall(
            id=self.id,
            name=self.name,
            args=NOT_SHOWN if self.args is UNSET else self.args,
            result=self.result,
            error=self.error,
            started_ms=self.started_ms,
            completed_ms=self.completed_ms,
        )


class ShownCalls:
    """The calls of one turn. `earlier` are those of the turns before it, by id: their results may come late.

    `may_repeat`: the turn goes on with a task that waited, so the server may tell the calls of that task again.
    """

    def __init__(self, earlier: Mapping[str, ToolCall], *, may_repeat: bool = False) -> None:
        self._earlier = earlier
        self._may_repeat = may_repeat
        self._drafts: list[CallDraft] = []
        self._late: dict[str, CallDraft] = {}
        self._unnamed = 0
        self.has_a_place = False
        """Whether the server is one that shows its calls, whether or not it made some."""
        self.unread: list[Unread] = []

    def made(self) -> tuple[ToolCall, ...]:
        return tuple(draft.as_call() for draft in self._drafts)

    def completed_late(self) -> tuple[ToolCall, ...]:
        """Calls of earlier turns whose result came in this one."""
        return tuple(draft.as_call() for draft in self._late.values() if draft.result is not UNSET or draft.error)

    # ── reading ──

    def take_part(self, part: Part, now_ms: float) -> bool:
        """Whether a part is about a tool call and no part of the answer."""
        data = part.value
        if part.kind != "data":
            return False
        labels = {value.lower().replace("-", "_") for value in part.metadata.values() if isinstance(value, str)}
        label = next((each for each in TYPES_OF_CALLS if each in labels), "")
        if not is_object(data):
            if label:
                self.unread.append(unread(data, f"a {label} part that is no object", "call"))
            return False
        if label:
            self._take_adk(label, data, now_ms)
        elif data.get("type") in ("tool-call", "tool-result"):
            self._take_beeai(data, now_ms)
        elif data.keys() == {"tool_results"} and is_array(results := data["tool_results"]):
            self.unread += [unread(each, "a tool result that is no object") for each in results if not is_object(each)]
            for result in objects_in(results):
                self._take_langgraph(result, now_ms)
        elif "tool_results" in data:
            self.unread.append(unread(data, "tool results of an unknown shape"))
            return False
        else:
            return False
        self.has_a_place = True
        return True

    def take_metadata(self, metadata: JsonObject, now_ms: float, *, streamed: bool) -> None:
        """The metadata of an event. `streamed`: agno shows calls in streams only."""
        if any(key.startswith("adk_") for key in metadata):
            self.has_a_place = True
        if any(key.startswith("agno_") for key in metadata):
            self.has_a_place = self.has_a_place or streamed
        event = text_in(metadata, _AGNO_EVENT)
        is_read = _is_of_adk
        if event.startswith("tool_call") and (name := text_in(metadata, "tool_name")):
            args = call_arguments(metadata.get("tool_args"))
            self._doubt_names({key: value for key, value in metadata.items() if isinstance(value, str)}, name)
            self._call(text_in(metadata, "tool_call_id"), name, args, now_ms).completed_ms = now_ms
            is_read = _is_of_agno
        rest: JsonObject = {key: value for key, value in metadata.items() if not is_read(key)}
        if names_tools(rest):
            self.unread.append(unread(rest, "metadata that may hold a tool call", "call"))
        else:
            self.unread += names_beside(rest, (), "metadata")

    def take_artifact(self, artifact: JsonObject) -> None:
        if text_in(artifact, "description").startswith(_LANGGRAPH):
            self.has_a_place = True

    def doubt_data(self, part: Part) -> None:
        """Keeps a data part of the answer as unread when it looks like a call in an unknown shape."""
        if may_be_about_calls(part.value):
            self.unread.append(unread(part.value, "a data part that may hold a tool call", "call"))

    def _doubt_names(self, told: JsonObject, name: str) -> None:
        """Keeps a call as unread that has two names, or holds further calls in unread places."""
        rest = {key: value for key, value in told.items() if key not in _READ_OF_CALLS}
        if tool_names_in(told) - {name} or (rest and looks_like_calls(rest)):
            self.unread.append(unread(told, f"a call of {name} with another name or call in it", "call"))

    def _take_adk(self, label: str, data: JsonObject, now_ms: float) -> None:
        name = text_in(data, "name")
        if not name:
            self.unread.append(unread(data, f"a {label} part without a name", "call"))
            return
        self._doubt_names(data, name)
        if label == "function_call":
            self._call(text_in(data, "id"), name, call_arguments(data.get("args")), now_ms)
        else:
            self._complete(self._answered(text_in(data, "id"), name, now_ms), data.get("response"), now_ms)

    def _take_beeai(self, data: JsonObject, now_ms: float) -> None:
        name = text_in(data, "tool_name")
        if not name:
            self.unread.append(unread(data, "a tool part without a name", "call"))
            return
        self._doubt_names(data, name)
        if data["type"] == "tool-call":
            self._call(text_in(data, "id"), name, call_arguments(data.get("args")), now_ms)
        else:
            draft = self._answered(text_in(data, "tool_call_id"), name, now_ms)
            self._complete(draft, _read_text(data.get("result")), now_ms)

    def _take_langgraph(self, result: JsonObject, now_ms: float) -> None:
        name = text_in(result, "name")
        if not name:
            self.unread.append(unread(result, "a tool result without a name", "call"))
            return
        self._doubt_names(result, name)
        draft = self._answered(text_in(result, "toolCallId"), name, now_ms)
        if result.get("status") == "error":
            draft.error = text_of(result.get("content"))
            draft.completed_ms = now_ms
        else:
            self._complete(draft, _read_text(result.get("content")), now_ms)

    def _call(self, call_id: str, name: str, args: JsonValue, now_ms: float) -> CallDraft:
        """The call of this id, name and arguments. Another name or other arguments under a known id are a new call."""
        for draft in self._of_id(call_id):
            if draft.name == name and (draft.args is UNSET or json_equal(draft.args, args)):
                draft.args = args
                return draft
        before = self._earlier.get(call_id) if self._may_repeat else None
        if before is not None and before.name == name and json_equal(before.args, args):
            return self._from_before(before, now_ms)
        draft = self._new(call_id, name, now_ms)
        draft.args = args
        return draft

    def _answered(self, call_id: str, name: str, now_ms: float) -> CallDraft:
        """The call that a result belongs to: without an id, the oldest open one of its name."""
        if not call_id:
            waiting = (each for each in self._drafts if each.name == name and each.result is UNSET)
            return next(waiting, None) or self._new(call_id, name, now_ms)
        for draft in reversed(self._of_id(call_id)):
            if draft.name == name:
                return draft
        before = self._earlier.get(call_id)
        if before is not None and before.name == name:
            return self._from_before(before, now_ms)
        return self._new(call_id, name, now_ms)

    def _of_id(self, call_id: str) -> list[CallDraft]:
        late = self._late.get(call_id)
        return [*([late] if late else []), *(draft for draft in self._drafts if call_id and draft.id == call_id)]

    def _new(self, call_id: str, name: str, now_ms: float) -> CallDraft:
        if not call_id:
            self._unnamed += 1
            call_id = f"{name}-{self._unnamed}"
        draft = CallDraft(id=call_id, name=name, started_ms=now_ms, completed_ms=now_ms)
        self._drafts.append(draft)
        return draft

    def _from_before(self, before: ToolCall, now_ms: float) -> CallDraft:
        """A call of an earlier turn, to be completed."""
        draft = CallDraft(
            id=before.id,
            name=before.name,
            args=before.args,
            started_ms=before.started_ms or now_ms,
            completed_ms=now_ms,
        )
        self._late[before.id] = draft
        return draft

    @staticmethod
    def _complete(draft: CallDraft, result: JsonValue, now_ms: float) -> None:
        draft.result = result
        draft.completed_ms = now_ms


def unknown_metadata(metadata: JsonObject) -> JsonObject:
    """The metadata of a message, artifact or part without what ADK and pydantic-ai write there."""
    return {key: value for key, value in metadata.items() if not _is_of_adk(key) and key != "json_schema"}


def _is_of_adk(key: str) -> bool:
    """Whether ADK writes it about its events; calls stand elsewhere."""
    return key.startswith("adk_") and plain_key(key.removeprefix("adk_")) not in CALL_KEYS


def _is_of_agno(key: str) -> bool:
    """Whether agno writes it about a call."""
    return key in (_AGNO_EVENT, "tool_name", "tool_call_id", "tool_args")


def _read_text(result: JsonValue) -> JsonValue:
    """A tool's result as the value its text stands for, when that is an object or a list."""
    if not isinstance(result, str):
        return result
    value = json_or_text(result)
    return value if is_object(value) or is_array(value) else result
