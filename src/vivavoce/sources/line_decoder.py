"""One line of a JSONL file → its Case, the short way: nearly every case goes it, twice a run."""

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.case_decoder import decode_common_fields, decode_fields
from vivavoce.sources.case_fields import CaseFields, CommonFields
from vivavoce.sources.json_places import may_repeat_a_key
from vivavoce.sources.place import Place

_common = msgspec.json.Decoder(CommonFields).decode
_typed = msgspec.json.Decoder(CaseFields).decode
_untyped = msgspec.json.Decoder().decode


def decode_line(path: str, line: bytes, number: int) -> Case | None:
    """The case on a line of a file; None where only the long way (decode_case) can tell what is wrong."""
    try:
        fields = _common(line)
    except msgspec.ValidationError:
        return _with_further_fields(path, line, number)
    except (ValueError, RecursionError):
        return None
    if may_repeat_a_key(line, fields) and _may_still_repeat_a_key(line):
        return None
    try:
        return decode_common_fields(fields, Place(Origin(path, number)))
    except UsageError:
        return None


def _with_further_fields(path: str, line: bytes, number: int) -> Case | None:
    try:
        fields = _typed(line)
        if may_repeat_a_key(line, fields) and _may_still_repeat_a_key(line):
            return None
        return decode_fields(fields, Place(Origin(path, number)))
    except (ValueError, RecursionError, UsageError):
        return None


def _may_still_repeat_a_key(line: bytes) -> bool:
    """A second look: what is written but says nothing (`"name": null`) is gone from the fields without repetition."""
    return may_repeat_a_key(line, _untyped(line))
