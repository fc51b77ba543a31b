"""Jobs and attempts on their way between machines, as bytes."""

import pickle
from typing import TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")
_PICKLED = b"\x80"
# As in the reports: values that JSON lacks are written as text.
_encoder = msgspec.json.Encoder(enc_hook=str)


class CannotTravel(ValueError):
    """A value that can be neither encoded as JSON nor pickled."""


def packed(value: Struct) -> bytes:
    """Returns the value as JSON; pickled when a text in it is not valid Unicode."""
    try:
        return _encoder.encode(value)
    except (UnicodeEncodeError, TypeError):
        return pickle.dumps(value)
    except RecursionError:
        raise CannotTravel("the result is nested too deeply to be sent") from None


def unpacked(data: bytes, kind: type[T]) -> T:
    return pickle.loads(data) if data.startswith(_PICKLED) else msgspec.json.decode(data, type=kind)
