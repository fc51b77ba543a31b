"""Structured output changed, with the checks that would notice."""

import pytest

from vivavoce.insight.mutants.structured import data_variants
from vivavoce.model.json_value import JsonValue
from vivavoce.model.mutant_kinds import MutantKind


def by_kind(data: JsonValue) -> dict[MutantKind, list[JsonValue]]:
    found: dict[MutantKind, list[JsonValue]] = {}
    for one in data_variants(data):
        found.setdefault(one.kind, []).append(one.data)
    return found


def test_each_member_of_an_object_is_once_missing():
    assert by_kind({"a": "x", "b": [1]}) == {
        MutantKind.REPLY_EMPTIED: [{}],
        MutantKind.REPLY_REPLACED: [{"error": "cannot help"}],
        MutantKind.REPLY_CUT: [{"b": [1]}, {"a": "x"}],
        MutantKind.REPLY_NUMBER: [{"a": "x", "b": [2]}],
    }


def test_a_list_loses_its_last_item():
    assert by_kind(["a", "b"])[MutantKind.REPLY_CUT] == [["a"]]


@pytest.mark.parametrize("nothing", [{}, [], None])
def test_nothing_cannot_be_emptied_or_cut(nothing: JsonValue):
    assert list(by_kind(nothing)) == [MutantKind.REPLY_REPLACED]


def test_true_is_no_number():
    assert MutantKind.REPLY_NUMBER not in by_kind({"ok": True, "name": "7"})


def test_the_first_number_is_named_by_its_path():
    (variant,) = (one for one in data_variants({"a b": [{"total": 5}]}) if one.kind is MutantKind.REPLY_NUMBER)
    assert variant.suggestions[0] == {"type": "json_path", "path": '$["a b"][0].total', "value": 5}


def test_large_output_is_not_suggested_as_a_whole():
    large = {"text": "x" * 400}
    assert all({"type": "equals", "value": large} not in one.suggestions for one in data_variants(large))
    small = {"text": "x"}
    assert all({"type": "equals", "value": small} in one.suggestions for one in data_variants(small))
