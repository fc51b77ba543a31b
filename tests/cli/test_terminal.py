"""A person at a real pseudo-terminal is asked: `--interactive`."""

import pytest
from tests.cli.conftest import VivaProject
from tests.cli.screen import at_a_terminal, with_shop

pytestmark = pytest.mark.process


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    return with_shop(project)


def test_interactive_asks_a_person_when_the_script_has_run_out(shop: VivaProject):
    shop.cases(
        {
            "id": "a",
            "turns": [{"input": "hello"}],
            "final_assertions": [{"type": "tool_called", "value": "charge_card"}],
        }
    )
    with at_a_terminal(shop, "test", "-i", "cases.jsonl", "--interactive", "-o", "out.jsonl") as screen:
        screen.wait_for("Which product")
        screen.wait_for("You ▸")
        screen.type("let me pay")
        screen.wait_for("Summary")
        assert screen.leave() == 0
    [row] = [row for row in shop.rows() if row["type"] == "result"]
    assert [turn["input_source"] for turn in row["turns"]] == ["static", "interactive"]


def test_a_person_can_skip_a_case(shop: VivaProject):
    shop.cases({"id": "a", "turns": [{"input": "hello"}]})
    with at_a_terminal(shop, "test", "-i", "cases.jsonl", "--interactive", "-o", "out.jsonl") as screen:
        screen.wait_for("You ▸")
        screen.type("/skip")
        assert screen.leave() == 0
    assert shop.statuses() == {"a": "skipped"}


def test_one_conversation_at_a_time(shop: VivaProject):
    shop.cases(*({"id": f"c{n}", "turns": [{"input": "hello"}]} for n in range(3)))
    with at_a_terminal(shop, "test", "-i", "cases.jsonl", "--interactive", "-j", "3", "-o", "out.jsonl") as screen:
        for n in range(3):
            while screen.shown.count("You ▸") < n + 1:
                screen.wait_for("You ▸")
                screen._read()
            assert screen.shown.count("You ▸") == n + 1
            screen.type("pay")
        assert screen.leave() == 0
    assert set(shop.statuses().values()) == {"passed"}


def test_the_live_line_leaves_a_clean_screen(project: VivaProject):
    project.cases(*({"id": f"c{n}", "input": "slow"} for n in range(8)))
    with at_a_terminal(project, "test", "-i", "cases.jsonl", "-j", "2") as screen:
        screen.wait_for("Summary")
        assert screen.leave() == 0
    assert "Traceback" not in screen.shown


def test_without_a_terminal_interactive_cases_are_skipped_with_the_hint(shop: VivaProject):
    shop.cases({"id": "a", "turns": [{"input": "hello"}]})
    done = shop.viva("test", "-i", "cases.jsonl", "--interactive", "-o", "out.jsonl")
    assert done.code == 0
    assert shop.statuses() == {"a": "skipped"}
    assert "viva: --interactive: there is no terminal here" in done.err
    assert "Agent awaiting input, no next turn defined, and no terminal to ask somebody at" in done.out
    assert "run it in a terminal" in done.out
