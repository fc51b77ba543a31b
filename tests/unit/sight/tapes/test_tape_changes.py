"""Two tapes beside each other."""

from pathlib import Path

from tests.unit.sight.tapes.test_attempt_tape import recorded

from vivavoce.sight.tapes.tape_changes import tape_changes


def test_equal_tapes_do_not_differ(tmp_path: Path):
    assert list(tape_changes(recorded(tmp_path / "a", "hi"), recorded(tmp_path / "b", "hi"))) == []


def test_calls_that_are_gone_new_and_changed(tmp_path: Path):
    old, new = recorded(tmp_path / "a", "hi", "bye"), recorded(tmp_path / "b", "hello")
    assert list(tape_changes(old, new)) == [
        'case: call 1: talk: [0].content: recorded "hi", now "hello"',
        "case: call 2 (openai /v1/chat/completions) is no longer made",
    ]
    assert [line for line in tape_changes(new, old) if "is new" in line] == [
        "case: call 2 (openai /v1/chat/completions) is new"
    ]


def test_another_answer_to_the_same_request(tmp_path: Path):
    old, new = recorded(tmp_path / "a", "hi"), recorded(tmp_path / "b", "x", "hi")
    assert "case: call 1: another answer" in list(tape_changes(old, new))


def test_a_case_that_only_one_tape_has(tmp_path: Path):
    old, new = recorded(tmp_path / "a", "hi"), recorded(tmp_path / "b", "hi")
    new.attempts.clear()
    assert list(tape_changes(old, new)) == ["case: only in the old tape, 1 call"]
