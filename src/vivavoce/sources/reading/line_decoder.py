"""Lines of a JSONL file → Cases: the fast way, which works for almost every case."""

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_decoder import decode_common_fields, decode_fields
from vivavoce.sources.decoding.case_fields import CaseFields, CommonFields
from vivavoce.sources.scanning.json_places import may_repeat_a_key

_common = msgspec.json.Decoder(CommonFields).decode
_untyped = msgspec.json.Decoder().decode


def decode_lines(path: str, lines: list[bytes], first: int) -> list[Case] | None:
    """Decodes one case per line; `first` is the number of the first line.

    None when a line cannot be decoded this way: the caller then tries each line alone, and last `decode_case`, which
    says what is wrong.
    """
    try:
        found = list(map(_common, lines))
        if not _may_repeat_a_key(lines, found):
            return [decode_common_fields(fields, Origin(path, line)) for line, fields in enumerate(found, start=first)]
    except msgspec.ValidationError:
        return _with_further_fields(path, lines[0], first) if len(lines) == 1 else None
    except (ValueError, RecursionError, UsageError):
        pass
    return None


def _with_further_fields(path: str, line: bytes, number: int) -> list[Case] | None:
    try:
        fields = msgspec.json.decode(line, type=CaseFields)
        if fields.each is not None or _may_repeat_a_key([line], [fields]):
            return None
        return [decode_fields(fields, Place(Origin(path, number)))]
    except (ValueError, RecursionError, UsageError):
        return None


def _may_repeat_a_key(lines: list[bytes], found: list[CommonFields] | list[CaseFields]) -> bool:
    """Counts over all lines at once: decoding only loses keys, so a loss in one line cannot be balanced by another."""
    text = b"".join(lines)
    # Fields with their default (`"name": null`) are not in the encoded fields: compare with the plain value, too.
    return may_repeat_a_key(text, found) and may_repeat_a_key(text, list(map(_untyped, lines)))
