"""What a judge is shown: the answer, the question, the criteria, and how it came about. Never the test's name."""

import hashlib
from collections.abc import Iterator

import msgspec

from vivavoce.assertions.said_beside import said_beside
from vivavoce.containment.overlong_work import LIMIT_S, finished_apart
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, json_equal
from vivavoce.model.message import Content, ContentPart, Message, words_of_content
from vivavoce.model.transcript import history_of
from vivavoce.notation.json_text import whole_json
from vivavoce.protocols import Evidence
from vivavoce.workspaces.changes import describe
from vivavoce.workspaces.survey import Limits
from vivavoce.workspaces.wording import for_judges


def judge_request(
    evidence: Evidence, criteria: JsonValue, metadata: JsonObject, attached: list[ContentPart]
) -> JsonObject:
    """The object a judge gets as its one message; the assertion's metadata lies on top.

    `attached` are the parts that go along with it; the object lists them in order.
    """
    request: JsonObject = {"output": evidence.output, "input": words_of_content(evidence.input or "")}
    if criteria is not None:
        request["criteria"] = criteria
    conversation = list(_conversation(evidence))
    # The question and its answer are there already; the conversation is added only when there is more of it,
    # or when the agent said words beside the data that is its answer.
    if len(conversation) > 2 or _has_words_beside(evidence):
        request["conversation"] = conversation
    if attached:
        request["attachments"] = [_listed(part) for part in attached]
    return {**request, **metadata}


def _has_words_beside(evidence: Evidence) -> bool:
    """Whether the agent said more than its output; the same data written as JSON is nothing more."""
    return any(not json_equal(whole_json(text), evidence.output) for text in said_beside(evidence))


async def shown_workspace(evidence: Evidence) -> JsonObject:
    """`workspace` for the request: the files that the agent left and what it changed; empty without a workspace."""
    workspace = evidence.workspace
    if workspace is None:
        return {}
    after = await finished_apart(lambda: describe(workspace, Limits()), LIMIT_S, "comparing the files")
    return {"workspace": for_judges(after)}


def attachments_of(evidence: Evidence) -> list[ContentPart]:
    """The images, files and sounds of the conversation, in the order in which they were said."""
    said = [message.content for message in evidence.history]
    for turn in evidence.turns:
        said += [turn.line.content, *(message.content for message in history_of(turn.reply))]
    return [part for content in said for part in _attached(content)]


def _attached(content: Content) -> list[ContentPart]:
    return [] if isinstance(content, str) else [part for part in content if part.get("type") != "text"]


def _listed(part: ContentPart) -> JsonObject:
    """What an attachment is, without its bytes: a judge asked again about the same file gets the same request."""
    file = part.get("file")
    name = file.get("filename") if is_object(file) else None
    digest = hashlib.sha256(msgspec.json.encode(part)).hexdigest()[:16]
    return {"type": part.get("type"), **({"name": name} if name else {}), "digest": digest}


def _conversation(evidence: Evidence) -> Iterator[JsonObject]:
    for message in evidence.history:
        yield _describe(message)
    for turn in evidence.turns:
        if turn.line.content:
            yield {"role": "user", "content": words_of_content(turn.line.content)}
        for message in history_of(turn.reply):
            yield _describe(message)


def _describe(message: Message) -> JsonObject:
    # The bytes of an attachment go along as a part of their own.
    return {**msgspec.to_builtins(message), "content": words_of_content(message.content)}
