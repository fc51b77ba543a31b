"""What a judge is shown: the answer, the question, the criteria, and how it came about. Never the test's name."""

from collections.abc import Iterator
from typing import Any

import msgspec

from vivavoce.model.message import Content, Message
from vivavoce.model.transcript import history_of
from vivavoce.protocols import Evidence


def judge_request(evidence: Evidence, criteria: Any, metadata: dict[str, Any]) -> dict[str, Any]:
    """The object a judge gets as its one message; the assertion's metadata lies on top."""
    request: dict[str, Any] = {"output": evidence.output, "input": _words(evidence.input)}
    if criteria is not None:
        request["criteria"] = criteria
    conversation = list(_conversation(evidence))
    # A question and its answer are there already; more is told only when more was said or done.
    if len(conversation) > 2:
        request["conversation"] = conversation
    return {**request, **metadata}


def _conversation(evidence: Evidence) -> Iterator[dict[str, Any]]:
    for message in evidence.history:
        yield _told(message)
    for turn in evidence.turns:
        if turn.line.content:
            yield {"role": "user", "content": _words(turn.line.content)}
        for message in history_of(turn.reply):
            yield _told(message)


def _told(message: Message) -> dict[str, Any]:
    return {**msgspec.to_builtins(message), "content": _words(message.content)}


def _words(content: Content | None) -> str:
    """A message's words; what is not text is only named, a judge cannot use its bytes."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(
        str(part.get("text", "")) if part.get("type") == "text" else f"[{part.get('type', 'attachment')}]"
        for part in content
    )
