"""No pattern of viva takes time that grows with the square of a text: the longest text would stop the whole run.

`re` holds up every thread while it searches. Each pattern in the source is tried on texts made for it: what comes
before one of its repetitions, then very many of what may be repeated, then what cannot follow.
"""

import ast
import importlib
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as sre  # pyright: ignore
from re import _parser as parser  # pyright: ignore
from typing import Any

import pytest

import vivavoce

pytestmark = pytest.mark.fuzz

SOURCE = Path(vivavoce.__file__).parent
METHODS = ("search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split")
CHARACTERS = " a0\n\t_-.\"'\\:/{}[]()<>,;=`*|é%$@#&"
LENGTH = 60_000
LIMIT_S = 1.0
MOST_ATTACKS = 40
OF_THE_PROJECT_ALONE = {
    "cli/watching/saved_files.py": "names of files that were saved",
    "notation/durations.py": "durations of the configuration",
    "notation/expressions.py": "-k and -m of the command line",
    "notation/pattern_samples.py": "patterns of cases, of which samples are made",
    "targets/python_callable.py": "references of the configuration",
}
"""Patterns that only meet what the user wrote himself, in short texts."""

GUARDED = {
    r"(?s)<think(?:ing)?>.*?</think(?:ing)?>": "only looked for before the last end of thinking",
}
"""Patterns that never meet the texts which make them slow."""


class TooSlow(BaseException):
    """`except Exception` does not stop it."""


PLACES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if "re." in path.read_text())


@pytest.mark.parametrize("place", PLACES)
def test_no_text_makes_a_pattern_slow(place: str):
    slow: list[str] = []
    for pattern, method in () if place in OF_THE_PROJECT_ALONE else _used(place):
        for text in _attacks(pattern):
            if pattern.pattern not in GUARDED and _is_slow(pattern, method, text):
                slow.append(f"{method} {pattern.pattern!r}: {text[:30]!r}… {text[-10:]!r}")
                break
    assert not slow


# ── the patterns of a file, with the method that they are used by ──


def _used(place: str) -> Iterator[tuple[re.Pattern[Any], str]]:
    tree = ast.parse((SOURCE / place).read_text())
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS):
            continue
        whose, method = node.func.value, node.func.attr
        if not isinstance(whose, ast.Name):
            continue
        if whose.id == "re" and node.args:
            given = _value(place, node.args[0])
            flags = [_value(place, each) for each in (*node.args[1:], *(word.value for word in node.keywords))]
            bits = sum(int(flag) for flag in flags if isinstance(flag, re.RegexFlag))
            if isinstance(given, str | bytes):
                yield re.compile(given, bits), method
        elif isinstance(compiled := _value(place, whose), re.Pattern):
            yield compiled, method


def _value(place: str, node: ast.expr) -> Any:
    """What a constant expression of a module is; None for what only a function knows."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    module = _module(place)
    if module is None or not all(hasattr(module, name) or name == "re" for name in names):
        return None
    try:
        return eval(compile(ast.Expression(node), place, "eval"), {**vars(module), "re": re})
    except Exception:  # noqa: BLE001 - whatever it is, it is no constant
        return None


@cache
def _module(place: str) -> Any:
    name = "vivavoce." + place.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    if name.endswith("__main__"):
        return None
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


# ── texts that are made for a pattern ──


def _attacks(pattern: re.Pattern[Any]) -> list[Any]:
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(written, pattern.flags & ~int(re.UNICODE))
    found = dict.fromkeys(_pumps(list(tree), ""))
    texts = [
        before + piece * (LENGTH // len(piece)) + after
        for before, piece in list(found)[:MOST_ATTACKS]
        for after in ("", "\0!")
    ]
    return texts if isinstance(pattern.pattern, str) else [text.encode("latin-1", "replace") for text in texts]


def _pumps(items: list[Any], before: str) -> Iterator[tuple[str, str]]:
    for at, (op, given) in enumerate(items):
        so_far = before + _sample(items[:at])
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            inner = list(given[2])
            if given[1] > 20:
                pieces = [_sample(inner)]
                if len(inner) == 1:
                    pieces += [each for each in CHARACTERS if _fits(*inner[0], each)][:4]
                for piece in filter(None, pieces):
                    yield so_far, piece
                    yield "", so_far + piece
            yield from _pumps(inner, so_far)
        elif op is sre.SUBPATTERN:
            yield from _pumps(list(given[3]), so_far)
        elif op is sre.BRANCH:
            for branch in given[1]:
                yield from _pumps(list(branch), so_far)


def _sample(items: Any) -> str:
    text = ""
    for op, given in items:
        if op is sre.LITERAL:
            text += chr(given)
        elif op in (sre.IN, sre.ANY, sre.NOT_LITERAL):
            text += next((each for each in "a0 " + CHARACTERS if _fits(op, given, each)), "a")
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            text += _sample(given[2]) * min(given[0], 50)
        elif op is sre.SUBPATTERN:
            text += _sample(given[3])
        elif op is sre.ATOMIC_GROUP:
            text += _sample(given)
        elif op is sre.BRANCH:
            text += _sample(given[1][0])
    return text


def _fits(op: Any, given: Any, character: str) -> bool:
    code = ord(character)
    if op is sre.ANY:
        return character != "\n"
    if op is sre.LITERAL or op is sre.NOT_LITERAL:
        return (code == given) == (op is sre.LITERAL)
    if op is not sre.IN:
        return False
    inside = outside = False
    for kind, what in given:
        if kind is sre.NEGATE:
            outside = True
        elif kind is sre.LITERAL:
            inside |= code == what
        elif kind is sre.RANGE:
            inside |= what[0] <= code <= what[1]
        elif kind is sre.CATEGORY:
            name = str(what)
            known = {"DIGIT": character.isdigit(), "SPACE": character.isspace()}
            has = known.get(name.rsplit("_", 1)[1], character.isalnum() or character == "_")
            inside |= has != ("NOT" in name)
    return inside != outside


def _is_slow(pattern: re.Pattern[Any], method: str, text: Any) -> bool:
    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        if method in ("match", "fullmatch"):
            getattr(pattern, method)(text)
        else:
            list(pattern.finditer(text))
    except TooSlow:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return False


@pytest.mark.parametrize("written", [r"\{\s*[\w ]+\s*:", r"`[ \t]*(\w*)[ \t]*\n", r"(a+)+b", r"x*\d+\d+y"])
def test_slow_patterns_are_found(written: str):
    pattern = re.compile(written)
    assert any(_is_slow(pattern, "search", text) for text in _attacks(pattern))
