"""The rules of a scripted model: every mistake is reported with its line."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.connectors.scripted_rules import load_rules
from vivavoce.errors import UsageError


def in_a_file(folder: Path, text: str) -> Any:
    (folder / "rules.yaml").write_text(text)
    return load_rules("offline", {"rules": "rules.yaml"}, [folder / "nowhere", folder])


def test_rules_come_from_the_options_or_from_a_file(tmp_path: Path):
    inline = load_rules("offline", {"rules": [{"say": "hi"}], "otherwise": "what?"}, [])
    assert inline.rules[0].rule.say == "hi"
    assert inline.otherwise is not None
    assert inline.otherwise.rule.say == "what?"
    listed = in_a_file(tmp_path, "- say: hi\n- when: x\n  say: y\n  delay: 1500ms\n")
    assert [placed.place.rpartition(":")[2] for placed in listed.rules] == ["1", "2"]
    assert listed.rules[1].delay_s == 1.5
    assert listed.otherwise is None
    assert in_a_file(tmp_path, "rules:\n  - say: hi\notherwise: {fail: boom}\n").otherwise.rule.fail == "boom"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("- say: hi\n- sya: hi\n", 2, "unknown field 'sya' \\(did you mean 'say'"),
        ("- when: x\n", 1, "the rule answers nothing"),
        ("- say: hi\n  when: '('\n", 2, ""),
        ("- say: hi\n  metadata: {a: {b: 'regex:('}}\n", 2, ""),
        ("- say: '{{ oops'\n", 1, ""),
        ("- say: hi\n  delay: soon\n", 2, "soon"),
        ("- say: hi\n  turn: [1, x]\n", 2, ""),
        ("rules: []\nothrwise: x\n", 2, "unknown field 'othrwise' \\(did you mean 'otherwise'"),
        ("rules: 3\n", 1, "a list of rules is expected"),
    ],
)
def test_a_mistake_is_reported_with_its_line(tmp_path: Path, text: str, line: int, said: str):
    with pytest.raises(UsageError, match=rf"rules.yaml:{line}: .*{said}"):
        in_a_file(tmp_path, text)


def test_a_mistake_in_the_options_names_the_connector():
    with pytest.raises(UsageError, match="connector 'offline': rules\\[0\\]: the rule answers nothing"):
        load_rules("offline", {"rules": [{"when": "x"}]}, [])


def test_missing_rules_say_where_they_were_looked_for(tmp_path: Path):
    with pytest.raises(UsageError, match="connector 'offline' has no rules"):
        load_rules("offline", {}, [tmp_path])
    with pytest.raises(UsageError, match=r"there is no rules file 'gone.yaml' \(looked at .*gone.yaml"):
        load_rules("offline", {"rules": "gone.yaml"}, [tmp_path])
    with pytest.raises(UsageError, match="the rules file is empty"):
        in_a_file(tmp_path, "")
