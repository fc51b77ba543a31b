"""What a generator yielded → AgentReply, by the same reading as what a function returns."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_array, is_object
from vivavoce.model.message import AgentReply, Unread
from vivavoce.notation.content_parts import is_content
from vivavoce.notation.hidden_calls import looks_like_calls, unread
from vivavoce.targets.call_reading import unreadable
from vivavoce.targets.envelopes import CALL_LISTS, is_envelope, other_keys
from vivavoce.targets.foreign_replies import from_foreign
from vivavoce.targets.reply_reading import checked, decoded, json_of, read_reply

_MOST_TRIED = 100
"""How many chunks of a broken answer are tried one by one: each try reads all chunks before it again."""


def read_chunks(chunks: Sequence[Any], said: str = "") -> AgentReply:
    """Texts are joined, dicts add to the reply. The last value of a key counts; calls that it hides are unread."""
    chunks = [chunk for chunk in chunks if chunk is not None]
    replies = [chunk for chunk in chunks if isinstance(chunk, AgentReply)]
    if replies:
        return _final(checked(replies[-1]), [chunk for chunk in chunks if chunk is not replies[-1]])
    texts: list[str | bytes] = []
    envelope: dict[str, Any] = {}
    missed: list[Unread] = []
    shows_calls = False
    for number, chunk in enumerate(chunks, start=1):
        if isinstance(chunk, str | bytes):
            texts.append(chunk)
            continue
        if not is_object(chunk):
            raise unreadable(f"chunk {number} of the answer is of type {type(chunk).__name__}, wanted text or a dict")
        plain: dict[str, Any] = json_of(chunk)
        if is_envelope(plain):
            shows_calls = True
        elif len(chunks) > 1:
            missed += other_keys(plain)
        said_now = _chunk(plain, number)
        texts.extend(str(said_now[key]) for key in ("content", "text") if isinstance(said_now.get(key), str))
        missed += _overwritten(envelope, said_now)
        envelope = _plus(envelope, said_now)
    text = _joined(texts)
    if not envelope:
        return read_reply(text, said)
    if texts:
        missed += _overwritten(envelope, {"content": text})
        envelope["content"] = text
    reply = read_reply(envelope, said)
    return structs.replace(reply, unread=(*reply.unread, *missed), shows_calls=reply.shows_calls and shows_calls)


def chunks_so_far(chunks: Sequence[Any]) -> AgentReply:
    """The reply from the chunks of an answer that broke off; chunks that cannot be read are unread."""
    chunks = list(chunks)  # the generator may still be running
    try:
        return read_chunks(chunks) if chunks else AgentReply()
    except CallFailed:
        pass
    readable: list[Any] = []
    missed: list[Unread] = []
    if len(chunks) > _MOST_TRIED:
        missed.append(unread(repr(chunks[_MOST_TRIED:]), "chunks of the answer"))
    for chunk in chunks[:_MOST_TRIED]:
        try:
            read_chunks([*readable, chunk])
            readable.append(chunk)
        except CallFailed:
            missed.append(unread(repr(chunk), "a chunk of the answer"))
    reply = read_chunks(readable) if readable else AgentReply()
    return structs.replace(reply, unread=(*reply.unread, *missed)) if missed else reply


def _final(reply: AgentReply, earlier: Sequence[Any]) -> AgentReply:
    """A ready-made reply is the whole answer; calls that only earlier chunks have are unread."""
    named = {call.name for call in reply.calls}
    missed: list[Unread] = []
    for chunk in earlier:
        before = read_reply(chunk)
        missed += [unread(call.name, "an earlier chunk", "call") for call in before.calls if call.name not in named]
        missed += [piece for piece in before.unread if piece.may("call")]
    return structs.replace(reply, unread=(*reply.unread, *missed)) if missed else reply


def _chunk(chunk: dict[str, Any], number: int) -> dict[str, Any]:
    if is_envelope(chunk):
        content: Any = chunk.get("content")
        if is_array(content) and is_content(content):
            raise unreadable(f"chunk {number} of the answer has content in parts, wanted text: yield the parts' words")
        return chunk
    if "choices" in chunk or from_foreign(chunk, "") is not None or looks_like_calls(chunk):
        raise unreadable(
            f"chunk {number} of the answer is a piece of another library's stream: yield texts and "
            "{content, tool_calls}, or return the whole answer"
        )
    return {"data": chunk}


def _overwritten(envelope: dict[str, Any], said: dict[str, Any]) -> list[Unread]:
    """Returns earlier values that a later chunk replaces and that may hold a call."""
    gone = {key: envelope[key] for key in envelope.keys() & said.keys() if envelope[key] != said[key]}
    for key in CALL_LISTS:
        gone.pop(key, None)
    known = [unread(gone[key], f"$.{key}", "call") for key in sorted(gone) if looks_like_calls({key: gone[key]})]
    return [*known, *other_keys(gone)]


def _plus(envelope: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    merged = {**envelope, **said}
    for key in CALL_LISTS:
        before, now = envelope.get(key), said.get(key)
        if is_array(before) and is_array(now):
            _refuse_pieces(now)
            merged[key] = [*before, *now]
        elif before and now:
            raise unreadable(f"$.{key} comes in several chunks, wanted an array in each")
        elif before:
            merged[key] = before
    return merged


def _refuse_pieces(calls: list[Any]) -> None:
    """Raises CallFailed for a piece of a call: it has an `index`, but no id, and others came before."""
    if any(is_object(call) and "index" in call and not call.get("id") for call in calls):
        raise unreadable("a tool call comes in pieces over several chunks: join them, then yield it whole")


def _joined(texts: list[str | bytes]) -> str:
    # Bytes may be cut inside a character, so they are joined before they are read.
    return decoded(b"".join(text.encode(errors="surrogatepass") if isinstance(text, str) else text for text in texts))
