"""Secrets taken out of whatever an attempt holds: texts change, what a struct is stays."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import quote, quote_plus

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import inspect
from tests.fakes.any_struct import any_struct
from yarl import URL

from vivavoce.model.events import (
    AttemptFinished,
    AttemptStarted,
    CaseFinished,
    RunFinished,
    RunStarted,
    TurnFinished,
)
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.project.redaction import SHORTEST_SECRET, Secrets, _free_fields  # pyright: ignore[reportPrivateUsage]


def secrets(*values: str) -> Secrets:
    kept = Secrets()
    for value in values:
        kept.add(value)
    return kept


def attempt(output: Any = None, *, error: str | None = None, **reply: Any) -> Attempt:
    turn = Turn(number=1, line=Line(content="hi"), reply=AgentReply(text="said", data=output, **reply))
    return Attempt(status=Status.PASSED, fault=None, error=error, transcript=Transcript(turns=(turn,)))


def test_a_secret_has_at_least_six_characters():
    """Shorter values are ordinary words: masking them would make reports unreadable."""
    assert SHORTEST_SECRET == 6
    assert secrets("abcdef").mask("x abcdef y") == "x *** y"
    assert secrets("abcde").mask("x abcde y") == "x abcde y"


def test_a_line_of_a_longer_secret_counts_from_six_characters_too():
    kept = secrets("first line\nabcdef\nvwxyz")
    assert kept.mask("abcdef and vwxyz") == "*** and vwxyz"


@pytest.mark.parametrize(("value", "masked"), [("abcdef", ["abcdef"]), ("abcde", [])])
def test_only_a_real_secret_is_reported_to_the_ci_system(value: str, masked: list[str]):
    kept, reported = Secrets(), list[str]()
    kept.on_add = reported.append
    assert kept.add(value) == value
    assert reported == masked


def coded(text: str, characters: str) -> str:
    return re.sub(f"[{characters}]", lambda found: f"\\u{ord(found[0]):04x}", text)


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "without its trailing blank": str.strip,
    "in JSON": json.dumps,
    "in JSON, not escaped for ASCII": lambda value: json.dumps(value, ensure_ascii=False),
    "in JSON, with capital digits": lambda value: re.sub(
        r"\\(?:u[0-9a-f]{4}|.)", lambda code: code[0][:2] + code[0][2:].upper(), json.dumps(value)
    ),
    "in JSON inside JSON": lambda value: json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False),
    "in JSON with escaped slashes": lambda value: json.dumps(value, ensure_ascii=False).replace("/", "\\/"),
    "in JSON as PHP writes it": lambda value: json.dumps(value).replace("/", "\\/"),
    "in JSON as Gson writes it": lambda value: json.dumps(coded(json.dumps(value, ensure_ascii=False), "<>&='")),
    "in JSON as .NET writes it": lambda value: re.sub(
        r"\\(?:u[0-9a-f]{4}|.)",
        lambda code: "\\u0022" if code[0] == '\\"' else code[0][:2] + code[0][2:].upper(),
        '"' + coded(json.dumps(value)[1:-1], "&'+<>`") + '"',
    ),
    "percent-encoded": lambda value: quote(value, safe=""),
    "percent-encoded but for slashes": quote,
    "percent-encoded in lower case": lambda value: re.sub("%..", lambda code: code[0].lower(), quote(value, safe="")),
    "percent-encoded by JavaScript": lambda value: quote(value, safe="!'()*"),
    "percent-encoded by JavaScript, whole addresses": lambda value: quote(value, safe="!'()*;,/?:@&=+$#"),
    "percent-encoded by yarl": lambda value: str(URL.build(query={"a": value}))[3:],
    "as a form": quote_plus,
    "percent-encoded twice": lambda value: quote(quote(value, safe=""), safe=""),
    "in JSON inside JSON inside JSON": lambda value: json.dumps(
        json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False), ensure_ascii=False
    ),
    "in Python's quotes": repr,
    "in Python's quotes, as ASCII": ascii,
    "on a stream that is ASCII": lambda value: value.encode("ascii", "backslashreplace").decode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(st.text(st.characters(codec="utf-8", exclude_characters="*"), min_size=SHORTEST_SECRET, max_size=40))
def test_a_secret_is_masked_in_every_spelling(spelling: str, value: str):
    spelt = SPELLINGS[spelling](value)
    assume(len(value.strip()) >= SHORTEST_SECRET and len(value.splitlines()) == 1)
    assert secrets(value).mask(f"<{spelt}>").strip("<>\"'\\ ") == "***", spelt


def test_a_secret_that_is_not_utf_8_is_masked():
    value = b"caf\xe9-secret-1".decode(errors="surrogateescape")
    for spelt in (value, quote(b"caf\xe9-secret-1"), repr(value)):
        assert secrets(value).mask(f"<{spelt}>").strip("<>'") == "***"


@pytest.mark.parametrize(
    ("address", "leak"),
    [
        ("https://user:pa%40ssword@host/v1", "pa%40ssword"),
        ("https://user:pa%40ssword@host/v1", "pa@ssword"),
        ("https://ghp_token123@host/v1", "ghp_token123"),
        ("https://host/v1?model=m&api_key=k-123456&x=1", "k-123456"),
        ("wss://host/?access-token=abc%2Fdef", "abc/def"),
        ("openai:https://user:pa%40ssword@host/v1?model=m&key=k-123456", "pa@ssword"),
        ("openai:https://user:pa%40ssword@host/v1?model=m&key=k-123456", "k-123456"),
    ],
)
def test_what_is_secret_in_an_address_is_a_secret(address: str, leak: str):
    kept = Secrets()
    kept.add_address(address)
    assert leak not in kept.mask(f"{address} {leak}")
    assert "model=m" in kept.mask("?model=m")


def test_a_header_is_masked_whole_and_without_its_scheme():
    kept = Secrets()
    kept.add_header("Bearer abcdef")
    assert kept.mask("abcdef, Bearer abcdef") == "***, ***"


def test_texts_and_keys_are_masked_wherever_they_stand():
    held = attempt(
        {"sk-secret": ["x sk-secret y", ("sk-secret",)], "n": 1},
        error="got sk-secret",
        calls=(ToolCall(id="1", name="pay", args={"key": "sk-secret"}, result="sk-secret"),),
    )
    clean = secrets("sk-secret").masked(held)
    assert "sk-secret" not in repr(clean)
    assert clean.transcript.turns[0].reply.data == {"***": ["x *** y", ("***",)], "n": 1}
    assert (clean.error, clean.transcript.turns[0].reply.calls[0].args) == ("got ***", {"key": "***"})


@pytest.mark.parametrize("word", ["passed", "script", "completed", "transcript", "content"])
def test_what_a_struct_says_in_words_of_its_own_stays(word: str):
    held = attempt(f"it is {word}")
    clean = secrets(word).masked(held)
    assert (clean.status, clean.transcript.turns[0].line.source) == (held.status, held.transcript.turns[0].line.source)
    assert clean.transcript.turns[0].reply.data == "it is ***"


def test_a_number_of_the_agents_is_masked_and_ours_are_not():
    held = Attempt(status=Status.PASSED, started_ms=733905733905.5, transcript=attempt([733905, 12]).transcript)
    clean = secrets("733905").masked(held)
    assert clean.transcript.turns[0].reply.data == ["***", 12]
    assert clean.started_ms == held.started_ms


def test_what_holds_no_secret_is_the_same_object():
    held = attempt("nothing")
    assert secrets("sk-secret").masked(held) is held


def test_half_characters_and_endless_nesting_are_survived():
    deep: list[Any] = ["sk-secret"]
    for _ in range(5000):
        deep = [deep]
    clean = secrets("sk-secret").masked(attempt({"half": "\ud83d sk-secret", "deep": deep}))
    said: Any = clean.transcript.turns[0].reply.data
    assert said["half"] == "\ud83d ***"


def test_a_secret_inside_json_inside_a_text_is_masked():
    assert secrets('quo"ted\\x').mask(r'{"key": "quo\"ted\\x"}') == '{"key": "***"}'


def test_a_secret_of_several_lines_is_masked_however_it_is_quoted():
    key = "-----BEGIN KEY-----\nMIIabcdefSECRETLINE\n-----END KEY-----"
    kept = secrets(key, "pa\\ss-word'1234")
    for text in (key, repr(key), f"see {key!r}", "the line MIIabcdefSECRETLINE alone", repr("pa\\ss-word'1234")):
        assert "SECRETLINE" not in kept.mask(text)
        assert "ss-word" not in kept.mask(text)


@pytest.mark.parametrize("seed", range(6))
def test_of_two_secrets_the_longer_is_struck_out_whole(seed: int):
    program = (
        "from vivavoce.project.redaction import Secrets; s = Secrets(); s.add('abcdef');"
        " s.add('abcdef-long-tail-secret');"
        "print(s.overwritten(b'x abcdef-long-tail-secret y abcdef').decode(), s.mask('abcdef-long-tail-secret'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "x *********************** y ****** ***\n"


EVENTS = [RunStarted, AttemptStarted, TurnFinished, AttemptFinished, CaseFinished, RunFinished]


@pytest.mark.parametrize("kind", EVENTS)
@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_event_of_a_run_keeps_a_secret_in_any_text(kind: type, seed: int):
    """Fields are read off the types: one that is added later is covered by itself."""
    planted = any_struct(kind, Random(seed), " sk-secret", line=b"")
    clean = secrets("sk-secret").masked(planted)
    assert type(clean) is kind
    assert "sk-secret" not in repr(clean)
    assert b"sk-secret" not in msgspec.json.encode(clean)


def test_only_names_that_viva_finds_things_by_are_kept_as_they_are():
    kept = {
        f"{shape.cls.__name__}.{field.name}"
        for kind in EVENTS
        for shape in structs_in(inspect.type_info(kind))
        for field in shape.fields
        if holds_text(field.type) and field.name not in _free_fields(shape.cls)
    }
    assert kept == {
        "AgentVersion.configuration",
        "AgentVersion.source",
        "AssertionSpec.type",
        "Origin.path",
        "RunInfo.agent_of",
        "RunInfo.exam",
        "RunInfo.project_root",
        "RunInfo.revision",
        "RunInfo.run_id",
        "RunInfo.shard",
        "RunInfo.started_at",
        "RunInfo.version",
    }


def structs_in(shape: Any, seen: set[type] | None = None) -> Iterator[inspect.StructType]:
    seen = set() if seen is None else seen
    if isinstance(shape, inspect.StructType):
        if shape.cls in seen:
            return
        seen.add(shape.cls)
        yield shape
    for inner in parts_of(shape):
        yield from structs_in(inner, seen)


def parts_of(shape: Any) -> list[Any]:
    if isinstance(shape, inspect.StructType):
        return [field.type for field in shape.fields]
    if isinstance(shape, inspect.UnionType):
        return list(shape.types)
    if isinstance(shape, inspect.DictType):
        return [shape.key_type, shape.value_type]
    if isinstance(shape, inspect.CollectionType):
        return [shape.item_type]
    return [shape.type] if isinstance(shape, inspect.Metadata) else []


def holds_text(shape: Any) -> bool:
    if isinstance(shape, inspect.StructType):
        return True
    return isinstance(shape, inspect.StrType | inspect.AnyType) or any(map(holds_text, parts_of(shape)))
