"""Why no recorded answer fits: each reason in words."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from vivavoce.sight.tapes.explaining import MISS, explained_miss, shown, spine_of
from vivavoce.sight.tapes.fingerprint import Fingerprint, fingerprint
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry
from vivavoce.sight.tapes.tape_reading import Tape, read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter

CHAT = "/v1/chat/completions"


def asked(*said: str, stream: bool = False, path: str = CHAT) -> Fingerprint:
    talk = [{"role": "user" if at % 2 == 0 else "assistant", "content": text} for at, text in enumerate(said)]
    body = msgspec.json.encode({"model": "m", "messages": talk, "stream": stream})
    return fingerprint("openai", "POST", path, "", body, Normaliser())[0]


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    from vivavoce.sight.tapes.attempt_tape import AttemptTape

    writer = TapeWriter(tmp_path / "a.tape.jsonl")
    writer.begin("case", 1)
    kept = AttemptTape("case", 1, normaliser=Normaliser(), writer=writer)
    for said in (("hi",), ("hi", "Hello.", "refund it")):
        kept.keep(asked(*said), Entry(case="", chunks=[(0.0, "ok")]))
    return read_tape(writer.path)


def why(wanted: Fingerprint, tape: Tape, case: str = "case", run: int = 1, used: set[int] | None = None) -> str:
    return explained_miss(wanted, tape, case, run, used or set(), "")


def test_the_message_begins_alike_and_ends_with_the_command_that_records(tape: Tape):
    told = explained_miss(asked("x"), tape, "case", 1, set(), "viva test --record t")
    assert told.startswith(f"{MISS}: ")
    assert told.endswith("; record it again: viva test --record t")
    assert "record it again" not in why(asked("x"), tape)


def test_a_case_or_a_run_that_was_not_recorded_is_named(tape: Tape):
    assert "has nothing of case 'other'" in why(asked("hi"), tape, case="other")
    assert "has 1 run of case 'case', and this is run 2" in why(asked("hi"), tape, run=2)


def test_another_address_is_named_with_those_that_were_called(tape: Tape):
    told = why(asked("hi", path="/v1/embeddings"), tape)
    assert "openai /v1/embeddings was never called" in told
    assert f"recorded: openai {CHAT}" in told


def test_one_call_too_many_is_counted(tape: Tape):
    assert "it was recorded 1 time, and this is one more" in why(asked("hi"), tape, used={0})


def test_the_first_message_that_differs_is_shown_of_the_nearest_request(tape: Tape):
    told = why(asked("hi", "Hello.", "cancel it"), tape)
    assert "message 3 differs: recorded user: refund it, now user: cancel it" in told


def test_a_message_that_is_missing_is_nothing(tape: Tape):
    assert "message 3 differs: recorded user: refund it, now nothing" in why(asked("hi", "Hello."), tape, used={0})


def test_of_an_unknown_api_the_whole_body_is_compared(tmp_path: Path):
    from vivavoce.sight.tapes.attempt_tape import AttemptTape

    def posted(body: str) -> Fingerprint:
        return fingerprint("openai", "POST", "/v1/odd", "", msgspec.json.encode({"q": body}), Normaliser())[0]

    writer = TapeWriter(tmp_path / "a.tape.jsonl")
    writer.begin("case", 1)
    kept = AttemptTape("case", 1, normaliser=Normaliser(), writer=writer)
    kept.keep(posted("before"), Entry(case="", chunks=[(0.0, "ok")]))
    told = why(posted("after"), read_tape(writer.path))
    assert "message 1 differs: " in told
    assert '"q":"before"' in told.partition(", now ")[0]
    assert '"q":"after"' in told.partition(", now ")[2]
    kept.keep(posted("asked"), Entry(case="", kind="mcp", path="tools/call", chunks=[(0.0, "ok")]))
    tape = read_tape(writer.path)
    spines = [spine_of(tape, structs.replace(entry, kind="mcp", path="tools/call")) for entry in tape.entries()]
    assert spines == [[{"role": "body", "text": {"q": body}}] for body in ("before", "asked")]


def test_a_stream_asked_for_the_other_way_is_said(tape: Tape):
    assert "it was recorded in one piece, now it is asked for the other way" in why(asked("hi", stream=True), tape)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (None, "nothing"),
        ({"role": "user", "text": "hi"}, "user: hi"),
        ({"role": "assistant", "calls": [["refund", {"order": 7}]]}, 'assistant: calls refund{"order":7}'),
        ({"role": "tool", "results": 2}, "tool: 2 tool results"),
        ({"role": "body", "text": {"a": 1}}, 'body: {"a":1}'),
    ],
)
def test_a_message_in_words(message: Any, words: str):
    assert shown(message) == words
