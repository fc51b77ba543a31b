"""The index of a line, changed in place."""

import json

import pytest
from msgspec import structs
from tests.fakes import results

from vivavoce.results.line_index import with_index
from vivavoce.results.rows import row_line


@pytest.mark.parametrize("result", results.every_kind(), ids=lambda result: result.case.id)
def test_the_line_is_the_one_of_a_result_with_that_index(result):
    assert with_index(row_line(result), 4711) == row_line(structs.replace(result, index=4711))


@pytest.mark.parametrize(
    "row",
    [
        {"output": {"a": 1, "index": 3}, "id": "T1"},
        {"output": {"a": 1, "index": 3}, "id": "T1", "index": 7},
        {"id": 'a,"index":3', "index": 7},
        {"id": "T1"},
    ],
    ids=str,
)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_only_the_result_s_own_index_is_changed(row, separators):
    line = (json.dumps(row, separators=separators) + "\n").encode()
    changed = with_index(line, 5)
    assert json.loads(changed) == {**row, "index": 5}
    assert changed.endswith(b"\n")
