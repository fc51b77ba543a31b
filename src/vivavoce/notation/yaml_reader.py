"""YAML 1.2 core schema with line numbers: `yes`, `on`, `12:30` and dates are strings, `010` is ten."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonValue

_TAG = "tag:yaml.org,2002:"
_TAGS = frozenset(_TAG + name for name in ("str", "int", "float", "bool", "null", "map", "seq"))
PLAIN_WORDS: list[tuple[str, str, str | list[str]]] = [
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+0123456789.",
    ),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", r"<<", "<"),
]
"""Plain scalars that are not strings: (tag, pattern, possible first characters)."""
DEEPEST = 500
"""Levels of nesting; the C parser crashes the process when there are tens of thousands."""

MOST_VALUES = 1_000_000
MOST_REPEATED = 100_000
"""Values that are in a document only because aliases repeat them."""
MOST_STEPS = 10_000_000
"""The sum of the depths of all values: the path of each value is kept for error messages."""


class YamlDocument(Struct, frozen=True):
    """One document of a file; `line_of(("turns", 1, "user"))` returns the line of a value."""

    value: JsonValue
    line: int
    lines: dict[tuple[str | int, ...], int]

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """Returns the line of a value, or of the nearest value that contains it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, self.line)

    def lines_of_items(self, path: tuple[str | int, ...], count: int) -> list[int]:
        """Returns the lines of the first `count` items of a list."""
        return [self.line_of((*path, at)) for at in range(count)]

    def lines_of(self, paths: Iterable[tuple[str | int, ...]]) -> list[int]:
        """Returns the line of each of these values."""
        return [self.line_of(path) for path in paths]


