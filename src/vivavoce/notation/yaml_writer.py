"""JSON values as readable YAML, the same bytes on every machine, which yaml_reader reads back unchanged."""

import re
from functools import cache
from typing import Any

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal
from vivavoce.notation.yaml_reader import PLAIN_WORDS, read_yaml_documents

_STRING = "tag:yaml.org,2002:str"
_BREAKS = re.compile("[\n\r\x85\u2028\u2029]")
_ODD_BREAKS = re.compile("[\r\x85\u2028\u2029]")
"""Line breaks that YAML reads as plain ones, or that editors do not show: they are escaped."""
_ONE_LINE = 1_000_000_000
"""Lines are never folded: a folded text changes all its lines when one word changes."""


def yaml_text(value: JsonObject) -> str:
    """Returns the object as YAML in block style, keys in the order they have, texts of several lines as they read."""
    plain = _plain(value)
    text = _dumped(plain, literal=True)
    # PyYAML writes some texts with odd blanks so that they are read back differently: those are quoted.
    return text if _reads_back(text, plain) else _dumped(plain, literal=False)


def with_sorted_keys(value: JsonValue) -> JsonValue:
    """Returns the value with the keys of every object inside it in order."""
    if is_object(value):
        return {key: with_sorted_keys(value[key]) for key in sorted(value, key=str)}
    return [with_sorted_keys(inner) for inner in value] if is_array(value) else value


def _plain(value: JsonValue) -> JsonValue:
    """Text keys, lists, and no half surrogate pairs: what can be written as UTF-8."""
    if is_object(value):
        return {_plain(str(key)): _plain(inner) for key, inner in value.items()}
    if is_array(value):
        return [_plain(inner) for inner in value]
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _dumped(value: JsonObject, *, literal: bool) -> str:
    import yaml

    return yaml.dump(
        value,
        Dumper=_dumper_class(literal),
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=_ONE_LINE,
    )


def _reads_back(text: str, value: JsonObject) -> bool:
    return json_equal([document.value for document in read_yaml_documents(text, "")], [value])


@cache
def _dumper_class(literal: bool) -> Any:
    import yaml

    parent: Any = yaml.SafeDumper

    # The one written in Python: the one in C lays some things out differently, and is not installed everywhere.
    class BlockDumper(parent):
        def ignore_aliases(self, data: JsonValue) -> bool:
            return True

    def text(dumper: Any, said: str) -> Any:
        style = None
        if _BREAKS.search(said):
            style = "|" if literal and not _ODD_BREAKS.search(said) else '"'
        return dumper.represent_scalar(_STRING, said, style=style)

    BlockDumper.add_representer(str, text)
    # PyYAML quotes what YAML 1.1 would take for a number; what 1.2 takes for one is quoted, too.
    for tag, pattern, first in PLAIN_WORDS:
        BlockDumper.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))
    return BlockDumper
