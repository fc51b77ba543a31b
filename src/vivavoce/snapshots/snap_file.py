"""One `NAME.snap.yaml`: case → name → approved value. Blocks of other cases keep their bytes when one changes."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import UNSET, Struct

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents
from vivavoce.notation.yaml_writer import yaml_text
from vivavoce.project.files import read_text
from vivavoce.project.locked_files import locked_folder, replace_whole
from vivavoce.snapshots.places import SUFFIX

_HEADING = (
    "# Approved answers of {name}. A person decides what stands here: review changes like those of code.\n"
    "# `viva snapshots --review` shows what changed, `viva test --update-snapshots` accepts all of it.\n"
)

_MARKERS = ("---", "...", "%", "? ", "<<", "!")
"""Lines of YAML that are about more than the case they stand in."""
_REFERENCE = re.compile(r"[\s\[,{][&*]\w")

Approved = dict[str, JsonObject]
"""Case id → name of the snapshot → its value."""


class _Content(Struct, frozen=True):
    """A snapshot file as read: the text before the first case, and each case's own text and values."""

    heading: str = ""
    blocks: dict[str, str] = {}
    approved: Approved = {}


class SnapFile:
    """Reads the file again only after somebody changed it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._state: tuple[int, int, int] | None = None
        self._content = _Content()

    def approved(self) -> Approved:
        """Everything in the file; nothing when it is not there. Raises UsageError for one that is damaged."""
        self._catch_up()
        return self._content.approved

    def value(self, case_id: str, name: str) -> JsonValue:
        """The approved value, or UNSET."""
        return self.approved().get(case_id, {}).get(name, UNSET)

    def locked(self) -> AbstractContextManager[None]:
        """Keeps other processes from changing the file. Raises OSError when its folder cannot be made."""
        return locked_folder(self.path.parent)

    def write(self, changes: Mapping[str, JsonObject]) -> None:
        """Changes values, by case and name; UNSET removes one, and a file without any is removed itself.

        The caller holds the lock. Raises OSError.
        """
        self._catch_up()
        content = self._content
        blocks, approved = dict(content.blocks), dict(content.approved)
        for case_id, changed in changes.items():
            merged = {**approved.get(case_id, {}), **changed}
            of_case = {name: merged[name] for name in sorted(merged) if merged[name] is not UNSET}
            blocks.pop(case_id, None)
            approved.pop(case_id, None)
            if of_case:
                blocks[case_id], approved[case_id] = yaml_text({case_id: of_case}), of_case
        if blocks:
            name = self.path.name.removesuffix(SUFFIX)
            heading = content.heading or _HEADING.format(name=name)
            replace_whole(self.path, heading + "".join(blocks[case_id] for case_id in sorted(blocks)))
            self._content = _Content(heading, blocks, approved)
        else:
            self.path.unlink(missing_ok=True)
            self._content = _Content()
        self._state = _state_of(self.path)

    def _catch_up(self) -> None:
        state = _state_of(self.path)
        if state != self._state:
            self._content = _Content() if state is None else _read(self.path)
            self._state = state


def _state_of(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _read(path: Path) -> _Content:
    shown, text = path_from_here(path), read_text(path)
    if "\n<<<<<<< " in f"\n{text}":
        line = f"\n{text}".count("\n", 0, f"\n{text}".index("\n<<<<<<< ") + 1)
        raise UsageError("a merge conflict is left in it", at=Origin(shown, line), hint="resolve it first")
    documents = list(read_yaml_documents(text, shown))
    if not documents:
        # A file without snapshots is removed; what is left of a damaged one must not pass for a first run.
        hint = "restore it from version control, or remove it to approve everything anew"
        raise UsageError("it holds no snapshot", at=Origin(shown, 1), hint=hint)
    whole = documents[0].value
    if len(documents) > 1 or not is_object(whole):
        raise UsageError(
            "one mapping of cases is expected", at=Origin(shown, 1), hint="restore it from version control"
        )
    for case_id, of_case in whole.items():
        if not is_object(of_case):
            at = Origin(shown, documents[0].line_of((str(case_id),)))
            raise UsageError(f"the case {case_id!r} must be a mapping of names to values", at=at)
    return _split(text, documents[0], whole)


def _split(text: str, document: YamlDocument, approved: Approved) -> _Content:
    """Cuts the text before every case's first line; what cannot be cut so is laid out anew."""
    lines = [f"{line}\n" for line in text.removesuffix("\n").split("\n")]
    starts = sorted((document.line_of((case_id,)) - 1, case_id) for case_id in approved)
    first = starts[0][0] if starts else len(lines)
    heading = "".join(line for line in lines[:first] if not line.strip() or line.startswith("#"))
    ends = [*(line for line, _ in starts[1:]), len(lines)]
    blocks = {case_id: "".join(lines[start:end]) for (start, case_id), end in zip(starts, ends, strict=True)}
    on_own_lines = len({start for start, _ in starts}) == len(starts)
    if not on_own_lines or not all(
        _stands_alone(blocks[case_id], {case_id: approved[case_id]}) for case_id in approved
    ):
        blocks = {case_id: yaml_text({case_id: of_case}) for case_id, of_case in approved.items()}
    return _Content(heading, blocks, approved)


def _stands_alone(block: str, value: JsonObject) -> bool:
    """Whether the lines of a case mean the same without those of the others, and in any order.

    False for what people may write by hand: an indented case, the end of a document, or an anchor (`&x`) that another
    case refers to.
    """
    if block[0].isspace() or any(line.startswith(_MARKERS) for line in block.split("\n")):
        return False
    if not _REFERENCE.search(block):
        return True
    try:
        return [document.value for document in read_yaml_documents(block, "")] == [value]
    except UsageError:
        return False
