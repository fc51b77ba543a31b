"""Secrets that somebody wrote out in an address or a command: `user:password@`, `?api_key=…`, `--token …`."""

import re
from collections.abc import Iterator, Sequence
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
# Every repetition that something must follow is bounded: the time stays linear in the text.
_LOGIN = r"(?:(?<=//)|(?<![^\s/:'\"(,\[=]))[^\s/:@'\"?#(]{1,64}:(?P<login>[^\s/@'\"]{1,128})@(?=[\w\[])"
_LOGIN_ALONE = r"(?<=//)(?P<alone>[^\s/:@'\"?#]{1,128})@(?=[\w\[])"
_QUERY = r"(?<=[?&;])(?P<name>[\w.%-]{1,64})=(?P<value>[^\s&;'\"#?)\]]+)"
_SET = r"(?<![\w?&;-])-{0,2}(?P<flag>[A-Za-z][\w-]{0,63})=(?P<given>[^\s'\",\])]+)"


def secrets_in_text(text: str) -> Iterator[str]:
    """The secrets that stand in an address or behind a `NAME=` anywhere in a text."""
    for found in _written().finditer(text):
        if (secret := _secret_of(found)) is not None:
            yield found[secret]
            # A prefix of ours may stand before it: in `agui:user:password@host` the password comes last.
            yield found[secret].rpartition(":")[2]


def secrets_in_command(argv: Sequence[str]) -> Iterator[str]:
    """The secrets among a command's words: also those that follow their flag as the next word."""
    for word, following in pairwise([*argv, ""]):
        yield from secrets_in_text(word)
        if word.startswith("-") and "=" not in word and is_named_like_a_key(word) and not following.startswith("-"):
            yield following


def without_written_secrets(text: str) -> str:
    """The text with those secrets masked."""
    return _written().sub(_masked, text) if "=" in text or "@" in text else text


def is_named_like_a_key(name: str) -> bool:
    """Whether a flag or an environment variable names a secret: `--api-key`, `MY_TOKEN`; not `--max-tokens`."""
    return not _KEY_WORDS.isdisjoint(re.split("[^a-z]+", name.lower()))


def _secret_of(found: "re.Match[str]") -> str | None:
    """The group that holds the secret, if it is long enough to be one."""
    if found["login"] is not None or found["alone"] is not None:
        group = "login" if found["login"] is not None else "alone"
    elif found["name"] is not None:
        group = "value" if _key_name().search(found["name"]) else ""
    else:
        group = "given" if is_named_like_a_key(found["flag"]) else ""
    return group if group and len(found[group]) >= SHORTEST_SECRET else None


def _masked(found: "re.Match[str]") -> str:
    group = _secret_of(found)
    if group is None:
        return found[0]
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    return f"{found[0][:start]}{MASK}{found[0][end:]}"


@cache
def _written() -> "re.Pattern[str]":
    return re.compile("|".join((_LOGIN, _LOGIN_ALONE, _QUERY, _SET)))


@cache
def _key_name() -> "re.Pattern[str]":
    return re.compile(_LIKE_A_KEY, re.IGNORECASE)
