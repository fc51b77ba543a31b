"""The fingerprint of a case: equal for cases with equal contents, in any version of viva."""

import re
from functools import cache
from hashlib import blake2b

import msgspec
from msgspec import Struct, structs

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue, is_array
from vivavoce.results.encoding import NOT_JSON, encoded

_UNTOUCHED: JsonObject = {
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
_AS_THEY_ARE = frozenset({str, int, float, bool, type(None), dict})
"""Types of values that have no structs in them, or in which the encoder leaves defaults out."""
_NOWHERE = Case(id="").origin
"""The very default of the class: the encoder leaves out only that."""
_MAY_BE_DEFAULT = (
    rb'"(?:weight|min_score|timeout_s|interactive_timeout_s|seconds|rate)":|"(?:origin|options|rules)":\{\}'
)
"""Fields that the encoder writes although they equal their default, or may write in two ways (`5` and `5.0`)."""
_NUMBER_OR_NOTHING = re.compile(rb'":[-0-9{][^"]')
"""A number or `{}` as a value: few cases have one, and no other value may be such a default."""
_decode = msgspec.json.Decoder(Case).decode
_decode_plainly = msgspec.json.Decoder().decode
_sorted = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


def fingerprint(case: Case) -> bytes:
    """A hash of everything the case says, except where in its file it stands.

    Fields that have their default are left out: a field added to Case later changes no fingerprint until it is used.
    The order of keys does not count either.
    """
    if case.not_reached is not None:
        return _digest_in(case.not_reached.fingerprint)
    return _hashed(case, {})


def _hashed(case: Case, instead: JsonObject) -> bytes:
    """The hash of a case without its place, and with these values instead of its own."""
    turns = tuple([structs.replace(turn, line=0) if turn.line else turn for turn in case.turns])
    bare = structs.replace(case, origin=_NOWHERE, turns=turns, **instead)
    return blake2b(_VERSION + (_said_at_once(bare) or _said(bare)), digest_size=16).digest()


def _said_at_once(case: Case) -> bytes | None:
    """What `_said` returns, in a quarter of the time; None where that is not certain, as in one of ten cases.

    Every run makes the fingerprints of 10,000 results for the history: so it costs a tenth less.
    """
    try:
        said = _sorted(case)
    except NOT_JSON:
        return None
    return None if _NUMBER_OR_NOTHING.search(said) and re.search(_MAY_BE_DEFAULT, said) else said


def _said(case: Case) -> bytes:
    """The case as JSON, with only the fields that differ from their default, in one order of keys."""
    written = encoded(case)
    # Once through JSON, as the case of a result file was.
    return _sorted(_without_defaults(_decode(written), _decode_plainly(written)))


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
    return _hashed(case, _UNTOUCHED).hex()[:16]


def _without_defaults(value: JsonValue, written: JsonValue) -> JsonValue:
    """The value as plain data, each struct with the fields that differ from their default.

    `written` is its JSON: most defaults are not in it, so that only a few fields have to be compared.
    """
    if isinstance(value, Struct):
        fields = _fields_of(type(value))
        said: JsonObject = {}
        for key, inner in written.items():
            if key in fields:
                name, default = fields[key]
                given = getattr(value, name)
                if given != default:
                    said[name] = given if type(given) in _AS_THEY_ARE else _without_defaults(given, inner)
        return said
    if is_array(value):
        return [_without_defaults(item, inner) for item, inner in zip(value, written, strict=True)]
    return value


@cache
def _fields_of(kind: type[Struct]) -> dict[str, tuple[str, JsonValue]]:
    """By its name in JSON, each field's own name and default; one without a default has one that no value equals."""
    return {
        field.encode_name: (
            field.name,
            field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory(),
        )
        for field in structs.fields(kind)
    }
