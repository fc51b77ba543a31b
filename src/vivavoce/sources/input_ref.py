"""The meaning of a value of `-i`: files, a message, or a generator of cases."""

import glob
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.notation.references import looks_like_path, parse_params, parse_ref
from vivavoce.sources.reading.selected import split_pick

InputType = Literal["file", "message", "agent", "script", "script_tests", "stdin"]

_PATH_CHARACTERS = r"(?:[A-Za-z0-9_.\-/~*?\[\]{},]|::)+"
_SEVERAL_PATHS = r"(?i)[A-Za-z0-9_.\-/~*?\[\]{}, ]+\.(?:jsonl|json|yaml|yml)"
"""`my tests/a.jsonl` and `a.jsonl b.jsonl` look like files: they are never messages, even when they do not exist."""
_SCRIPT_TESTS = r"scripts\.([\w-]+(?:\.[\w-]+)+)(?:\?(.*))?"
_GENERATORS: dict[str, InputType] = {"agents": "agent", "scripts": "script"}


class InputRef(Struct, frozen=True, kw_only=True):
    """An input and its kind. `value` is a path, the message, or the id of a generator."""

    type: InputType
    value: str
    params: JsonObject = {}


def folder_of_first(inputs: Sequence[str]) -> Path | None:
    """The folder of the first file, folder or glob among the inputs; None when there is none."""
    for text in inputs:
        if classify(text).type == "file":
            path = Path(text if os.path.exists(text) else split_pick(text)[0])
            while not os.path.exists(path):
                path = path.parent
            return path if path.is_dir() else path.parent
    return None


def classify(text: str) -> InputRef:
    """An existing path is a file; then known prefixes count; then what looks like a path; the rest is a message.

    One word of path characters is never a message: a missing folder must not make a green run.
    """
    if text == "-":
        return InputRef(type="stdin", value=text)
    if os.path.exists(split_pick(text)[0]) or (glob.has_magic(text) and next(glob.iglob(text, recursive=True), None)):
        return InputRef(type="file", value=text)
    ref = parse_ref(text, tuple(_GENERATORS))
    if ref.kind and not re.search(r"\s", ref.name):
        return InputRef(type=_GENERATORS[ref.kind], value=ref.name, params=ref.params)
    if looks_like_path(split_pick(text)[0]):
        return InputRef(type="file", value=text)
    if match := re.fullmatch(_SCRIPT_TESTS, text):
        return InputRef(type="script_tests", value=match[1], params=parse_params(match[2] or ""))
    # `::T1` without a file names nothing either.
    if re.fullmatch(_PATH_CHARACTERS, split_pick(text)[0]) or re.fullmatch(_PATH_CHARACTERS, text):
        return InputRef(type="file", value=text)
    if re.fullmatch(_SEVERAL_PATHS, text):
        return InputRef(type="file", value=text)
    return InputRef(type="message", value=text)
