"""Searches at a real terminal: one line tells how far they are, and nothing of it is left or shown as code."""

import pytest
from tests.cli.conftest import VivaProject
from tests.cli.test_interrupted_searches import JUDGED, LONG, shop
from tests.cli.test_terminal import at_a_terminal

pytestmark = pytest.mark.process
__all__ = ["shop"]


def shown(project: VivaProject, *arguments: str, code: int) -> str:
    with at_a_terminal(project, *arguments) as screen:
        assert screen.leave() == code, screen.shown
    return screen.shown


def test_shrink_fuzz_mutate_and_calibrate(shop: VivaProject):
    hello = {"id": "hi", "input": "Hello.", "assert": [{"type": "contains", "value": "Of course"}]}
    shop.cases(LONG, hello, {"id": "judged", "input": "Hello.", "assert": JUDGED})
    shop.viva("test", "cases.jsonl", "-o", "out.jsonl")
    shop.write("labels.yaml", "type: labels\nlabels:\n- {case: judged, label: pass}\n")
    for arguments, told, code in (
        (("shrink", "out.jsonl::long", "-o", "small.jsonl"), "does not fail with", 0),
        (("fuzz", "cases.jsonl::hi", "--operators", "repeated", "--variants", "3"), "cases: 1 of 1", 0),
        (("mutate", "out.jsonl::hi"), "1 of 1 case", 0),
        (("calibrate", "out.jsonl", "--again", "2"), "of 2 answers", 0),
    ):
        said = shown(shop, *arguments, code=code)
        assert told in said, said
        assert "\\x" not in said
