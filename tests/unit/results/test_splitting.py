"""The shards of a split run: which are missing, doubled or of another split."""

import pytest
from msgspec import structs
from tests.fakes.results import run_info

from vivavoce.model.result import RunInfo
from vivavoce.results.splitting import Split, splits_of


def part(shard: str | None, *, of: int | None = 4, inputs: tuple[str, ...] = ("a.jsonl",)) -> RunInfo:
    return structs.replace(run_info(2), shard=shard, cases_of_all_shards=of, inputs=inputs)


def test_all_shards_are_the_whole_run():
    (split,) = splits_of([part("1/2"), part("2/2")], [{"a", "b"}, {"c", "d"}])
    assert split == Split(shards=((1, 2), (2, 2)), cases=4, results=4)
    assert (split.lost, split.missing(), split.objections(last_wins=False)) == (0, [], [])
    assert split.written == "1/2,2/2"


def test_a_missing_shard_is_named_with_what_is_lost():
    (split,) = splits_of([part("1/3"), part("3/3")], [{"a"}, {"b", "c"}])
    assert split.missing() == ["2/3"]
    assert split.objections(last_wins=False) == ["shard 2/3 is missing: 1 case was not run"]


def test_a_shard_in_which_no_case_falls_is_not_missed():
    (split,) = splits_of([part("1/2", of=2)], [{"a", "b"}])
    assert split.missing() == []


def test_of_a_split_of_unknown_size_every_shard_is_expected():
    (split,) = splits_of([part("1/3", of=None)], [{"a"}])
    assert split.missing() == ["2/3", "3/3"]
    assert split.objections(last_wins=False) == ["shards 2/3 and 3/3 are missing"]


def test_the_same_shard_twice_is_meant_only_where_the_last_wins():
    (split,) = splits_of([part("1/1", of=1), part("1/1", of=1)], [{"a"}, {"a"}])
    assert split.objections(last_wins=False) == ["shard 1/1 is given more than once"]
    assert split.objections(last_wins=True) == []


def test_parts_of_different_splits_are_told():
    (split,) = splits_of([part("1/2"), part("2/3")], [{"a"}, {"b", "c", "d"}])
    assert split.objections(last_wins=False) == ["these are parts of different splits: 1/2 and 2/3"]


def test_a_merged_run_names_all_its_shards():
    (split,) = splits_of([part("1/3,2/3"), part("3/3")], [{"a", "b"}, {"c", "d"}])
    assert split.shards == ((1, 3), (2, 3), (3, 3))


def test_other_inputs_are_another_split_and_whole_runs_are_none():
    runs = [part("1/2"), part("1/2", inputs=("b.jsonl",)), part(None)]
    assert len(splits_of(runs, [{"a"}, {"b"}, {"c"}])) == 2


@pytest.mark.parametrize(("count", "words"), [(12, "and 1 more are missing"), (11, "and 11/11 are missing")])
def test_many_missing_shards_are_counted(count: int, words: str):
    (split,) = splits_of([part(f"1/{count}", of=None)], [set()])
    assert words in split.objections(last_wins=False)[0]
