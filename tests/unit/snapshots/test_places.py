from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.snapshots.places import case_file_of, name_in_case, snap_path, snapshots_of


def test_the_file_lies_beside_the_case_file(tmp_path: Path):
    (tmp_path / "pay.jsonl").write_text("{}")
    found = snap_path(Case(id="a", origin=Origin(str(tmp_path / "pay.jsonl"), 3)))
    assert found == tmp_path / "__snapshots__" / "pay.jsonl.snap.yaml"
    assert case_file_of(found) == tmp_path / "pay.jsonl"


@pytest.mark.parametrize("path", ["<stdin>", "<message>", "<cases>", ""])
def test_a_case_without_a_file_has_no_place_for_snapshots(path: str):
    with pytest.raises(UsageError, match="comes from no file"):
        snap_path(Case(id="a", origin=Origin(path, 1)))


def test_names_say_what_is_kept_and_where():
    assert name_in_case("tools", None, None, place="") == "tools"
    assert name_in_case("output", "$.status", None, place="turn 2") == "turn 2: output $.status"
    assert name_in_case("output", "$.status", "state", place="final") == "final: state"


def test_every_snapshot_of_a_case_has_a_name():
    one = (AssertionSpec(type="snapshot"), AssertionSpec(type="contains", fields={"value": "x"}))
    tools = (AssertionSpec(type="snapshot", fields={"of": "tools", "path": "$[0]"}),)
    case = Case(
        id="a",
        turns=(ScriptedTurn(assertions=one), ScriptedTurn(assertions=tools)),
        assertions=tools,
        final_assertions=one,
        rules=ConversationRules(multi_turn=True),
    )
    assert [name for name, _ in snapshots_of(case)] == [
        "turn 1: output",
        "turn 2: tools $[0]",
        "tools $[0]",
        "final: output",
    ]


def test_a_single_line_has_no_turns_whoever_goes_on_talking():
    assert [
        name
        for name, _ in snapshots_of(Case(id="a", turns=(ScriptedTurn(assertions=(AssertionSpec(type="snapshot"),)),)))
    ] == ["output"]
