"""Secrets that are written out in addresses and commands."""

import io
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.containment.safe_stream import SafeStream
from vivavoce.containment.written_secrets import (
    is_named_like_a_key,
    secrets_in_command,
    secrets_in_text,
    without_written_secrets,
    words_of,
)

SECRET = st.text(string.ascii_letters + string.digits + "-_.~%+", min_size=6, max_size=30)
USER = st.text(string.ascii_lowercase, min_size=1, max_size=8)
PREFIX = st.sampled_from(["", "agui:", "openai:", "http://", "https://", "agui:https://", "ws://"])
KEYS = ["key", "api_key", "apikey", "token", "access_token", "sig", "password", "client_secret", "X-Amz-Signature"]
QUOTED = st.sampled_from(
    ["{}", "'{}'", '"{}"', "({})", "agent '{}': not an address", "-n: unknown agent {!r} (known: a)"]
)


@st.composite
def addresses(draw: st.DrawFn) -> tuple[str, str]:
    """(an address, the secret in it)"""
    secret = draw(SECRET)
    if draw(st.booleans()):
        return f"{draw(PREFIX)}{draw(USER)}:{secret}@host.example/run?x=1", secret
    more = draw(st.sampled_from(["", "x=1&", "model=m&"]))
    return f"{draw(PREFIX)}host.example/run?{more}{draw(st.sampled_from(KEYS))}={secret}", secret


def through_the_door(text: str) -> str:
    raw = io.BytesIO()
    out = SafeStream(raw, encoding="utf-8", newline="\n")
    out.pass_own({})
    out.masks = True
    out.write(text)
    out.flush()
    return raw.getvalue().decode()


@given(addresses(), QUOTED)
def test_no_secret_of_an_address_leaves_through_the_stream(address: tuple[str, str], words: str):
    written, secret = address
    shown = through_the_door(words.format(written))
    assert f"{secret}@" not in shown
    assert f"={secret}" not in shown
    assert "host.example/run" in shown
    assert secret in set(secrets_in_text(written))


@given(SECRET, st.sampled_from(["--token", "--api-key", "-password", "--auth-token"]), st.booleans())
def test_a_secret_among_the_words_of_a_command_is_found(secret: str, flag: str, together: bool):
    words = [f"{flag}={secret}"] if together else [flag, secret]
    found = set(secrets_in_command(["python", "agent.py", *words, "--verbose"]))
    assert secret in found or secret.startswith("-")
    assert "--verbose" not in found


CREDENTIAL = st.text(string.ascii_letters + string.digits + "-_.~", min_size=6, max_size=30)
IN_ANY_TEXT = [
    "--url=https://user:{}@host/x",
    "--url=https://host/x?api_key={}",
    "DB=postgres://user:{}@host/db",
    "redis://:{}@host",
    "Server=db;Password={};Database=x",
    "AccountName=a;AccountKey={};EndpointSuffix=core",
    "API_KEY='{}' run",
    'API_KEY="{}"',
    "--accessToken={}",
    "--authToken={}",
    "PGPASSWORD={}",
    "SECRETKEY={}",
]
"""Also inside what is no secret by itself."""


@given(CREDENTIAL, st.sampled_from(IN_ANY_TEXT))
def test_a_secret_inside_of_other_values_is_found_and_masked(secret: str, form: str):
    written = form.format(secret)
    assert secret in set(secrets_in_text(written))
    shown = without_written_secrets(written)
    assert shown == form.format("***")


WORDS = [
    "Authorization: Bearer {}",
    "Authorization:{}",
    "X-Api-Key: {}",
    "X-Api-Key:{}",
    "Cookie: {}",
    "--header=Authorization: Bearer {}",
    "--header=X-Auth-Token:{}",
    '{{"password": "{}"}}',
    "{{'apiKey': '{}', 'x': 1}}",
    '{{"headers": {{"Authorization": "Bearer {}"}}}}',
    "Bearer {}",
]


@given(CREDENTIAL.filter(lambda secret: not secret.startswith("-")), st.sampled_from(WORDS))
def test_a_secret_in_a_header_or_in_json_is_found_among_the_words(secret: str, word: str):
    assert secret in set(secrets_in_command(["npx", "mcp-remote", "http://host/", "-H", word.format(secret), "-v"]))


def test_a_line_is_split_into_words_as_a_shell_does():
    assert words_of("""curl -H 'Authorization: Bearer abc' "x" """) == ["curl", "-H", "Authorization: Bearer abc", "x"]
    assert words_of("it's --token abc") == ["it's", "--token", "abc"]


@pytest.mark.parametrize(
    "words", [["npm", "run", "auth:refresh"], ["python", "-u", "bots.py:refund_agent"], ["x", "http://host/path"]]
)
def test_ordinary_words_of_a_command_are_no_secrets(words: list[str]):
    assert list(secrets_in_command(words)) == []


def test_a_command_without_words_has_no_secrets():
    """Every list of a configuration is looked at, empty ones too."""
    assert list(secrets_in_command([])) == []


@pytest.mark.parametrize(
    "plain",
    [
        "viva.yaml:2: agent 'a': unknown field x (known: y)",
        "--max-tokens=100000",
        "a@b.example",
        "http://host.example/run?model=gpt-4-turbo&n=1",
        "tests/a.jsonl:12: key = 'abcdefgh'",
        "10:30 meet me@home",
        "short?key=abc",
    ],
)
def test_ordinary_words_stay(plain: str):
    assert without_written_secrets(plain) == plain


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        *[(name, True) for name in ("--api-key", "MY_TOKEN", "accessToken", "clientSecret", "PGPASSWORD", "MyAPIKey")],
        *[(name, False) for name in ("--max-tokens", "--keyword", "PATH", "maxTokens", "monkey", "tokenizer", "")],
    ],
)
def test_names_of_keys(name: str, secret: bool):
    assert is_named_like_a_key(name) is secret


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["a:b", "//a", "?a", "a-", "a=", "a:b@", "&key=", "--key", "key=", ";key=x", "a=key="]
)
def test_long_texts_take_linear_time(piece: str):
    """Quadratic time would need minutes here."""
    text = piece * (300_000 // len(piece)) + " =@"
    assert len(without_written_secrets(text)) <= len(text) + 3 * len(text)
