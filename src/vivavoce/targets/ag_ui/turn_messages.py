"""The messages of one turn: the texts that count, and the history that is sent back with the server's own ids."""

from collections.abc import Mapping

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model.message import Message, text_of_content
from vivavoce.targets.ag_ui.call_book import CallBook, CallDraft
from vivavoce.targets.ag_ui.spelling import read_key, written_calls

NOT_SENT_BACK = ("activity", "reasoning")


class TextDraft:
    """One stretch of assistant text, from its start to its end."""

    __slots__ = ("id", "may_repeat", "parts")

    def __init__(self, message_id: str, may_repeat: bool) -> None:
        self.id = message_id
        self.may_repeat = may_repeat
        """Whether its run answers an interrupt: such a run may repeat earlier messages."""
        self.parts: list[str] = []


class Entry:
    """A message of the history being built."""

    __slots__ = ("call_ids", "id", "may_repeat", "name", "parts", "role", "run", "tool_call_id")

    def __init__(self, message_id: str, role: str, run: int, tool_call_id: str | None = None) -> None:
        self.id = message_id
        self.role = role
        self.run = run
        self.name: str | None = None
        self.parts: list[str] = []
        self.call_ids: list[str] = []
        self.tool_call_id = tool_call_id
        self.may_repeat = True


class OwnPart(Struct, frozen=True):
    """What a snapshot tells of this turn."""

    own: list[JsonObject]
    before: list[JsonObject]
    certain: bool
    """Whether this turn's user message was found, and no other could be meant."""


