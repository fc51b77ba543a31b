"""Tells whether a YAML file is a test, almost one, or something else: no test may be left out silently."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from enum import Enum

from vivavoce.errors import UsageError
from vivavoce.model.json_value import is_array, is_object
from vivavoce.notation.yaml_reader import read_yaml_documents

_TOP_LEVEL_TURNS = r"(?m)^[\"']?turns[\"']?[ \t]*:"
_MENTIONS_TURNS = r"(?:^|[{,\s])[\"']?turns[\"']?[ \t]*:"
_OF_A_TURN = frozenset(("user", "input", "assert", "assertions"))
_MOST_MISTAKES = 2
"""Letters that may be wrong in a misspelt `turns`."""


class YamlKind(Enum):
    """The kinds of YAML files; the value is the message about a file that is almost a test."""

    TEST = "a test"
    FOREIGN = "no test"
    LABELS = "labels, which viva wrote"
    FLOW_STYLE = "this looks like a test, but its 'turns' do not stand at the beginning of a line"
    LIST = "this looks like a list of tests; several tests in one file stand between --- lines"
    MISSPELT = "this looks like a test, but its 'turns' are misspelt"


def kind_of_yaml(data: bytes) -> YamlKind:
    """Parses the file only when a quick look does not show a test."""
    text = _text(data)
    if re.search(_TOP_LEVEL_TURNS, text):
        return YamlKind.TEST
    try:
        values = [document.value for document in read_yaml_documents(text, "")]
    except UsageError:
        # A broken test is reported when it is read. YAML of other programs may use tags that viva cannot read.
        return YamlKind.TEST if re.search(_MENTIONS_TURNS, text) else YamlKind.FOREIGN
    for value in values:
        if is_array(value) and any(is_object(entry) and _holds_turns(entry.get("turns")) for entry in value):
            return YamlKind.LIST
        if not is_object(value) or not value:
            continue
        if next(iter(value)) == "type" and value["type"] == "labels":
            return YamlKind.LABELS
        if "turns" in value:
            return YamlKind.FLOW_STYLE
        if any(_is_nearly_turns(str(key)) and _holds_turns(inner) for key, inner in value.items()):
            return YamlKind.MISSPELT
    return YamlKind.FOREIGN


def _text(data: bytes) -> str:
    """The text in any encoding and with any line ends: a test that viva cannot read must still be found."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
    else:
        text = data.replace(b"\0", b"").removeprefix(BOM_UTF8).decode(errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_nearly_turns(key: str) -> bool:
    from rapidfuzz.distance import OSA

    return OSA.distance(key.lower().strip(), "turns") <= _MOST_MISTAKES


def _holds_turns(value: object) -> bool:
    """Whether it is a list like `turns`: other files may have `runs`, `turn` or `returns`."""
    return is_array(value) and any(is_object(entry) and not _OF_A_TURN.isdisjoint(entry) for entry in value)
