"""Labels: what people say about conversations, pass or fail, in a YAML file that is committed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct, structs

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonArray, JsonValue, is_array, is_object
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.notation.yaml_writer import yaml_text
from vivavoce.project.files import read_text
from vivavoce.project.locked_files import change_file
from vivavoce.project.project import Project
from vivavoce.wording.quoting import quote

Decision: TypeAlias = Literal["pass", "fail"]
About: TypeAlias = tuple[str, str, str, str]
"""What a label is about: the case, the conversation, the criterion, the path."""
DEFAULT = "labels.yaml"
_HEADING = (
    "# What people say about recorded conversations: viva label writes it, viva calibrate compares judges with it.\n"
    "# Sorted, so that the work of two people merges; comments between the labels are not kept.\n"
)


class Label(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A person's verdict about one conversation."""

    case: str
    """`path::id`, or only the id."""
    conversation: str | None = None
    """The digest of the conversation; None: every conversation of this case."""
    criterion: str | None = None
    """The criterion of a judge that it is about; None: the conversation as a whole."""
    label: Decision
    note: str | None = None

    @property
    def passed(self) -> bool:
        return self.label == "pass"

    @property
    def case_id(self) -> str:
        return self.case.rpartition("::")[2]

    @property
    def about(self) -> About:
        """The key of the label: a later label with the same key replaces it.

        A label of one conversation leaves the path out, because files may be moved.
        """
        path = "" if self.conversation else self.case
        return self.case_id, self.conversation or "", self.criterion or "", path


class Labels:
    """The labels of a file, looked up by conversation."""

    def __init__(self, labels: Iterable[Label] = ()) -> None:
        self._labels = {label.about: label for label in labels}

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._labels.values())

    def find(self, key: str, conversation: str, criterion: str | None = None) -> Label | None:
        """The label of a conversation of the case `key` (`path::id`).

        With a criterion: the label about it, else the one about the whole conversation.
        """
        case_id = key.rpartition("::")[2]
        for about in dict.fromkeys((criterion or "", "")):
            for conversation_or_any, path in ((conversation, ""), ("", key), ("", case_id)):
                found = self._labels.get((case_id, conversation_or_any, about, path))
                if found is not None:
                    return found
        return None

    def __contains__(self, about: About) -> bool:
        """Whether there is a label about exactly this."""
        return about in self._labels


def labels_path(given: str | None, project: Project) -> Path:
    """The file given, or `labels.yaml` of the project."""
    return Path(given) if given is not None else project.root / DEFAULT


def read_labels(path: Path, *, must_exist: bool = True) -> Labels:
    """Raises UsageError for a missing file, when it must exist, and for one that does not hold labels."""
    if not path.is_file():
        if must_exist:
            raise UsageError("there is no such file of labels", at=str(path), hint="viva label RUN makes it")
        return Labels()
    return Labels(_parsed(read_text(path), str(path)))


def add_labels(path: Path, added: Iterable[Label]) -> None:
    """Adds labels to the file, under its lock; one about the same conversation and criterion is replaced.

    Raises UsageError for a file that holds something else, OSError for one that cannot be written.
    """

    def change(text: str | None) -> str:
        kept = {label.about: label for label in _parsed(text or "", str(path))}
        kept.update({label.about: label for label in added})
        rows: JsonArray = [_row(kept[about]) for about in sorted(kept)]
        return _HEADING + yaml_text({"type": "labels", "labels": rows})

    change_file(path, change)


def _row(label: Label) -> dict[str, str]:
    return {name: value for name, value in structs.asdict(label).items() if value is not None}


def _parsed(text: str, shown: str) -> list[Label]:
    documents = list(read_yaml_documents(text, shown))
    if not documents:
        return []
    whole = documents[0].value
    rows = whole.get("labels") if is_object(whole) and whole.get("type") == "labels" else None
    if len(documents) > 1 or not is_array(rows):
        raise UsageError("this is not a file of labels", at=shown, hint="it begins with `type: labels`, then `labels:`")
    found: dict[About, Label] = {}
    for number, row in enumerate(rows):
        at = Origin(shown, documents[0].line_of(("labels", number)))
        label = _label(row, at)
        if found.setdefault(label.about, label).label != label.label:
            what = f"a second label of {label.case} says {label.label}, an earlier one says the opposite"
            raise UsageError(what, at=at, hint="two people disagree, or a merge kept both: keep one")
        found[label.about] = label
    return list(found.values())


def _label(row: JsonValue, at: Origin) -> Label:
    hint = "a label has `case`, `label: pass` or `fail`, and if you like `conversation`, `criterion`, `note`"
    if not is_object(row):
        raise UsageError("this is not a label", at=at, hint=hint)
    if unknown := [str(name) for name in row if name not in Label.__struct_fields__]:
        raise UsageError(f"a label has no {unknown[0]!r}", at=at, hint=hint)
    if row.get("label") not in get_args(Decision):
        raise UsageError(f"label: {quote(row.get('label'))} is neither pass nor fail", at=at)
    try:
        return msgspec.convert(row, Label)
    except msgspec.ValidationError:
        raise UsageError("every value of a label must be a text, and `case` is required", at=at, hint=hint) from None
