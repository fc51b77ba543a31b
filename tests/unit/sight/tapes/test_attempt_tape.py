"""Which recorded answer a request gets, and what the tape of an attempt knows afterwards."""

from pathlib import Path

import msgspec

from vivavoce.sight.tapes.attempt_tape import AttemptTape, Found, Missed
from vivavoce.sight.tapes.fingerprint import Fingerprint, fingerprint
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry
from vivavoce.sight.tapes.tape_reading import Tape, read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter


def asked(said: str, system: str = "Be a shop.") -> Fingerprint:
    talk = [{"role": "system", "content": system}, {"role": "user", "content": said}]
    body = msgspec.json.encode({"model": "m", "messages": talk})
    return fingerprint("openai", "POST", "/v1/chat/completions", "", body, Normaliser())[0]


def recorded(folder: Path, *said: str) -> Tape:
    writer = TapeWriter(folder / "a.tape.jsonl")
    writer.begin("case", 1)
    attempt_tape = AttemptTape("case", 1, normaliser=Normaliser(), writer=writer)
    for number, one in enumerate(said):
        assert attempt_tape.answer_to(asked(one)) is None
        attempt_tape.keep(asked(one), Entry(case="", chunks=[(0.0, f"answer {number}")]))
    assert attempt_tape.kept == len(said)
    return read_tape(writer.path)


def replaying(tape: Tape, run: int = 1, *, reuse: bool = False) -> AttemptTape:
    return AttemptTape("case", run, normaliser=Normaliser(), tape=tape, reuse=reuse, re_record="viva test --record x")


def text(found: Found | Missed | None) -> str:
    assert isinstance(found, Found), found
    return found.entry.chunks[0][1]


def test_equal_requests_get_their_answers_in_recorded_order_and_then_miss(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "hi", "hi"))
    assert [text(attempt_tape.answer_to(asked("hi"))) for _ in range(2)] == ["answer 0", "answer 1"]
    missed = attempt_tape.answer_to(asked("hi"))
    assert isinstance(missed, Missed)
    assert "recorded 2 times, and this is one more" in missed.why
    assert "viva test --record x" in missed.why
    assert attempt_tape.misses == [missed.why]


def test_reuse_answers_again_with_the_last_one(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "hi"), reuse=True)
    assert [text(attempt_tape.answer_to(asked("hi"))) for _ in range(3)] == ["answer 0"] * 3


def test_an_exact_match_is_preferred_whatever_the_order(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "one", "two"))
    assert text(attempt_tape.answer_to(asked("two"))) == "answer 1"
    assert text(attempt_tape.answer_to(asked("one"))) == "answer 0"
    assert attempt_tape.unused() == []


def test_another_system_prompt_is_found_and_noted(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "hi"))
    found = attempt_tape.answer_to(asked("hi", "Be a bank."))
    assert isinstance(found, Found)
    assert found.differs == ("system",)
    assert [sections for _, _, sections in attempt_tape.loose] == [("system",)]


def test_an_exact_question_that_is_not_there_is_no_miss(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "hi"))
    assert attempt_tape.answer_to(asked("hi", "Be a bank."), exact=True) is None
    assert attempt_tape.misses == []


def test_another_run_has_its_own_calls(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "hi"), run=2)
    assert not attempt_tape.is_on_tape
    missed = attempt_tape.answer_to(asked("hi"))
    assert isinstance(missed, Missed)
    assert "has 1 run of case 'case', and this is run 2" in missed.why


def test_how_well_a_request_fits(tmp_path: Path):
    attempt_tape = replaying(recorded(tmp_path, "hi"))
    assert [
        attempt_tape.fits(asked("hi")),
        attempt_tape.fits(asked("hi", "Be a bank.")),
        attempt_tape.fits(asked("no")),
    ] == [2, 1, 0]