class TurnMessages:
    """Grows with the events. A snapshot replaces the messages that it tells."""

    def __init__(self, user_id: str, user_text: str, earlier: Mapping[str, str]) -> None:
        self._user_id = user_id
        self._user_text = user_text
        self._earlier = earlier
        """Texts by message id of what was said before this turn."""
        self._entries: list[Entry] = []
        self._by_id: dict[str, Entry] = {}
        self._results: dict[str, Entry] = {}
        """Tool messages by the call they answer."""
        self._calls: set[str] = set()
        self._texts: list[TextDraft] = []
        self._snapshot_texts: list[str] = []
        self.writing: dict[str, tuple[list[str], list[str]]] = {}
        """Where the words of a message of this run go: to the history, and to the texts that count."""
        self._run = 0
        self._resumes = False

    def next_run(self, *, resumes: bool = False) -> None:
        self._run += 1
        self._resumes = resumes
        self.writing.clear()

    # ── what was streamed ──

    def start_text(self, message_id: str, role: str) -> None:
        entry = self._entry(message_id, role)
        if entry.run != self._run:
            # A later run of the turn repeats an earlier message, from its beginning.
            entry.run = self._run
            entry.parts.clear()
        entry.may_repeat = self._resumes
        draft = TextDraft(message_id, self._resumes)
        if role == "assistant":
            self._texts.append(draft)
        self.writing[message_id] = (entry.parts, draft.parts)

    def append(self, message_id: str, delta: str) -> None:
        writing = self.writing.get(message_id)
        if writing is None:
            self.start_text(message_id, "assistant")
            writing = self.writing[message_id]
        kept, counted = writing
        kept.append(delta)
        counted.append(delta)

    def add_call(self, call_id: str, parent_id: str | None) -> None:
        if call_id not in self._calls:
            self._calls.add(call_id)
            self._entry(parent_id or call_id, "assistant").call_ids.append(call_id)

    def add_result(self, call_id: str, message_id: str, content: str) -> None:
        """The tool message of a call; the newest content wins."""
        entry = self._results.get(call_id)
        if entry is None:
            entry = Entry(message_id, "tool", self._run, call_id)
            self._add(entry)
        entry.id, entry.parts = message_id, [content]

    def _entry(self, message_id: str, role: str) -> Entry:
        entry = self._by_id.get(message_id)
        if entry is None:
            entry = Entry(message_id, role, self._run)
            self._add(entry)
        return entry

    def _add(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._calls.update(entry.call_ids)
        if entry.tool_call_id is None:
            self._by_id[entry.id] = entry
        else:
            self._results[entry.tool_call_id] = entry

    # ── what a snapshot says ──

    def own_part(self, snapshot: JsonValue) -> OwnPart:
        """What follows this turn's user message; servers may know that one under another id."""
        messages = [message for message in snapshot if is_object(message)] if is_array(snapshot) else []
        start, certain = self._users_message(messages)
        own = messages[start + 1 :]
        if not certain:
            own = [message for message in own if self._earlier.get(message_id(message)) != _text(message)]
        return OwnPart(own, messages[: start + 1], certain)

    def _users_message(self, messages: list[JsonObject]) -> tuple[int, bool]:
        users = [at for at, message in enumerate(messages) if message.get("role") == "user"]
        by_id = [at for at in users if self._user_id and message_id(messages[at]) == self._user_id]
        if by_id:
            return by_id[-1], True
        by_text = [at for at in users if self._user_id and _text(messages[at]) == self._user_text]
        if by_text:
            earlier = sum(text == self._user_text for text in self._earlier.values())
            return by_text[-1], len(by_text) <= earlier + 1
        return (users[-1] if users else -1), False

    def replace_by(self, messages: list[JsonObject]) -> None:
        """The history from the server's snapshot, plus the calls and results that it leaves out."""
        if not messages:
            return
        told = [self._entry_of(message) for message in messages if message.get("role") not in NOT_SENT_BACK]
        known_ids = {call_id for entry in told for call_id in entry.call_ids}
        told_results = {entry.tool_call_id for entry in told if entry.tool_call_id}
        for entry in self._entries:
            if entry.tool_call_id and entry.tool_call_id not in told_results:
                told.append(entry)
            elif entry.call_ids and not known_ids.issuperset(entry.call_ids):
                entry.call_ids = [call_id for call_id in entry.call_ids if call_id not in known_ids]
                told.append(entry)
        self._entries, self._by_id, self._results, self._calls = [], {}, {}, set()
        for entry in told:
            self._add(entry)
        for name, (_, counted) in list(self.writing.items()):
            self.writing[name] = (self._entry(name, "assistant").parts, counted)
        self._snapshot_texts = [
            text for message in messages if message.get("role") == "assistant" and (text := _text(message)).strip()
        ]

    def _entry_of(self, message: JsonObject) -> Entry:
        entry = Entry(message_id(message), str(message.get("role") or "assistant"), self._run)
        entry.name = message.get("name") if isinstance(message.get("name"), str) else None
        entry.parts.append(_text(message))
        calls = written_calls(message)
        if is_array(calls):
            entry.call_ids = [str(call.get("id") or "") for call in calls if is_object(call)]
        if entry.role == "tool":
            entry.tool_call_id = str(read_key(message, "toolCallId") or "")
        return entry

    # ── what comes of it ──

    def texts(self) -> list[str]:
        """Every non-empty assistant text in order; a snapshot's only when nothing was streamed."""
        whole = ((draft, "".join(draft.parts)) for draft in self._texts)
        streamed = [text for draft, text in whole if text.strip() and not self._is_repeated(draft, text)]
        return streamed or self._snapshot_texts

    def only_in_snapshot(self) -> list[str]:
        """Assistant texts of the last snapshot that were not streamed, although others were."""
        if not self._snapshot_texts:
            return []
        streamed = " ".join(" ".join("".join(draft.parts).split()) for draft in self._texts)
        if not streamed:
            return []
        return [text for text in self._snapshot_texts if " ".join(text.split()) not in streamed]

    def _is_repeated(self, told: TextDraft | Entry, text: str) -> bool:
        return told.may_repeat and self._earlier.get(told.id) == text

    def history(self, calls: CallBook) -> tuple[Message, ...]:
        """The turn as messages to send back, empty ones left out."""
        messages: list[Message] = []
        for entry in self._entries:
            text = "".join(entry.parts)
            if entry.tool_call_id is not None:
                messages.append(Message(role="tool", id=entry.id, tool_call_id=entry.tool_call_id, content=text))
                continue
            # A call of an earlier turn stands in that turn's history already.
            made = [(name, draft) for name in entry.call_ids if (draft := calls.get(name)) and draft.earlier is None]
            wire = [_wire_call(name, draft) for name, draft in made]
            if wire or (text and not self._is_repeated(entry, text)):
                messages.append(
                    Message(role=entry.role, id=entry.id, name=entry.name, content=text, tool_calls=wire or None)
                )
        return tuple(messages)


def message_id(message: Mapping[str, JsonValue]) -> str:
    return str(message.get("id") or "")


def _text(message: Mapping[str, JsonValue]) -> str:
    content: JsonValue = message.get("content")
    if not is_array(content):
        return text_of(content)
    return text_of_content([part for part in content if is_object(part)])


def _wire_call(call_id: str, draft: CallDraft) -> JsonObject:
    function = {"name": draft.name, "arguments": draft.args_text or "{}"}
    return {"id": call_id, "type": "function", "function": function}
