"""Collects the answers and events of one turn: what was said and called, and the state of the task."""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_number, is_object, object_in
from vivavoce.model.message import ToolCall, Unread, Usage
from vivavoce.notation.hidden_calls import unread
from vivavoce.targets.a2a.overlooked import overlooked_calls, overlooked_in
from vivavoce.targets.a2a.shown_calls import ShownCalls
from vivavoce.targets.a2a.spelling import (
    FINISHED,
    RUNNING,
    STATES,
    WAITING,
    Part,
    event_of,
    is_of_user,
    objects_in,
    parts_of,
    state_of,
    text_in,
)
from vivavoce.targets.a2a.strange_fields import strange_fields


class Group(Struct, kw_only=True):
    """Parts that belong together: of an artifact or of a message. Those about tool calls are left out."""

    name: str = ""
    parts: list[Part] = []


SaidArtifact: TypeAlias = tuple[str, str]
"""The task of an artifact, and what stood in it."""


class TaskReading:
    """`known_artifacts` were said in an earlier turn; `earlier_calls` were made in one.

    `goes_on`: a task that waited in the turn before goes on in this one.
    """

    def __init__(
        self,
        known_artifacts: Mapping[str, SaidArtifact] | None = None,
        earlier_calls: Mapping[str, ToolCall] | None = None,
        *,
        goes_on: bool = False,
    ) -> None:
        self._known = known_artifacts or {}
        self.calls = ShownCalls(earlier_calls or {}, may_repeat=goes_on)
        self.task_id = ""
        self.context_id = ""
        self.state = ""
        self.artifacts: dict[str, Group] = {}
        self.replaced: list[Group] = []
        """Artifacts of this turn that a later artifact or task has replaced."""
        self.said: list[Group] = []
        """The agent's words in status updates, in order."""
        self.last_said: Group | None = None
        """What came with the newest status, if anything."""
        self.asked: list[Part] = []
        """All parts of the newest status's message, those about calls too."""
        self.messages: dict[str, Group] = {}
        self._history: list[JsonObject] = []
        self._of_user: list[JsonObject] = []
        """Messages of statuses that are said to be the user's."""
        self._earlier_calls = earlier_calls or {}
        self._seen_messages: set[str] = set()
        self._usage: dict[str, Usage] = {}
        self.unread: list[Unread] = []
        self.violations: list[str] = []
        """Breaches of the protocol's own rules."""
        self.heard_anything = False
        self.ended_ms: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether the task says that nothing more happens before somebody speaks."""
        return self.state in FINISHED or self.state in WAITING

    @property
    def is_unfinished(self) -> bool:
        """Whether there is a task that has not ended yet."""
        return self.state in RUNNING or not (self.state or self.messages or not self.task_id)

    @property
    def is_strange(self) -> bool:
        """Whether the task is in a state that A2A does not have."""
        return bool(self.state) and self.state not in STATES

    def next_round(self) -> None:
        """Forgets the state: the question has been answered, the same task goes on."""
        self.state, self.last_said, self.asked = "", None, []

    # ── what came in ──

    def take(self, result: JsonValue, now_ms: float, *, streamed: bool = False) -> None:
        """Reads one result or event of any version."""
        kind, body = event_of(result)
        self.heard_anything = True
        self.ended_ms = now_ms
        if kind is None:
            self.unread.append(unread(result, "an event of an unknown kind"))
            return
        self.context_id = text_in(body, "contextId") or self.context_id
        self.task_id = text_in(body, "id" if kind == "task" else "taskId") or self.task_id
        metadata = object_in(body, "metadata")
        self.calls.take_metadata(metadata, now_ms, streamed=streamed)
        self.unread += overlooked_in(body)
        self.unread += strange_fields(result, body, is_message=kind == "message")
        if kind == "task":
            self._take_task(body, now_ms)
        elif kind == "status":
            self._take_status(object_in(body, "status"), now_ms)
            self._count(metadata)
        elif kind == "artifact":
            self._take_artifact(object_in(body, "artifact"), now_ms, append=bool(body.get("append")))
        elif not is_of_user(body):
            group = self.messages.setdefault(text_in(body, "messageId"), Group(parts=[]))
            group.parts += self._visible(parts_of(body), now_ms)

    def _take_task(self, task: JsonObject, now_ms: float) -> None:
        self._take_status(object_in(task, "status"), now_ms)
        artifacts = list(objects_in(task.get("artifacts")))
        if artifacts:
            self.replaced += self.new_artifacts()
            self.artifacts = {}
        for artifact in artifacts:
            self._take_artifact(artifact, now_ms, append=False)
        if history := list(objects_in(task.get("history"))):
            self._history = history
            for message in self._since_the_user_spoke():
                self._count_metrics(message)

    def _take_status(self, status: JsonObject, now_ms: float) -> None:
        written: JsonValue = status.get("state")
        self.state = state_of(written) or ("" if written is None else str(written)) or self.state
        if self.is_strange:
            # The event is unknown: it may hold a message or an action that another client would see.
            self.unread.append(unread(status, f"a status in the unknown state {self.state!r}"))
            self.violations.append(f"the state {self.state!r} is not one of A2A's")
        message = object_in(status, "message")
        self.last_said, self.asked = None, []
        if not message or is_of_user(message):
            self._of_user += [message] if message else []
            return
        self.asked = parts_of(message)
        message_id = text_in(message, "messageId")
        is_new = self._is_new(message)
        group = Group(parts=self._visible(self.asked, now_ms, is_new=is_new))
        self.last_said = group
        if is_new and (message_id or not self.said or self.said[-1] != group):
            self.said.append(group)
            self.calls.take_metadata(object_in(message, "metadata"), now_ms, streamed=False)

    def _take_artifact(self, artifact: JsonObject, now_ms: float, *, append: bool) -> None:
        self.calls.take_artifact(artifact)
        key = text_in(artifact, "artifactId") or f"#{len(self.artifacts)}"
        visible = self._visible(parts_of(artifact), now_ms)
        before = self.artifacts.get(key)
        if append and before is not None:
            before.parts += visible
        else:
            # Without `append` it takes the place of what had this id before.
            self.replaced += [] if before is None or self._is_known(key, before) else [before]
            self.artifacts[key] = Group(name=text_in(artifact, "name"), parts=visible)

    def _visible(self, parts: list[Part], now_ms: float, *, is_new: bool = True) -> list[Part]:
        """The parts that are no tool calls; the others are counted as calls."""
        if is_new:
            self.unread += [unread(part.value, "a part of an unknown kind") for part in parts if part.kind == "unknown"]
            return [part for part in parts if not self.calls.take_part(part, now_ms)]
        repeated = ShownCalls({})
        return [part for part in parts if not repeated.take_part(part, now_ms)]

    # ── the end ──

    def new_artifacts(self) -> list[Group]:
        """The artifacts of this turn."""
        return [group for key, group in self.artifacts.items() if not self._is_known(key, group)]

    def said_artifacts(self) -> dict[str, SaidArtifact]:
        """The artifacts that later turns may tell again."""
        return {key: (self.task_id, _content(group)) for key, group in self.artifacts.items()}

    def _is_known(self, key: str, group: Group) -> bool:
        """Whether an earlier turn had it already. An id used again with another task or text is a new artifact."""
        return self._known.get(key) == (self.task_id, _content(group))

    def new_history(self) -> list[Group]:
        """The agent's messages of the history after the newest message of the user."""
        groups: list[Group] = []
        for message in self._since_the_user_spoke():
            is_new = self._is_new(message)
            groups.append(Group(parts=self._visible(parts_of(message), self.ended_ms or 0.0, is_new=is_new)))
        before = self._history[: len(self._history) - len(groups)]
        told = (*self.calls.made(), *self._earlier_calls.values())
        self.unread += overlooked_calls((*before, *self._of_user), told)
        return groups

    def _is_new(self, message: JsonObject) -> bool:
        """Whether a message is new. An id used again with other parts is another message."""
        message_id = text_in(message, "messageId")
        key = f"{message_id} {[(part.kind, part.value) for part in parts_of(message)]}"
        is_new = not message_id or key not in self._seen_messages
        self._seen_messages.add(key)
        return is_new

    def usage(self) -> Usage | None:
        """What the server said it used; None when it said nothing."""
        total: Usage | None = None
        for used in self._usage.values():
            total = used.plus(total)
        return total

    def _since_the_user_spoke(self) -> list[JsonObject]:
        newest = max((n for n, message in enumerate(self._history) if is_of_user(message)), default=-1)
        return self._history[newest + 1 :]

    def _count(self, metadata: JsonObject) -> None:
        """ADK tells the usage of each model call in a status update; the task as a whole has only the last."""
        told = object_in(metadata, "adk_usage_metadata")
        self._add_usage(text_in(metadata, "adk_event_id"), told, "promptTokenCount", "candidatesTokenCount")

    def _count_metrics(self, message: JsonObject) -> None:
        """agno tells the usage of the whole run with its message."""
        told = object_in(object_in(message, "metadata"), "metrics")
        self._add_usage("agno", told, "input_tokens", "output_tokens")

    def _add_usage(self, key: str, told: JsonObject, read: str, written: str) -> None:
        counts = [told.get(read), told.get(written)]
        if is_object(told) and any(is_number(count) for count in counts):
            sound = [int(count) if is_number(count) and count >= 0 else 0 for count in counts]
            self._usage[key] = Usage(sound[0], sound[1])


def _content(group: Group) -> str:
    return str([(part.kind, part.value) for part in group.parts])
