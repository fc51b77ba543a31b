"""The spellings of a secret: in JSON, URLs, HTML, Python's quotes and base64."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote, quote_plus

import msgspec

QUOTING_LEVELS = 3
PERCENT_LEVELS = 2
SHORTEST_BASE64 = 6
"""Characters; shorter pieces would be found by chance in any image."""
_PERCENT = "%[0-9A-F]{2}"
SAFE_CHARACTERS = ("", "/", "!'()*", "!'()*;,/?:@&=+$#", "!'()*$,/:?@")
"""What percent-encoding leaves unchanged: Python, JavaScript (encodeURIComponent, encodeURI), queries of yarl."""
_ESCAPE = r"\\(?:u[0-9a-f]{4}|.)"


def spellings_of(value: str) -> set[str]:
    """Returns a text unchanged, quoted up to three times (JSON, Python), percent-encoded up to twice, as HTML, and
    as part of base64."""
    from html import escape  # imported here: its table of entities is large, and many runs have no secrets

    in_page = (escape(value, quote=False), escape(value), escape(value).replace("&#x27;", "&#39;"))
    return {
        value,
        *_levels([value], QUOTING_LEVELS, _quoted_forms),
        *(others := _json_of_others(value)),
        *_levels(others, QUOTING_LEVELS - 1, _quoted_forms),
        *_levels([value], PERCENT_LEVELS, _address_forms),
        *in_page,
        *_base64_pieces(raw_bytes(value)),
    }


def raw_bytes(text: str) -> bytes:
    """Returns the original bytes of a text from the environment, which may not be UTF-8."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")


def in_json(text: str) -> str:
    """Returns a text as it is written between the quotes of a JSON string."""
    return msgspec.json.encode(text.encode("utf-8", "replace").decode()).decode()[1:-1]


def _levels(forms: Iterable[str], levels: int, spelt: Callable[[str], set[str]]) -> set[str]:
    found = set[str]()
    for _ in range(levels):
        forms = {new for form in forms for new in spelt(form)}
        found |= forms
    return found


def _quoted_forms(text: str) -> set[str]:
    return _json_forms(text) | _python_forms(text)


def _python_forms(text: str) -> set[str]:
    """Returns the text as `repr`, `ascii` and ASCII streams write it; an apostrophe is escaped only in some texts."""
    escaped = [repr('"' + text)[2:-1]]
    if not text.isascii():
        escaped += [ascii('"' + text)[2:-1], text.encode("ascii", "backslashreplace").decode()]
    return {form for one in escaped for form in (one, one.replace("\\'", "'"))}


def _json_forms(text: str) -> set[str]:
    plain = in_json(text)
    # PHP escapes slashes, Go escapes HTML.
    forms = {plain, plain.replace("/", "\\/"), _with_codes(plain, "<>&"), _ascii_json(text)}
    # Some libraries write the hexadecimal digits of an escape in capitals.
    return {*forms, *(re.sub(_ESCAPE, _with_capital_digits, form) for form in forms)}


def _json_of_others(text: str) -> set[str]:
    """Returns the text as PHP, Java (Gson) and .NET write it when nobody tells them otherwise."""
    in_ascii = _ascii_json(text)
    dot_net = _with_codes(in_ascii.replace('\\"', "\\u0022"), "&'+<>`")
    return {
        in_ascii.replace("/", "\\/"),
        _with_codes(in_json(text), "<>&='"),
        re.sub(_ESCAPE, _with_capital_digits, dot_net),
    }


def _ascii_json(text: str) -> str:
    if text.isascii() and text.isprintable():
        return in_json(text)
    import json

    return json.dumps(text)[1:-1]


def _with_codes(text: str, characters: str) -> str:
    for character in characters:
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _with_capital_digits(escape: re.Match[str]) -> str:
    return escape[0][:2] + escape[0][2:].upper()


def _address_forms(text: str) -> set[str]:
    forms = {spelt(raw_bytes(text), safe=safe) for safe in SAFE_CHARACTERS for spelt in (quote, quote_plus)}
    return {*forms, *(re.sub(_PERCENT, lambda code: code[0].lower(), form) for form in forms)}


def _base64_pieces(data: bytes) -> Iterator[str]:
    """Yields the base64 of the bytes for each of the three offsets, without characters that depend on other bytes."""
    for before in range(3):
        encoded = b64encode(b"\0" * before + data).decode()
        shared_at_end = {0: 0, 1: 3, 2: 2}[(before + len(data)) % 3]
        piece = encoded[(0, 2, 3)[before] : len(encoded) - shared_at_end]
        if len(piece) >= SHORTEST_BASE64:
            yield piece
            yield piece.replace("+", "-").replace("/", "_")
