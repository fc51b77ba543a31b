"""`viva freeze`: a conversation that was held becomes a static case."""

import pytest
from tests.cli.conftest import VivaProject
from tests.cli.screen import with_shop

pytestmark = pytest.mark.process


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    return with_shop(project)


def test_freeze_makes_a_static_case_of_a_conversation(shop: VivaProject):
    simulator = {"use": "scripts:buyer"}
    shop.write("scripts/buyer.py", 'def main(request):\n    return {"input": "let me pay", "goal_achieved": True}\n')
    shop.cases({"id": "T003", "input": "hello", "simulator": simulator})
    assert shop.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 0
    frozen = shop.viva("freeze", "out.jsonl", "--id", "T003", "-o", "tests/frozen.jsonl")
    assert frozen.code == 0, frozen.text
    done = shop.viva("test", "-i", "tests/frozen.jsonl", "-o", "again.jsonl")
    assert done.code == 0, done.text
    [row] = [row for row in shop.rows("again.jsonl") if row["type"] == "result"]
    assert [turn["input_source"] for turn in row["turns"]] == ["static", "static"]
    named = shop.viva("freeze", "last~1", "-o", "tests/named.jsonl")
    assert named.code == 0, named.text
    written = [(shop.root / "tests" / name).read_text() for name in ("named.jsonl", "frozen.jsonl")]
    assert written[0] == written[1]
    assert "there is no run last~9: 2 kept" in shop.viva("freeze", "last~9", "-o", "x.jsonl").err
