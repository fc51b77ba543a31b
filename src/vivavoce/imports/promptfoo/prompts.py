"""promptfoo's prompts: texts, chat messages, files."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.imports.foreign_files import FILE_PREFIX, inside, is_there, matching, read_text
from vivavoce.imports.found import Refused
from vivavoce.imports.promptfoo.running import SCRIPTS
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonValue, is_array, is_object, text_of
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents

_SUFFIXES = (".txt", ".md", ".json", ".yaml", ".yml", ".j2")


class Prompt(Struct, frozen=True):
    """A template, or a list of messages whose texts are templates."""

    label: str
    template: JsonValue
    script: str = ""
    """`file.py:function` that makes the prompt from the variables of each test."""


def prompts_in(value: JsonValue, document: YamlDocument, path: Path, *, run_code: bool) -> Iterator[Prompt | Refused]:
    """All prompts of a configuration. Without any, promptfoo sends the variable `prompt`."""
    if not value:
        yield Prompt("prompt", "{{prompt}}")
        return
    for number, entry in enumerate(value if is_array(value) else [value]):
        at = Origin(str(path), document.line_of(("prompts", number)))
        label, text = f"prompt{number + 1}", entry
        if is_object(entry):
            label = text_of(entry.get("label") or entry.get("id") or label)
            text = entry.get("raw") or entry.get("id") or ""
        text = text_of(text)
        bare = text.removeprefix(FILE_PREFIX).partition(":")[0]
        if Path(bare).suffix in SCRIPTS and "\n" not in text and " " not in text:
            if not run_code or Path(bare).suffix != ".py":
                hint = ", or let it run with --run-code" if Path(bare).suffix == ".py" else ""
                yield Refused(what=f"the prompt {text} is made by a script; write it as a text{hint}", at=at)
                continue
            inside(path.parent, bare)
            yield Prompt(label, None, text.removeprefix(FILE_PREFIX))
        elif text.startswith(FILE_PREFIX) or (Path(bare).suffix in _SUFFIXES and "\n" not in text and " " not in text):
            yield from _from_files(text.removeprefix(FILE_PREFIX), path.parent, at)
        else:
            yield Prompt(label, chat_in(text))


def _from_files(name: str, folder: Path, at: Origin) -> Iterator[Prompt | Refused]:
    found = [file for file in matching(folder, name) if is_there(file)]
    if not found:
        yield Refused(what=f"the prompt {name} does not exist", at=at)
    for file in found:
        text = read_text(file)
        if file.suffix in (".yaml", ".yml"):
            documents = list(read_yaml_documents(text, str(file)))
            value: JsonValue = documents[0].value if documents else ""
            yield Prompt(file.stem, value if is_array(value) else text)
            continue
        pieces = [piece.strip() for piece in text.split("\n---\n") if piece.strip()]
        for number, piece in enumerate(pieces):
            yield Prompt(file.stem if len(pieces) == 1 else f"{file.stem}{number + 1}", chat_in(piece))


def chat_in(text: JsonValue) -> JsonValue:
    """The messages of a prompt that is a chat in JSON; any other prompt as it is."""
    if not isinstance(text, str) or not text.lstrip().startswith("["):
        return text
    try:
        value: JsonValue = msgspec.json.decode(text)
    except ValueError:
        return text
    messages = is_array(value) and bool(value) and all(is_object(one) and "role" in one for one in value)
    return value if messages else text
