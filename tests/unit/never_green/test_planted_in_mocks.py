"""A forbidden call whose answer is a mock's or a fault's, which are then bent: it is seen, or nothing is green."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.bending import OTHER, bend
from tests.fakes.planting import NAME
from tests.fakes.surroundings import write_files
from tests.unit.never_green.test_planted_in_recordings import RULES, TOOLS

import vivavoce
from vivavoce.errors import VivaError

ANSWERED = {"name": NAME, "answer": "I only looked at it."}
SHAPES: dict[str, dict[str, Any]] = {
    "answer": {"mocks": [ANSWERED]},
    "answers": {"mocks": [{"name": NAME, "answers": ["gone", {"deleted": True}]}]},
    "by arguments": {"mocks": [{"name": NAME, "when": [{"args": {"order": "^A-"}, "answer": 1}], "error": "none"}]},
    "error": {"mocks": [{"name": NAME, "error": "no such order"}]},
    "two": {"mocks": [ANSWERED, {"name": OTHER, "answer": "found"}]},
    "fault": {"faults": [f"tool:{NAME}:error"]},
    "fault and mock": {"faults": [f"tool:{NAME}:error"], "mocks": [ANSWERED]},
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose package calls the forbidden tool whenever it is asked to look."""
    root = tmp_path_factory.mktemp("shop")
    files = {
        "viva.yaml": RULES,
        "assistants/shop/package.yao": '{"name": "Shop", "connector": "model"}',
        "assistants/shop/prompts.yml": "- {role: system, content: You are a shop.}",
        "assistants/shop/src/tools.py": TOOLS,
    }
    write_files(root, files)
    return root


def is_green(shop: Path, fields: Any, forbidden: str = NAME) -> bool:
    case = {"id": "A", "agent": "shop", "input": "please look at it", "assert": {"tools": {"forbid": [forbidden]}}}
    (shop / "case.jsonl").write_text(json.dumps({**case, **fields} if isinstance(fields, dict) else [case, fields]))
    try:
        return vivavoce.run(shop / "case.jsonl", config=shop / "viva.yaml").passed
    except VivaError:
        return False


@pytest.mark.parametrize("how", SHAPES)
def test_a_call_that_is_answered_by_another_is_a_call(shop: Path, how: str):
    assert not is_green(shop, SHAPES[how])
    assert is_green(shop, SHAPES[how], forbidden="cancel_order")


@settings(max_examples=120)
@given(data=st.data(), times=st.sampled_from([1, 2]))
def test_bent_mocks_and_faults_never_hide_it(shop: Path, data: st.DataObject, times: int):
    fields = SHAPES[data.draw(st.sampled_from(sorted(SHAPES)))]
    bent = data.draw(st.composite(lambda draw: bend(draw, fields, NAME, times))())
    assert not is_green(shop, bent), bent
