"""The tool calls of one turn: keyed by id, in the order they first appeared, replays not counted again."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType, structs

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal
from vivavoce.model.message import ToolCall
from vivavoce.notation.json_text import call_arguments, json_or_text

_ARGUMENT_KEYS = ("arguments", "args", "input", "parameters")


class CallDraft:
    """A call as far as it was seen."""

    __slots__ = (
        "completed_ms",
        "earlier",
        "ended_ms",
        "error",
        "frontend",
        "id",
        "name",
        "other_id",
        "parts",
        "result",
        "run",
        "same_as",
        "same_as_had_result",
        "snapshot_args",
        "snapshot_only",
        "started_ms",
    )

    def __init__(self, call_id: str, name: str, run: int, at_ms: float) -> None:
        self.id = call_id
        self.name = name
        self.run = run
        self.started_ms = at_ms
        self.ended_ms = at_ms
        self.completed_ms = at_ms
        self.parts: list[str] = []
        self.snapshot_args = ""
        self.snapshot_only = False
        """Whether only a snapshot has shown it so far."""
        self.other_id = ""
        """The id under which a snapshot tells it, when that is another."""
        self.result: JsonValue | UnsetType = UNSET
        self.error: str | None = None
        self.frontend = False
        self.earlier: ToolCall | None = None
        """The call as an earlier turn reported it: here it can only be completed."""
        self.same_as: CallDraft | None = None
        """The draft that already had this id when this one started."""
        self.same_as_had_result = False

    @property
    def args_text(self) -> str:
        """The streamed arguments, or the snapshot's when those are empty or no JSON object."""
        streamed = "".join(self.parts)
        return self.snapshot_args if self.snapshot_args and not _is_object_text(streamed) else streamed

    @property
    def args(self) -> JsonValue:
        if self.earlier is not None:
            return self.earlier.args
        return call_arguments(self.args_text)

    @property
    def has_whole_args(self) -> bool:
        return _is_object_text("".join(self.parts))

    @property
    def answered(self) -> bool:
        return self.result is not UNSET or self.error is not None

    def complete(self, result: JsonValue, error: str | None, at_ms: float) -> None:
        """Takes a result; the first arrival stays the time of completion."""
        if not self.answered:
            self.completed_ms = at_ms
        self.result = result
        self.error = error or None

    def repeats(self, first: "CallDraft") -> bool:
        """Whether the server repeats the same call, rather than making a second one under a reused id."""
        if self.name and self.name != first.name:
            return False
        if not self.args_text or json_equal(self.args, first.args):
            return True
        # A resumed run may re-send a call that still waited, with edited arguments.
        return self.run != first.run and not self.same_as_had_result

    def as_call(self) -> ToolCall:
        if self.earlier is not None:
            return structs.replace(self.earlier, result=self.result, error=self.error, completed_ms=self.completed_ms)
        return ToolCall(
            id=self.id,
            name=self.name,
            args=self.args,
            result=self.result,
            error=self.error,
            started_ms=self.started_ms,
            completed_ms=self.completed_ms if self.answered else self.ended_ms,
            frontend=self.frontend,
        )


