"""The fingerprint of a case: equal for cases with equal contents, in any version of viva."""

from functools import cache
from hashlib import blake2b

import msgspec
from msgspec import Struct, structs

from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonValue, is_array
from vivavoce.results.encoding import encoded

_UNTOUCHED = {
    "agent": None,
    "name": None,
    "description": None,
    "tags": (),
    "skip": None,
    "priority": None,
    "runs": None,
    "min_pass": None,
}
"""Fields of a case that do not change what one attempt is asked or how it is judged. Facts name the agent apart."""
_VERSION = b"viva case 1\n"
"""Changed when the same case gets another fingerprint than before."""
_SIMPLE = frozenset({str, int, float, bool, type(None)})
_decode = msgspec.json.Decoder(Case).decode
_sorted = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


def fingerprint(case: Case) -> bytes:
    """A hash of everything the case says, except where in its file it stands.

    Fields that have their default are left out: a field added to Case later changes no fingerprint until it is used.
    The order of keys does not count either.
    """
    if case.not_reached is not None:
        return _digest_in(case.not_reached.fingerprint)
    turns = tuple(structs.replace(turn, line=0) if turn.line else turn for turn in case.turns)
    # Once through JSON, as the case of a result file was.
    plain = _decode(encoded(structs.replace(case, origin=Origin(), turns=turns)))
    return blake2b(_VERSION + _sorted(_without_defaults(plain)), digest_size=16).digest()


def _digest_in(text: str) -> bytes:
    """A digest from a result file. A value that is not a digest, as in a stranger's file, fits no case."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def case_hash(case: Case) -> str:
    """Returns a hash of what the case asks and checks, the same in every version of viva."""
    if case.not_reached is not None:
        return case.not_reached.content_hash
    return fingerprint(structs.replace(case, **_UNTOUCHED)).hex()[:16]


def _without_defaults(value: JsonValue) -> JsonValue:
    if isinstance(value, Struct):
        return {
            name: given if type(given) in _SIMPLE else _without_defaults(given)
            for given, (name, default) in zip(structs.astuple(value), _defaults_of(type(value)), strict=True)
            if given is not default and given != default
        }
    return [_without_defaults(item) for item in value] if is_array(value) else value


@cache
def _defaults_of(kind: type[Struct]) -> tuple[tuple[str, JsonValue], ...]:
    """Each field with its default; a field without one has a default that no value equals."""
    return tuple(
        (field.name, field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory())
        for field in structs.fields(kind)
    )
