"""Writes JSON values as readable YAML: the same bytes on every machine, and yaml_reader reads the same values back."""

import re
from functools import cache
from typing import Any

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal
from vivavoce.notation.yaml_reader import PLAIN_WORDS, read_yaml_documents

_STRING = "tag:yaml.org,2002:str"
_BREAKS = re.compile("[\n\r\x85\u2028\u2029]")
_ODD_BREAKS = re.compile("[\r\x85\u2028\u2029]")
"""Line breaks that YAML reads as `\\n`, or that editors do not show: they are escaped."""
_ONE_LINE = 1_000_000_000
"""Long lines are not wrapped: with wrapping, changing one word could change many lines."""


def yaml_text(value: JsonObject) -> str:
    """Returns the object as YAML in block style, with its order of keys; texts of several lines are not escaped."""
    plain = _plain(value)
    text = _dumped(plain, literal=True)
    # PyYAML writes some texts with odd blanks in a form that is read back differently: then quote them.
    return text if _reads_back(text, plain) else _dumped(plain, literal=False)


def with_sorted_keys(value: JsonValue) -> JsonValue:
    """Returns the value with sorted keys in every object."""
    if is_object(value):
        return {key: with_sorted_keys(value[key]) for key in sorted(value, key=str)}
    return [with_sorted_keys(inner) for inner in value] if is_array(value) else value


def _plain(value: JsonValue) -> JsonValue:
    """Returns the value with text keys, lists instead of tuples, and half surrogate pairs escaped."""
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

    # The dumper in Python: the one in C writes a different layout and is not installed everywhere.
    class BlockDumper(parent):
        def ignore_aliases(self, data: JsonValue) -> bool:
            return True

    def text(dumper: Any, said: str) -> Any:
        style = None
        if _BREAKS.search(said):
            style = "|" if literal and not _ODD_BREAKS.search(said) else '"'
        return dumper.represent_scalar(_STRING, said, style=style)

    BlockDumper.add_representer(str, text)
    # PyYAML quotes texts that are numbers in YAML 1.1; also quote those that are numbers in YAML 1.2.
    for tag, pattern, first in PLAIN_WORDS:
        BlockDumper.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))
    return BlockDumper
