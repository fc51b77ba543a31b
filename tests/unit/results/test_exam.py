"""What decides a run's results, as keyed hashes, and how two of them differ."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.results.exam import ExamChange, ExamKey, agent_part, exam_key

KEY = ExamKey(b"k" * 32)
PARTS = st.dictionaries(
    st.sampled_from(["variables", "max_turns", agent_part("source", "a"), agent_part("source", "b of c")]),
    st.integers(0, 2),
)


@given(PARTS, PARTS)
def test_every_difference_is_said_and_nothing_else(was: dict[str, int], now: dict[str, int]):
    change = ExamChange(KEY.hashes(was), KEY.hashes(now))
    different = {name for name in was | now if was.get(name) != now.get(name)}
    assert len(list(change.words())) == len(different)
    everywhere = bool(different & {"variables", "max_turns"})
    for agent in ("a", "b of c", "d"):
        assert change.concerns(agent) == (everywhere or agent_part("source", agent) in different)


def test_the_order_of_fields_does_not_count():
    assert KEY.hashes({"x": {"a": 1, "b": 2}}) == KEY.hashes({"x": {"b": 2, "a": 1}})


@pytest.mark.parametrize(("was", "now"), [({}, KEY.hashes({})), (KEY.hashes({}), {})])
def test_where_nothing_is_known_nothing_counts(was: dict[str, str], now: dict[str, str]):
    change = ExamChange(was, now)
    assert change.unknown
    assert change.concerns("any")


def test_a_key_is_made_once_and_only_for_its_owner(tmp_path: Path):
    first, again = exam_key(tmp_path / ".viva"), exam_key(tmp_path / ".viva")
    assert first is not None
    assert again is not None
    assert first.hashes({"x": 1}) == again.hashes({"x": 1})
    assert (tmp_path / ".viva" / "exam.key").stat().st_mode & 0o777 == 0o600
    assert list((tmp_path / ".viva").glob("*.tmp")) == []


def test_a_damaged_key_is_another_key(tmp_path: Path):
    first = exam_key(tmp_path)
    (tmp_path / "exam.key").write_bytes(b"short")
    second = exam_key(tmp_path)
    assert first is not None
    assert second is not None
    assert ExamChange(first.hashes({}), second.hashes({})).unknown


def test_without_a_folder_there_is_no_key(tmp_path: Path):
    (tmp_path / "file").write_text("")
    assert exam_key(tmp_path / "file" / ".viva") is None
