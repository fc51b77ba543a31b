"""What can be taken out of a conversation: turns, attachments, earlier messages, sentences, words and letters."""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, structs

from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.message import Content, ContentPart, Message

_SENTENCES = re.compile(r".*?(?:[.!?。！？](?=\s)\s+|\n+|\Z)", re.DOTALL)
_WORDS = re.compile(r"(?<!\s)\s*+\S++(?:\s*+\Z)?")
_WORD = re.compile(r"\S+")
Split = Callable[[str], list[str]]


class Pieces(Struct, frozen=True):
    """The pieces of one part of a case, and how to build the case with only some of them."""

    count: int
    keep: Callable[[Sequence[int]], Case | None]
    """Returns the case with only these pieces; None when nothing would be left to send."""
    place: tuple[int, ...] = (0, 0)
    """Which turn, which text of it, and for letters which word of that."""


def turns_of(case: Case) -> Iterator[Pieces]:
    def keep(kept: Sequence[int]) -> Case | None:
        return structs.replace(case, turns=tuple(case.turns[at] for at in kept)) if kept else None

    yield Pieces(len(case.turns), keep)


def sentences_of(case: Case) -> Iterator[Pieces]:
    return _lines(case, split_sentences)


def words_of(case: Case) -> Iterator[Pieces]:
    return _lines(case, split_words)


def letters_of(case: Case) -> Iterator[Pieces]:
    """The letters of every word, word by word."""
    for at, turn in enumerate(case.turns):
        for part, text in _texts(turn.content):
            for number, word in enumerate(_WORD.finditer(text)):
                before, letters, after = text[: word.start()], word[0], text[word.end() :]

                def keep(
                    kept: Sequence[int],
                    place: tuple[int, int] = (at, part),
                    parts: tuple[str, str, str] = (before, letters, after),
                ) -> Case | None:
                    before, letters, after = parts
                    said = "".join(letters[one] for one in kept)
                    return _with_line(case, *place, f"{before}{said}{after}")

                yield Pieces(len(letters), keep, (at, part, number))


def attachments_of(case: Case) -> Iterator[Pieces]:
    """The attachments of each turn, and the parts of its message that are not text."""
    for at, turn in enumerate(case.turns):
        inside = [] if isinstance(turn.content, str) else [p for p in turn.content if p.get("type") != "text"]
        if not inside and not turn.attachments:
            continue

        def keep(kept: Sequence[int], at: int = at, turn: ScriptedTurn = turn) -> Case | None:
            return _with_turn(case, at, _with_attachments(turn, frozenset(kept)))

        yield Pieces(len(inside) + len(turn.attachments), keep, (at, 0))


def history_of(case: Case) -> Iterator[Pieces]:
    """The messages before the first line; a message that calls tools stays together with their results."""
    groups: list[list[Message]] = []
    for message in case.history:
        if message.role == "tool" and groups:
            groups[-1].append(message)
        else:
            groups.append([message])

    def keep(kept: Sequence[int]) -> Case | None:
        return structs.replace(case, history=tuple(message for at in kept for message in groups[at]))

    yield Pieces(len(groups), keep)


def split_sentences(text: str) -> list[str]:
    """The sentences and lines of a text, each with the blanks after it: joined they give the text."""
    return [piece for piece in _SENTENCES.findall(text) if piece]


def split_words(text: str) -> list[str]:
    """The words of a text, each with the blanks before it."""
    return _WORDS.findall(text)


def _lines(case: Case, split: Split) -> Iterator[Pieces]:
    for at, turn in enumerate(case.turns):
        for part, text in _texts(turn.content):
            pieces = split(text)
            if len(pieces) < 2:
                continue

            def keep(kept: Sequence[int], at: int = at, part: int = part, pieces: list[str] = pieces) -> Case | None:
                return _with_line(case, at, part, "".join(pieces[number] for number in kept).strip(" \n"))

            yield Pieces(len(pieces), keep, (at, part))


def _with_line(case: Case, at: int, part: int, said: str) -> Case | None:
    turn = case.turns[at]
    return _with_turn(case, at, structs.replace(turn, content=_with_text(turn.content, part, said)))


def _texts(content: Content) -> Iterator[tuple[int, str]]:
    """The texts of a message with their place in it."""
    if isinstance(content, str):
        yield 0, content
        return
    for at, part in enumerate(content):
        if part.get("type") == "text" and isinstance(text := part.get("text"), str):
            yield at, text


def _with_text(content: Content, at: int, text: str) -> Content:
    if isinstance(content, str):
        return text
    changed = [{**part, "text": text} if number == at else part for number, part in enumerate(content)]
    return [part for number, part in enumerate(changed) if number != at or text]


def _with_attachments(turn: ScriptedTurn, kept: frozenset[int]) -> ScriptedTurn:
    content, seen = turn.content, 0
    if not isinstance(content, str):
        parts: list[ContentPart] = []
        for part in content:
            if part.get("type") == "text":
                parts.append(part)
                continue
            if seen in kept:
                parts.append(part)
            seen += 1
        content = parts
    attachments = tuple(part for number, part in enumerate(turn.attachments, start=seen) if number in kept)
    return structs.replace(turn, content=content, attachments=attachments)


def _with_turn(case: Case, at: int, turn: ScriptedTurn) -> Case | None:
    """Returns None for a turn with no text, attachment or answer left."""
    if not turn.content and not turn.attachments and not turn.resume:
        return None
    return structs.replace(case, turns=(*case.turns[:at], turn, *case.turns[at + 1 :]))
