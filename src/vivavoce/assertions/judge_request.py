"""What a judge is shown: the answer, the question, the criteria, and how it came about. Never the test's name."""

from collections.abc import Iterator

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import Message, words_of_content
from vivavoce.model.transcript import history_of
from vivavoce.protocols import Evidence


def judge_request(evidence: Evidence, criteria: JsonValue, metadata: JsonObject) -> JsonObject:
    """The object a judge gets as its one message; the assertion's metadata lies on top."""
    request: JsonObject = {"output": evidence.output, "input": words_of_content(evidence.input or "")}
    if criteria is not None:
        request["criteria"] = criteria
    conversation = list(_conversation(evidence))
    # A question and its answer are there already; more is told only when more was said or done.
    if len(conversation) > 2:
        request["conversation"] = conversation
    return {**request, **metadata}


def _conversation(evidence: Evidence) -> Iterator[JsonObject]:
    for message in evidence.history:
        yield _describe(message)
    for turn in evidence.turns:
        if turn.line.content:
            yield {"role": "user", "content": words_of_content(turn.line.content)}
        for message in history_of(turn.reply):
            yield _describe(message)


def _describe(message: Message) -> JsonObject:
    # A judge cannot use the bytes of an attachment.
    return {**msgspec.to_builtins(message), "content": words_of_content(message.content)}
