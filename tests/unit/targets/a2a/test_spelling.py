"""Every version's words for the same thing."""

from typing import Any

import pytest

from vivavoce.targets.a2a.spelling import event_of, is_of_user, parts_of, state_of


@pytest.mark.parametrize("written", ["input-required", "TASK_STATE_INPUT_REQUIRED", "input_required"])
def test_a_state_has_one_spelling(written: str) -> None:
    assert state_of(written) == "input-required"
    assert (state_of(None), state_of(3)) == ("", "")


def test_a_role_has_one_spelling() -> None:
    assert is_of_user({"role": "ROLE_USER"})
    assert is_of_user({"role": "user"})
    assert not is_of_user({"role": "ROLE_AGENT"})
    assert not is_of_user({"role": None})


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"task": {"id": "t"}}, "task"),
        ({"kind": "task", "id": "t", "status": {}}, "task"),
        ({"id": "t", "status": {}}, "task"),
        ({"statusUpdate": {"taskId": "t"}}, "status"),
        ({"kind": "status-update", "taskId": "t", "status": {}}, "status"),
        ({"taskId": "t", "status": {}}, "status"),
        ({"artifactUpdate": {"artifact": {}}}, "artifact"),
        ({"taskId": "t", "artifact": {}}, "artifact"),
        ({"message": {"parts": []}}, "message"),
        ({"msg": {"content": []}}, "message"),
        ({"role": "agent", "parts": []}, "message"),
        ({"message": "unknown exception"}, None),
        ({"surprise": {}}, None),
        ("text", None),
    ],
)
def test_what_a_result_is(result: Any, kind: str | None) -> None:
    assert event_of(result)[0] == kind


def test_parts_of_every_version_and_of_none() -> None:
    parts = [
        {"kind": "text", "text": "a"},
        {"data": {"data": {"n": 1}}},
        {"kind": "data", "data": {"data": 1}},
        {"kind": "file", "file": {"uri": "u"}},
        {"raw": "AAAA"},
        {"kind": "text", "text": None},
        "words",
    ]
    assert [(part.kind, part.value) for part in parts_of({"parts": parts})] == [
        ("text", "a"),
        ("data", {"n": 1}),
        ("data", {"data": 1}),
        ("file", {"kind": "file", "file": {"uri": "u"}, "uri": "u"}),
        ("file", {"raw": "AAAA"}),
        ("unknown", {"kind": "text", "text": None}),
        ("unknown", "words"),
    ]
    assert [part.value for part in parts_of({"parts": None, "content": [{"text": "b"}]})] == ["b"]
    assert parts_of({}) == []