class CallBook:
    """Every call heard of in a turn, over all its runs."""

    def __init__(self, earlier: Mapping[str, ToolCall]) -> None:
        self._drafts: list[CallDraft] = []
        self._current: dict[str, CallDraft] = {}
        self.run = 0
        self._resumes = False
        self._told_by_us: set[str] = set()
        self._repeatable: set[str] = set()
        self._knows_earlier = bool(earlier)
        for call in earlier.values():
            draft = CallDraft(call.id, call.name, 0, call.started_ms or 0.0)
            draft.earlier = call
            draft.result, draft.error = call.result, call.error
            draft.completed_ms = call.completed_ms or 0.0
            self._current[call.id] = draft

    def next_run(self, *, resumes: bool = False) -> None:
        """Begins another run. A run that answers an interrupt may repeat earlier calls."""
        self.run += 1
        self._resumes = resumes
        self._repeatable, self._told_by_us = self._told_by_us, set()

    def answered_by_us(self, call_id: str) -> None:
        """The next run continues from our answer to this call, and may repeat the call."""
        self._told_by_us.add(call_id)

    def may_repeat(self, call_id: str) -> bool:
        """Whether this run may repeat a known call; in any other run its start begins a new call."""
        return self._resumes or call_id in self._repeatable

    def __contains__(self, call_id: str) -> bool:
        """Whether it is known which tool was called."""
        draft = self._current.get(call_id)
        return draft is not None and bool(draft.name)

    def named(self) -> list[CallDraft]:
        """Every call heard of whose tool is known, earlier turns included."""
        return [draft for draft in (*self._current.values(), *self._drafts) if draft.name]

    def get(self, call_id: str) -> CallDraft | None:
        return self._current.get(call_id)

    def start(self, call_id: str, name: str, at_ms: float) -> CallDraft:
        known = self._current.get(call_id)
        if known is not None and known.run == self.run and (not known.name or known.snapshot_only):
            known.name = known.name or name
            if known.name == name:
                known.snapshot_only = False
                return known
        draft = self._new(call_id, name, at_ms)
        if known is not None and self.may_repeat(call_id):
            draft.same_as = known
            draft.same_as_had_result = known.answered
        return draft

    def _new(self, call_id: str, name: str, at_ms: float) -> CallDraft:
        draft = self._current[call_id] = CallDraft(call_id, name, self.run, at_ms)
        self._drafts.append(draft)
        return draft

    def from_snapshot(self, calls: Iterable[JsonObject], at_ms: float, *, certain: bool) -> None:
        """The tool calls a snapshot tells of this turn: arguments for those we know, the others are new.

        `certain` says that they all belong to this turn; otherwise those of earlier turns may be among them.
        """
        wanted = list(calls)
        ids = {str(call["id"]) for call in wanted if call.get("id")}
        matched: set[int] = set()
        for call in wanted:
            function = call.get("function")
            told = {**call, **function} if is_object(function) else call
            arguments = args_text_of(next((told[key] for key in _ARGUMENT_KEYS if told.get(key) is not None), None))
            call_id, name = str(call.get("id") or ""), str(told.get("name") or "")
            draft = self._reported_before(call_id, matched, certain) or self._under_another_id(
                name, arguments, ids, matched
            )
            if draft is None:
                # A call without an id is still a call: it must never go uncounted.
                draft = self._new(call_id or f"unnamed-in-snapshot-{len(self._drafts) + 1}", name, at_ms)
                draft.snapshot_only = True
            matched.add(id(draft))
            if call_id and call_id != draft.id:
                draft.other_id = call_id
            self._current[call_id or draft.id] = draft
            draft.name = draft.name or name
            draft.snapshot_args = arguments

    def _reported_before(self, call_id: str, matched: set[int], certain: bool) -> CallDraft | None:
        """The call of this turn that has the id. A snapshot shows each call once, so a second one is a new call."""
        for draft in self._drafts:
            if call_id and call_id in (draft.id, draft.other_id) and id(draft) not in matched:
                return draft
        known = self._current.get(call_id)
        if known is None or known.earlier is None or (certain and not self.may_repeat(call_id)):
            return None
        return known

    def _under_another_id(self, name: str, arguments: str, ids: set[str], matched: set[int]) -> CallDraft | None:
        """The streamed call that the snapshot shows under a new id: it must be counted once."""
        args = call_arguments(arguments)
        for draft in self._drafts:
            if id(draft) in matched or draft.id in ids or draft.other_id in ids:
                continue
            if draft.name == name and json_equal(draft.args, args):
                return draft
        return None

    def end_run(self) -> None:
        """Folds every replay into the call it repeats. Only now: a call's arguments are complete at a run's end."""
        first_of: dict[int, CallDraft] = {}
        kept: list[CallDraft] = []
        for draft in self._drafts:
            first = None if draft.same_as is None else first_of.get(id(draft.same_as), draft.same_as)
            draft.same_as = None
            if first is None or not draft.repeats(first):
                kept.append(draft)
                continue
            first_of[id(draft)] = first
            if draft.answered:
                first.complete(draft.result, draft.error, draft.completed_ms)
            if not first.parts and first.earlier is None:
                first.parts = draft.parts
            if self._current.get(draft.id) is draft:
                self._current[draft.id] = first
        self._drafts = kept

    def made(self) -> list[CallDraft]:
        """The calls first made in this turn."""
        return self._drafts

    def completed_late(self) -> list[CallDraft]:
        """Calls of earlier turns whose result came, or changed, only in this one."""
        if not self._knows_earlier:
            return []
        earlier = {id(draft): draft for draft in self._current.values() if draft.earlier is not None}
        return [
            draft
            for draft in earlier.values()
            if draft.earlier is not None
            and (draft.result != draft.earlier.result or draft.error != draft.earlier.error)
        ]


def read_result(content: JsonValue) -> JsonValue:
    """Parts → their text; JSON objects, lists and strings → the value; anything else as it came."""
    if is_array(content):
        texts = [str(part.get("text", "")) for part in content if is_object(part) and part.get("type") == "text"]
        content = "\n".join(texts) if texts or not content else content
    if not isinstance(content, str) or content.lstrip()[:1] not in ("{", "[", '"'):
        return content
    return json_or_text(content)


def content_text(content: JsonValue) -> str:
    """A tool message's content as the one string every server accepts."""
    if is_array(content):
        return "\n".join(str(part.get("text", "")) for part in content if is_object(part) and "text" in part)
    if isinstance(content, str):
        return content
    return "" if content is None else msgspec.json.encode(content).decode()


def args_text_of(arguments: JsonValue) -> str:
    """Arguments as text, whichever way the server sent them."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else msgspec.json.encode(arguments).decode()


def error_text(error: Any) -> str | None:
    """What a server calls an error, as text; a false or empty thing is none."""
    if error is None or isinstance(error, str):
        return error
    return args_text_of(error) if error else None


def _is_object_text(text: str) -> bool:
    return is_object(json_or_text(text))
