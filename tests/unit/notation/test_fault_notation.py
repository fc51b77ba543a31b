"""Faults as people write them."""

from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.notation.fault_notation import read_fault, written_fault


def test_the_short_form_names_place_kind_and_position():
    model = read_fault("model:429@2")
    assert (model.at, model.kind, model.nth) == ("model", "429", 2)
    tool = read_fault("tool:refund:error")
    assert (tool.at, tool.name, tool.kind, tool.nth) == ("tool", "refund", "error", 1)


@pytest.mark.parametrize("field", ["for", "retry_after"])
def test_a_duration_is_seconds(field: str):
    assert read_fault({"at": "model", "kind": "429", field: "1500ms"}).seconds == 1.5


@pytest.mark.parametrize(
    "written",
    [
        "model:429@2",
        "tool:refund:error",
        {"at": "model", "kind": "429", "for": "2s"},
        {"at": "tool", "name": "refund", "kind": "error", "rate": 0.5, "seed": 7},
    ],
)
def test_what_is_written_again_reads_the_same(written: Any):
    fault = read_fault(written)
    assert read_fault(written_fault(fault)) == fault


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("model", "not a fault: 'model'"),
        ("model:x:429", "not a fault"),
        ("model:429@two", "not a fault"),
        (7, "a text or an object, not 7"),
        ("planet:429", "`at` is one of"),
        ("model:42", "knows no kind '42' \\(did you mean '429'\\?\\)"),
        ({"at": "model", "kind": "429", "nht": 1}, "unknown field 'nht' \\(did you mean 'nth'\\?\\)"),
        ({"at": "tool", "kind": "error"}, "names no tool"),
        ({"at": "model", "kind": "429", "name": "x"}, "only tools have a `name`"),
        ("model:429@0", "`nth` counts from 1"),
        ({"at": "model", "kind": "429", "nth": True}, "`nth` counts from 1"),
        ({"at": "tool", "name": "x", "kind": "result"}, "needs a `result`"),
        ({"at": "model", "kind": "429", "seed": 1}, "a `seed` needs a `rate`"),
        ({"at": "model", "kind": "429", "rate": 0.5}, "and a `seed`"),
        ({"at": "model", "kind": "429", "rate": 2, "seed": 1}, "above 0 and up to 1"),
        ({"at": "model", "kind": "429", "for": "soon"}, "fault: "),
    ],
)
def test_a_fault_that_cannot_be_is_refused(written: Any, said: str):
    with pytest.raises(UsageError, match=said):
        read_fault(written)
