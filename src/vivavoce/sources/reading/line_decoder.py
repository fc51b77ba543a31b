"""Lines of a JSONL file → their Cases, the fast way, which works for nearly every case."""

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_decoder import decode_common_fields, decode_fields
from vivavoce.sources.decoding.case_fields import CaseFields, CommonFields
from vivavoce.sources.reading.json_places import may_repeat_a_key

_common = msgspec.json.Decoder(CommonFields).decode
_typed = msgspec.json.Decoder(CaseFields).decode
_untyped = msgspec.json.Decoder().decode


def decode_lines(path: str, lines: list[bytes], first: int) -> list[Case] | None:
    """The cases of a file's lines from the `first` on, each line one.

    None where one of several needs a look of its own, or where only the long way (decode_case) can tell what is wrong.
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
        fields = _typed(line)
        if fields.each is not None or _may_repeat_a_key([line], [fields]):
            return None
        return [decode_fields(fields, Place(Origin(path, number)))]
    except (ValueError, RecursionError, UsageError):
        return None


def _may_repeat_a_key(lines: list[bytes], found: list[CommonFields] | list[CaseFields]) -> bool:
    """All at once: no line can make up for what another has lost."""
    text = b"".join(lines)
    # A second look: what is written but says nothing (`"name": null`) is gone from the fields without repetition.
    return may_repeat_a_key(text, found) and may_repeat_a_key(text, list(map(_untyped, lines)))
