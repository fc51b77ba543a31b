"""What a judge is shown: the answer, the question, the criteria, and how it came about. Never the test's name."""

from collections.abc import Iterator
from typing import Any

import msgspec

from vivavoce.model.message import Message, words_of_content
from vivavoce.model.transcript import history_of
from vivavoce.protocols import Evidence


def judge_request(evidence: Evidence, criteria: Any, metadata: dict[str, Any]) -> dict[str, Any]:
    """The object a judge gets as its one message; the assertion's metadata lies on top."""
    request: dict[str, Any] = {"output": evidence.output, "input": words_of_content(evidence.input or "")}
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
            yield {"role": "user", "content": words_of_content(turn.line.content)}
        for message in history_of(turn.reply):
            yield _told(message)


def _told(message: Message) -> dict[str, Any]:
    # A judge cannot use the bytes of an attachment.
    return {**msgspec.to_builtins(message), "content": words_of_content(message.content)}
