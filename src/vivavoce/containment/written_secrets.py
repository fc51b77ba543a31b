"""Secrets that somebody wrote out in an address or a command: `user:password@`, `?api_key=…`, `--token …`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise

SHORTEST_SECRET = 6
MASK = "***"

_LIKE_A_KEY = (
    "key|token|secret|pass|pwd|^pw$|signature|^sig$|^sas$|^code$|jwt|bearer|session|auth|credential"  # of a query
)
_KEY_WORDS = frozenset(
    {"key", "apikey", "token", "secret", "secrets", "password", "passwd", "passphrase", "pwd", "pass", "pw"}
    | {"credential", "credentials", "auth", "authorization", "bearer", "jwt", "signature"}
)
_KEY_ENDINGS = (
    *("password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "accountkey"),
    *("authkey", "masterkey", "privatekey", "secretkey", "sharedkey", "signingkey"),
)
"""Words written together: `PGPASSWORD`, `SECRETKEY`."""
_WORDS = "[A-Z]?[a-z]+|[A-Z]+(?![a-z])"
# Every repetition that something must follow is bounded: the time stays linear in the text.
_LOGIN = r"(?:(?:(?<=//)|(?<![^\s/:'\"(,\[=]))[^\s/:@'\"?#(]{1,64}|(?<=//)):(?P<login>[^\s/@'\"]{1,128})@(?=[\w\[])"
_LOGIN_ALONE = r"(?<=//)(?P<alone>[^\s/:@'\"?#]{1,128})@(?=[\w\[])"
_QUERY = r"(?<=[?&;])(?P<name>[\w.%-]{1,64})=['\"]?"
_SET = r"(?<![\w?&;-])-{0,2}(?P<flag>[A-Za-z][\w-]{0,63})=['\"]?"
_IN_QUERY = r"[^\s&;'\"#?)\]]+"
_GIVEN = r"[^\s'\",\])]+"
_HEADER = r"(?P<name>[A-Za-z][\w-]{0,63}):(?P<blanks>\s*)(?P<value>\S.*)"
_IN_JSON = r"[\"'](?P<name>[\w-]{1,64})[\"']\s{0,9}:\s{0,9}[\"'](?P<value>[^\"']+)[\"']"
_LONGEST_COMMAND = 10_000
"""Characters; a longer text is no command, and its quotes are no shell's."""
_SCHEME = r"(?i:Bearer|Basic|Token)\s+(\S+)"


def secrets_in_text(text: str) -> Iterator[str]:
    """The secrets that stand in an address or behind a `NAME=` anywhere in a text."""
    for start, end in _places(text):
        secret = text[start:end]
        yield secret
        # A prefix of ours may stand before it: in `agui:user:password@host` the password comes last.
        yield secret.rpartition(":")[2]
        yield re.split("[;&]", secret, maxsplit=1)[0]
        yield from (found["login"] for found in _written().finditer(secret) if found["login"] is not None)


def secrets_in_command(argv: Sequence[str]) -> Iterator[str]:
    """The secrets among a command's words: also those that follow their flag as the next word, and in headers."""
    for word, following in pairwise([*argv, ""]):
        yield from secrets_in_text(word)
        yield from secrets_in_value(word.partition("=")[2] if word.startswith("-") and "=" in word else word)
        if word.startswith("-") and "=" not in word and is_named_like_a_key(word) and not following.startswith("-"):
            yield following


def words_of(line: str) -> list[str]:
    """The words of a command that is written in one line."""
    if len(line) <= _LONGEST_COMMAND and ('"' in line or "'" in line):
        from shlex import split  # imported here: few lines have quotes

        with suppress(ValueError):
            return split(line)
    return line.split()


def secrets_in_value(text: str) -> Iterator[str]:
    """The secrets of a text that is a header (`X-Api-Key: …`), what a header holds (`Bearer …`), or has JSON in it."""
    value = text
    if (header := re.fullmatch(_HEADER, text)) is not None:
        # `npm run auth:login` has no header in it.
        is_header = header["blanks"] or "-" in header["name"] or header["name"].lower() == "authorization"
        if is_header and (is_named_like_a_key(header["name"]) or header["name"].lower() == "cookie"):
            value = header["value"]
            yield value
    if (scheme := re.fullmatch(_SCHEME, value)) is not None:
        yield scheme[1]
    for found in re.finditer(_IN_JSON, text):
        if is_named_like_a_key(found["name"]):
            yield found["value"]
            yield from (scheme[1] for scheme in re.finditer(_SCHEME, found["value"]))


def without_written_secrets(text: str) -> str:
    """The text with the secrets of addresses and behind `NAME=` masked."""
    if "=" not in text and "@" not in text:
        return text
    kept, at = list[str](), 0
    for start, end in _places(text):
        kept += [text[at:start], MASK]
        at = end
    return "".join((*kept, text[at:]))


def is_named_like_a_key(name: str) -> bool:
    """Whether a flag, a field or an environment variable names a secret: `--api-key`, `MY_TOKEN`, `accessToken`; not
    `--max-tokens`."""
    words = [word.lower() for word in re.findall(_WORDS, name)]
    return not _KEY_WORDS.isdisjoint(words) or any(word.endswith(_KEY_ENDINGS) for word in words)


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Where the secrets stand that are long enough to be some."""
    at = 0
    while (found := _written().search(text, at)) is not None:
        start, end = _place_of(found)
        if end - start >= SHORTEST_SECRET:
            yield start, end
            at = end
        else:
            # What is no secret may have one in it: `--url=https://user:password@host`.
            at = found.end()


def _place_of(found: "re.Match[str]") -> tuple[int, int]:
    for login in ("login", "alone"):
        if found[login] is not None:
            return found.span(login)
    if found["name"] is not None:
        value = _compiled(_IN_QUERY).match(found.string, found.end()) if _key_name().search(found["name"]) else None
    else:
        value = _compiled(_GIVEN).match(found.string, found.end()) if is_named_like_a_key(found["flag"]) else None
    return (0, 0) if value is None else value.span()


@cache
def _written() -> "re.Pattern[str]":
    return re.compile("|".join((_LOGIN, _LOGIN_ALONE, _QUERY, _SET)))


@cache
def _compiled(pattern: str) -> "re.Pattern[str]":
    return re.compile(pattern)


@cache
def _key_name() -> "re.Pattern[str]":
    return re.compile(_LIKE_A_KEY, re.IGNORECASE)
