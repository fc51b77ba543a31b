"""The output's text is nearly another one."""

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from operator import mul
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct, structs

from vivavoce.assertions.off_loop import LARGE, sized
from vivavoce.assertions.request_digest import digest_of, with_digest
from vivavoce.errors import VivaError
from vivavoce.model.json_value import is_array, text_of
from vivavoce.model.message import Message
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.durations import format_duration
from vivavoce.notation.patterns import compile_regex
from vivavoce.protocols import Evidence, Helpers, ModelRequest, Sight
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import kept, quote

Method: TypeAlias = Literal["ratio", "levenshtein", "rouge", "embedding"]

_USUAL_THRESHOLD = 0.8
_MOST_PAIRS = 10**11
"""Pairs of letters, one of each text: comparing more of them takes minutes in C code that nothing can interrupt."""


class Similar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The output's text is nearly this one: 1 is the same, 0 has nothing in common."""

    value: str
    threshold: Annotated[float, Meta(gt=0, le=1)] = _USUAL_THRESHOLD
    method: Method = "ratio"
    """`ratio` and `levenshtein` compare letters, `rouge` the words both have (ROUGE-1 F), `embedding` vectors."""
    max_edits: Annotated[int, Meta(ge=0)] | None = None
    """For `levenshtein`, in place of `threshold`: at most so many letters may be added, removed or replaced."""
    connector: Annotated[str, Meta(min_length=1)] | None = None
    """For `embedding`: the connector of the type `embeddings` that makes the vectors."""
    judges: ClassVar[Sight] = "words"
    doubted_by: ClassVar[Sight] = "nothing"
    judges_output: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if (self.method == "embedding") != (self.connector is not None):
            raise ValueError("`method: embedding` and `connector` belong together: name a connector of type embeddings")
        if self.max_edits is not None and self.method != "levenshtein":
            raise ValueError("`max_edits` counts letters: write `method: levenshtein` beside it")
        if self.max_edits is not None and self.threshold != _USUAL_THRESHOLD:
            raise ValueError("write either `threshold` or `max_edits`")

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        text = text_of(evidence.output)
        if self.max_edits is not None:
            return await self._edited(self.max_edits, text)
        if self.connector is not None:
            found = await self._embedded(self.connector, text, helpers)
            if isinstance(found, Verdict):
                return found
            score = found
        elif self.method != "rouge" and (too_long := _too_long(self.value, text)) is not None:
            return too_long
        else:
            score = await sized(len(text) + len(self.value), _METHODS[self.method], self.value, text, self.threshold)
        reached = score >= self.threshold
        named = "" if self.method == "ratio" else f" ({self.method})"
        reason = f"output is {score:.2f} like {quote(self.value)}, wanted at least {self.threshold:g}{named}"
        verdict = passed(reason) if reached else failed(reason, expected=self.value, actual=kept(evidence.output))
        digest = await self.request_digest(evidence, helpers)
        return structs.replace(verdict if digest is None else with_digest(verdict, digest), score=score)

    async def _edited(self, most: int, text: str) -> Verdict:
        if abs(len(text) - len(self.value)) <= most and (too_long := _too_long(self.value, text)) is not None:
            return too_long
        edits = await sized(len(text) + len(self.value), _edits, self.value, text, most)
        told = f"more than {most} edits" if edits > most else counted(edits, "edit")
        reason = f"output is {told} from {quote(self.value)}, wanted at most {most}"
        return passed(reason) if edits <= most else failed(reason, expected=self.value, actual=kept(text))

    async def request_digest(self, evidence: Evidence, helpers: Helpers) -> str | None:
        """A hash of what the connector is asked; None for methods that ask nobody."""
        if self.connector is None or helpers.fingerprint is None:
            return None
        asked = [self.value, text_of(evidence.output), self.threshold, helpers.fingerprint(self.connector)]
        return digest_of(asked)

    async def _embedded(self, name: str, text: str, helpers: Helpers) -> float | Verdict:
        """How near the vectors of both texts are; broken when they cannot be had."""
        if helpers.connector is None:
            return broken("there are no connectors here")
        asked = [Message(role="user", content=self.value), Message(role="user", content=text)]
        try:
            async with asyncio.timeout(helpers.judge_timeout_s):
                reply = await helpers.connector(name).complete(ModelRequest(messages=asked))
        except TimeoutError:
            return broken(
                f"connector {name} took longer than {format_duration(helpers.judge_timeout_s)}", fault="judge"
            )
        except VivaError as error:
            return broken(f"no embeddings: {error}", fault="judge")
        if not is_array(reply.data) or len(reply.data) != 2 or len(reply.data[0]) != len(reply.data[1]):
            return broken(f"connector {name} gave no vectors of one length", fault="judge")
        if not all(0 < math.hypot(*vector) < math.inf for vector in reply.data):
            return broken(f"connector {name} gave a vector without a direction", fault="judge")
        return _cosine(*reply.data)


def _cosine(first: list[float], second: list[float]) -> float:
    """From 0 to 1; vectors that point apart have nothing in common."""
    lengths = math.hypot(*first), math.hypot(*second)
    units = [[number / length for number in vector] for vector, length in zip((first, second), lengths, strict=True)]
    return min(1.0, max(0.0, math.fsum(map(mul, *units))))


def ratio(wanted: str, text: str, threshold: float) -> float:
    """How much alike two texts are, from 0 to 1; of long texts only whether it reaches the threshold is exact."""
    total = len(wanted) + len(text)
    best_possible = 2 * min(len(wanted), len(text)) / total if total else 1.0
    # Comparing takes time with both lengths. When the lengths alone rule it out, nothing is compared.
    if total > LARGE and best_possible < threshold:
        return best_possible
    fuzz: Any = import_module("rapidfuzz.fuzz")
    percent: float = fuzz.ratio(wanted, text, score_cutoff=threshold * 100 if total > LARGE else None)
    return percent / 100


def _levenshtein(wanted: str, text: str, threshold: float) -> float:
    longest = max(len(wanted), len(text))
    best_possible = min(len(wanted), len(text)) / longest if longest else 1.0
    if longest > LARGE and best_possible < threshold:
        return best_possible
    distance: Any = import_module("rapidfuzz.distance.Levenshtein")
    likeness: float = distance.normalized_similarity(wanted, text, score_cutoff=threshold if longest > LARGE else None)
    return likeness


def _edits(wanted: str, text: str, most: int) -> int:
    """How many letters differ; of texts with more edits than the most only that it is more."""
    distance: Any = import_module("rapidfuzz.distance.Levenshtein")
    edits: int = distance.distance(wanted, text, score_cutoff=most)
    return edits


def _too_long(wanted: str, text: str) -> Verdict | None:
    if text == wanted or len(text) * len(wanted) <= _MOST_PAIRS:
        return None
    sizes = f"{len(wanted):,} and {len(text):,} characters"
    return broken(f"texts of {sizes} are too long to be compared letter by letter: use `method: rouge`")


def _rouge(wanted: str, text: str, threshold: float) -> float:
    """The share of words that both have, each counted as often as both have it."""
    first, second = _words(wanted), _words(text)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def _words(text: str) -> Counter[str]:
    return Counter(compile_regex(r"[\p{L}\p{N}]+").findall(text.lower()))


_METHODS: dict[str, Callable[[str, str, float], float]] = {
    "ratio": ratio,
    "levenshtein": _levenshtein,
    "rouge": _rouge,
}