def read_yaml_documents(text: str, path: str, *, finite: bool = True) -> Iterator[YamlDocument]:
    """Yields each document of a YAML text. Errors name file and line. `finite` refuses `.inf` and `.nan`."""
    import yaml

    try:
        loader = _loader_class(finite=finite)(text)
    except yaml.reader.ReaderError as error:
        raise UsageError(f"not readable as YAML: {error.reason}", at=path) from None
    except UnicodeEncodeError:
        raise UsageError("not readable as YAML: half of a surrogate pair", at=path) from None
    try:
        _refuse_depth(text, path)
        while loader.check_node():
            node = loader.get_node()
            lines: dict[tuple[str | int, ...], int] = {}
            _refuse_bomb(node, path)
            _Walk(path, lines).visit(node, ())
            yield YamlDocument(loader.construct_document(node), node.start_mark.line + 1, lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        what = f"bad YAML: {error.problem or error.context}"
        raise UsageError(what, at=Origin(path, line), hint=_hint(text, line, str(error.problem))) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise UsageError(f"bad YAML: {error.reason}", at=Origin(path, line)) from None
    except RecursionError:
        raise UsageError("nested too deeply, or an anchor that contains itself", at=path) from None
    except (yaml.YAMLError, ValueError, LookupError) as error:
        # PyYAML raises KeyError for `!!bool maybe`.
        raise UsageError(f"bad YAML: {error}", at=path) from None
    finally:
        loader.dispose()


def _hint(text: str, line: int, problem: str) -> str | None:
    """Returns a hint for what is mostly wrong: a line indented with tabs or not as far as its siblings, or a colon."""
    lines = text.splitlines()
    start = lines[line - 1] if 0 < line <= len(lines) else ""
    indent = start[: len(start) - len(start.lstrip())]
    if "\t" in indent:
        return "there is a tab: YAML is indented with spaces"
    if problem.startswith("mapping values"):
        return "is it indented too far, does a colon above lack its space, or a text with `: ` its quotes?"
    if "',' or" in problem:
        return "is a bracket above not closed?"
    misplaced = problem.endswith(("expected key", "expected '-' indicator"))
    return "is it indented as far as what belongs together?" if misplaced else None


def _refuse_depth(text: str, path: str) -> None:
    """Raises UsageError for too deep nesting. Reads the parser's events, without recursion, and only if needed."""
    import yaml

    longest_line = max(map(len, text.splitlines()), default=0)
    if text.count("[") + text.count("{") + 2 * longest_line <= DEEPEST:
        return
    depth = 0
    # A syntax error is reported where the values are read.
    with suppress(yaml.YAMLError):
        parser = _loader_class(finite=True)(text)
        while parser.check_event():
            event = parser.get_event()
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > DEEPEST:
                raise UsageError("nested too deeply", at=Origin(path, event.start_mark.line + 1))


class _Unfolded(Struct, frozen=True):
    """The size of a node when each alias is replaced by what it stands for."""

    values: int
    steps: int


def _refuse_bomb(node: JsonValue, path: str) -> None:
    """Raises UsageError for aliases that unfold to too many values. Visits each node once."""
    counted: dict[int, _Unfolded] = {}
    whole = _unfolded(node, counted)
    repeated = whole.values - len(counted)
    for number, limit, what in (
        (repeated, MOST_REPEATED, "values that aliases repeat"),
        (whole.values, MOST_VALUES, "values in one document"),
        (whole.steps, MOST_STEPS, "levels of nesting, summed over all values"),
    ):
        if number > limit:
            raise UsageError(f"too much YAML: more than {limit:,} {what}", at=Origin(path, node.start_mark.line + 1))


def _unfolded(node: JsonValue, counted: dict[int, _Unfolded]) -> _Unfolded:
    known = counted.get(id(node))
    if known is None:
        inner = [_unfolded(child, counted) for child in _inside(node)]
        values = sum(child.values for child in inner)
        known = counted[id(node)] = _Unfolded(1 + values, sum(child.steps for child in inner) + values)
    return known


def _inside(node: Any) -> Sequence[Any]:
    if node.id == "mapping":
        return [value for _, value in node.value]
    return node.value if node.id == "sequence" else ()


class _Walk:
    """Records the line of every value; raises UsageError for duplicate keys and unknown tags."""

    def __init__(self, path: str, lines: dict[tuple[str | int, ...], int]) -> None:
        self._path = path
        self._lines = lines

    def visit(self, node: JsonValue, at: tuple[str | int, ...]) -> None:
        import yaml

        if node.tag not in _TAGS:
            raise UsageError(
                f"the tag {node.tag.replace(_TAG, '!!')} is not understood here",
                at=Origin(self._path, node.start_mark.line + 1),
                hint="only values that JSON knows can be written",
            )
        self._lines[at] = node.start_mark.line + 1
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self.visit(item, (*at, index))
        elif isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for key, value in node.value:
                line = key.start_mark.line + 1
                if not isinstance(key, yaml.ScalarNode):
                    raise UsageError("a key must be a plain word", at=Origin(self._path, line))
                name = str(key.value)
                if name in seen and key.tag != f"{_TAG}merge":
                    raise UsageError(f"duplicate key {name!r}", at=Origin(self._path, line))
                seen.add(name)
                self.visit(value, (*at, name))
                self._lines[(*at, name)] = line


@cache
def _loader_class(*, finite: bool) -> JsonValue:
    import yaml

    parent: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class CoreSchemaLoader(parent):
        """The C loader with the plain scalars of YAML 1.2."""

    CoreSchemaLoader.yaml_implicit_resolvers = {}
    for tag, pattern, first in PLAIN_WORDS:
        CoreSchemaLoader.add_implicit_resolver(f"{_TAG}{tag}", re.compile(f"^(?:{pattern})$"), list(first))

    def whole_number(loader: JsonValue, node: JsonValue) -> int:
        text = str(loader.construct_scalar(node))
        if text.startswith("0o"):
            return int(text[2:], 8)
        return int(text, 16) if text.startswith("0x") else int(text, 10)

    def finite_number(loader: JsonValue, node: JsonValue) -> float:
        number: float = loader.construct_yaml_float(node)
        if finite and not math.isfinite(number):
            # A check with a limit of NaN or infinity could never fail.
            raise yaml.constructor.ConstructorError(None, None, f"{node.value} is no JSON number", node.start_mark)
        return number

    CoreSchemaLoader.add_constructor(f"{_TAG}int", whole_number)
    CoreSchemaLoader.add_constructor(f"{_TAG}float", finite_number)
    return CoreSchemaLoader
