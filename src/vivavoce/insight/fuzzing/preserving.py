"""Operators that keep the meaning of a line, as people write every day."""

import re
from collections.abc import Callable, Iterator
from random import Random

from vivavoce.insight.fuzzing.operator import Operator
from vivavoce.insight.shrinking.pieces import split_sentences

_WORD = re.compile(r"[^\W\d_]{4,}")
_NEIGHBOURS = dict(
    zip("qwertyuiopasdfghjklzxcvbnm", "wqwrtyuiopsadfghjkxzxcvbn", strict=False),
)
_LOOK_ALIKES = str.maketrans("aceiopxyACEHKMOPTX", "асеіорхуАСЕНКМОРТХ")
_EMOJI = ("🙂", "👍", "🙏", "😅", "🎉", "❤️", "🤔")
_POLITE = (
    ("Hello! ", ""),
    ("Hi there, I hope you are well. ", ""),
    ("", " Thank you very much in advance!"),
    ("Excuse me, ", " Please and thank you."),
    ("Sorry to bother you. ", " Have a nice day!"),
)
_DEPENDENT = re.compile(
    r"^(?:it|its|they|them|this|that|these|those|then|there|so|and|but|also|or|because|which|he|she|however|instead|"
    r"after|before|now|yes|no|first|second|finally)\b",
    re.IGNORECASE,
)


def typos(text: str, rng: Random) -> str:
    """Letters swapped, doubled, missing or from the next key, in words of four letters and more."""
    return _in_words(text, rng, _typo)


def letter_case(text: str, rng: Random) -> str:
    """All capitals, all small, or mixed."""
    return rng.choice([str.upper, str.lower, str.swapcase, str.title])(text)


def spaces(text: str, rng: Random) -> str:
    """Blanks doubled, tabs, no-break spaces, blanks around the line."""
    gaps = ("  ", "\t", "\u00a0", "   ")
    changed = re.sub(" ", lambda _: rng.choice(gaps) if rng.random() < 0.5 else " ", text)
    return changed if changed != text else f"  {text} "


def punctuation(text: str, rng: Random) -> str:
    """The last mark missing, repeated or another one; curly quotes."""
    bare = text.rstrip(".!?")
    end = rng.choice(["", "!!!", "...", "??", " .", "…"])
    return f"{bare}{end}".replace("'", "’").replace('"', "”")


def polite(text: str, rng: Random) -> str:
    """A greeting before it or thanks behind it."""
    before, behind = rng.choice(_POLITE)
    return f"{before}{text}{behind}"


def line_breaks(text: str, rng: Random) -> str:
    """Blanks become line breaks; one stands at the end."""
    changed = re.sub(" ", lambda _: rng.choice(["\n", "\r\n", "\n\n"]) if rng.random() < 0.3 else " ", text)
    return f"{changed}\n"


def emoji(text: str, rng: Random) -> str:
    """Emoji between the words and at the end."""
    changed = re.sub(" ", lambda _: f" {rng.choice(_EMOJI)} " if rng.random() < 0.25 else " ", text)
    return f"{changed} {rng.choice(_EMOJI)}"


def look_alikes(text: str, rng: Random) -> str:
    """Some Latin letters replaced by Cyrillic ones that look the same."""
    return _in_words(text, rng, lambda word, _: word.translate(_LOOK_ALIKES))


def order(text: str, rng: Random) -> str:
    """Independent sentences in another order."""
    sentences = [sentence.strip() for sentence in split_sentences(text) if sentence.strip()]
    if len(sentences) < 2 or any(_DEPENDENT.match(sentence) for sentence in sentences):
        return text
    return " ".join(rng.sample(sentences, len(sentences)))


def repeated(text: str, rng: Random) -> str:
    """The whole line twice, as when somebody presses the key again."""
    return f"{text}{rng.choice([' ', chr(10)])}{text}"


def _in_words(text: str, rng: Random, change: Callable[[str, Random], str]) -> str:
    """The text with one word in three changed, at least one if there is any."""
    found = [match.span() for match in _WORD.finditer(text)]
    chosen = sorted(rng.sample(found, max(1, len(found) // 3))) if found else []
    return "".join(_joined(text, chosen, lambda word: change(word, rng)))


def _joined(text: str, spans: list[tuple[int, int]], change: Callable[[str], str]) -> Iterator[str]:
    place = 0
    for start, end in spans:
        yield text[place:start]
        yield change(text[start:end])
        place = end
    yield text[place:]


def _typo(word: str, rng: Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    before, letter, following, rest = word[:at], word[at], word[at + 1], word[at + 2 :]
    return rng.choice(
        [
            f"{before}{following}{letter}{rest}",
            f"{before}{letter}{letter}{following}{rest}",
            f"{before}{following}{rest}",
            f"{before}{_NEIGHBOURS.get(letter.lower(), letter)}{following}{rest}",
        ]
    )


PRESERVING = (
    Operator("typos", "meaning", typos, in_edits=True),
    Operator("case", "meaning", letter_case, in_edits=True),
    Operator("spaces", "meaning", spaces, in_edits=True),
    Operator("punctuation", "meaning", punctuation, in_edits=True),
    Operator("polite", "meaning", polite),
    Operator("line-breaks", "meaning", line_breaks, in_edits=True),
    Operator("emoji", "meaning", emoji, in_edits=True),
    Operator("look-alikes", "meaning", look_alikes, in_edits=True),
    Operator("order", "meaning", order),
    Operator("repeated", "meaning", repeated),
)
