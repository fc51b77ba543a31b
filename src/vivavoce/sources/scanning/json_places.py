"""The lines of values in a JSON text: for problems, and for the turns and checks of a case over several lines."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonValue
from vivavoce.notation.steps import Step, Steps

_TOKEN = r'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],]|\n|[^\s{}\[\]:,"]++'
_SHAPE = r'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]]'
_MEMBERS = r'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],]'
COLON, BACKSLASH = b":\\"
ESCAPED_COLON = b"\\u003"
_encode = msgspec.json.Encoder().encode


class JsonText(Struct, frozen=True):
    """A valid JSON text; `line` is its first line in the file."""

    text: str | bytes
    line: int = 1

    def line_of(self, path: Steps) -> int:
        """The line of a value's key, or of the nearest value around it."""
        nearest, depth = self.line, 0
        for member in self._members():
            if len(member.path) > depth and member.path == path[: len(member.path)]:
                nearest, depth = member.line, len(member.path)
        return nearest

    def lines_of_items(self, path: Steps, count: int) -> list[int]:
        """The first line of each of the first `count` objects of a list, which is a member of the outermost object.

        Called for every case with turns that is written over several lines, so it looks only at brackets and texts.
        """
        if len(path) != 1:
            return []
        key = path[0]
        text = self.text if isinstance(self.text, str) else self.text.decode()
        wanted, depth, is_inside, lines = f'"{key}"', 0, False, list[int]()
        line, counted = self.line, 0
        previous = ""
        for match in re.finditer(_SHAPE, text):
            token = match[0]
            if token in "{[":
                depth += 1
                is_inside = is_inside or (depth == 2 and token == "[" and previous == wanted)
                if is_inside and depth == 3 and token == "{":
                    line += text.count("\n", counted, match.start())
                    counted = match.start()
                    lines.append(line)
                    if len(lines) == count:
                        return lines
            elif token in "}]":
                depth -= 1
                if is_inside and depth == 1:
                    return lines
            previous = token if depth == 1 else ""
        return lines

    def lines_of(self, paths: Iterable[Steps]) -> list[int]:
        """The line of each of these values, or of the nearest value around it."""
        return _lines_of(self.text, self.line, tuple(paths))

    def repeated_key(self) -> tuple[str, int] | None:
        """The first key that is repeated in its object, and its line."""
        return next(((str(member.path[-1]), member.line) for member in self._members() if member.repeated), None)

    def _members(self) -> Iterator["_Member"]:
        import json

        text = self.text if isinstance(self.text, str) else self.text.decode()
        line, is_key = self.line, False
        path: list[Step] = []
        """The current step inside each open object and list."""
        keys: list[set[str] | None] = []
        """The keys of each open object so far; None for a list."""
        for match in re.finditer(_TOKEN, text):
            token = match[0]
            if token == "\n":
                line += 1
            elif token in ("}", "]"):
                path.pop()
                keys.pop()
            elif token == ",":
                is_key = keys[-1] is not None
                if not is_key:
                    path[-1] = int(path[-1]) + 1
            elif is_key and (had := keys[-1]) is not None:
                path[-1] = name = str(json.loads(token, strict=False))
                yield _Member(tuple(path), line, name in had)
                had.add(name)
                is_key = False
            else:
                if keys and keys[-1] is None:
                    yield _Member(tuple(path), line)
                if token in ("{", "["):
                    is_key = token == "{"
                    path.append("" if is_key else 0)
                    keys.append(set() if is_key else None)


@lru_cache(maxsize=1)
def _lines_of(text: str | bytes, first: int, paths: tuple[Steps, ...]) -> list[int]:
    """The line of each value. Kept for the next question: a case with a table asks the same for each row.

    Called for every case that is written over several lines, so it looks only at brackets, commas and texts, and
    skips what has none of these values in it.
    """
    found: dict[Steps, int] = {(): first}
    wanted = {path[:end] for path in paths for end in range(1, len(path) + 1)}
    text = text if isinstance(text, str) else text.decode()
    path: list[Step] = []
    is_list: list[bool] = []
    is_key, skipped, line, counted = False, 0, first, 0
    for match in re.finditer(_MEMBERS, text):
        token = match[0]
        if skipped:
            skipped += (token in "{[") - (token in "}]")
        elif token == ",":
            is_key = not is_list[-1]
            if not is_key:
                path[-1] = int(path[-1]) + 1
        elif token in "}]":
            path.pop()
            is_list.pop()
        else:
            if is_key:
                path[-1] = str(msgspec.json.decode(token.encode()))
            if (is_key or (is_list and is_list[-1])) and (here := tuple(path)) in wanted and here not in found:
                line += text.count("\n", counted, match.start())
                counted = match.start()
                found[here] = line
                if len(found) > len(wanted):
                    break
            is_key = False if token[0] == '"' else token == "{"
            if token in "{[":
                if path and tuple(path) not in wanted:
                    skipped, is_key = 1, False
                else:
                    path.append("" if is_key else 0)
                    is_list.append(not is_key)
    return [next(found[path[:end]] for end in range(len(path), -1, -1) if path[:end] in found) for path in paths]


class _Member(Struct, frozen=True):
    """A key of an object or an item of a list."""

    path: Steps
    line: int
    repeated: bool = False


def may_repeat_a_key(text: bytes, value: JsonValue) -> bool:
    """Whether decoding may have dropped a repeated key: the text then has more colons than the value.

    A cheap test, which may be true without a repeated key.
    """
    # An escaped colon would spoil the count. Searching a byte given as a number is twice as fast as given as bytes.
    return text.count(COLON) != _encode(value).count(COLON) or (BACKSLASH in text and ESCAPED_COLON in text)
