"""quarantine.yaml: reading it, and adding entries without changing what people wrote in it."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.insight.quarantine.quarantine_entry import RELEASE_AFTER, QuarantineEntry
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.notation.yaml_reader import YamlDocument, read_yaml_documents
from vivavoce.notation.yaml_writer import yaml_text

NEW_FILE = """\
# Cases that run and are reported but do not decide the exit code of viva test.
# viva flaky --quarantine adds entries; change and remove them as you like.
type: quarantine
cases:
"""
_KEYS = ("case", "agent", "why", "until")
_TOP_KEYS = ("type", "cases", "release_after")
_ITEM = re.compile(r"^( *)- ", re.MULTILINE)
_EMPTY_LIST = re.compile(r"^cases: *\[ *\]", re.MULTILINE)
_HINT = "an entry has case, why, until and, if you like, agent"


class QuarantineFile(Struct, frozen=True):
    """The content of quarantine.yaml."""

    entries: tuple[QuarantineEntry, ...] = ()
    release_after: int = RELEASE_AFTER


def read_quarantine(path: Path, shown: str) -> QuarantineFile | None:
    """Returns None when the file does not exist. Raises UsageError, with the line, for what is not an entry."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"cannot read it: {problem}", at=shown) from None
    return quarantine_in(text, shown)


def quarantine_in(text: str, shown: str) -> QuarantineFile:
    """Parses the text. Raises UsageError."""
    documents = list(read_yaml_documents(text, shown))
    if not documents or documents[0].value is None:
        return QuarantineFile()
    document = documents[0]
    top = document.value
    if not is_object(top) or len(documents) > 1:
        raise UsageError("not a quarantine", at=shown, hint="begin with `type: quarantine`, then `cases:`")
    _refuse_unknown(top, _TOP_KEYS, document, (), shown)
    if top.get("type") != "quarantine":
        raise UsageError("not a quarantine: `type: quarantine` is missing", at=shown, hint="add it as the first line")
    after = top.get("release_after", RELEASE_AFTER)
    if not isinstance(after, int) or isinstance(after, bool) or after < 1:
        at = Origin(shown, document.line_of(("release_after",)))
        raise UsageError("release_after is not a number of runs", at=at, hint="write release_after: 10")
    cases = top.get("cases")
    if cases is not None and not is_array(cases):
        raise UsageError("cases is not a list", at=Origin(shown, document.line_of(("cases",))), hint=_HINT)
    entries = tuple(_entry(one, number, document, shown) for number, one in enumerate(cases or ()))
    return QuarantineFile(entries, after)


def with_entries(text: str, entries: Sequence[QuarantineEntry], shown: str) -> str:
    """Returns the text with entries added at its end; the rest is unchanged. Raises UsageError."""
    before = quarantine_in(text, shown).entries
    whole = _EMPTY_LIST.sub("cases:", text) if text.strip() else NEW_FILE
    if not whole.endswith("\n"):
        whole += "\n"
    indent = min((match[1] for match in _ITEM.finditer(whole)), key=len, default="  ")
    added = whole + "".join(_item(entry, indent) for entry in entries)
    try:
        found = quarantine_in(added, shown).entries
    except UsageError:
        found = ()
    if len(found) != len(before) + len(entries):
        raise UsageError(
            "no entry can be added at its end", at=shown, hint="put `cases:` last, each entry on lines of its own"
        )
    return added


def _item(entry: QuarantineEntry, indent: str) -> str:
    fields: JsonObject = {"case": entry.case, "agent": entry.agent, "why": entry.why, "until": entry.until.isoformat()}
    lines = yaml_text({name: value for name, value in fields.items() if value is not None}).splitlines()
    return "".join(f"{indent}{'  ' if at else '- '}{line}\n" for at, line in enumerate(lines))


def _entry(value: JsonValue, number: int, document: YamlDocument, shown: str) -> QuarantineEntry:
    at = Origin(shown, document.line_of(("cases", number)))
    if not is_object(value):
        raise UsageError("not an entry of a quarantine", at=at, hint=_HINT)
    _refuse_unknown(value, _KEYS, document, ("cases", number), shown)
    case, why, until = (_text(value, name, at) for name in ("case", "why", "until"))
    try:
        last = date.fromisoformat(until)
    except ValueError:
        raise UsageError(f"until is not a date: {until!r}", at=at, hint="write it as 2026-12-31") from None
    agent = None if value.get("agent") is None else _text(value, "agent", at)
    return QuarantineEntry(case=case, agent=agent, why=why, until=last, at=at)


def _text(value: JsonObject, name: str, at: Origin) -> str:
    found = value.get(name)
    if not isinstance(found, str) or not found.strip():
        raise UsageError(f"{name} is missing or is not text", at=at, hint=_HINT)
    return found


def _refuse_unknown(
    value: JsonObject, known: tuple[str, ...], document: YamlDocument, path: tuple[str | int, ...], shown: str
) -> None:
    for name in value:
        if name not in known:
            at = Origin(shown, document.line_of((*path, name)))
            hint = did_you_mean(str(name), list(known)) or f"there are {', '.join(known)}"
            raise UsageError(f"unknown field {name!r}", at=at, hint=hint)
