"""`viva chat`: a person talks to an agent, and what was said becomes a test."""

import pytest
from tests.cli.conftest import VivaProject
from tests.cli.screen import at_a_terminal, with_shop

pytestmark = pytest.mark.process


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    return with_shop(project)


def test_a_chat_can_be_saved_and_then_passes_as_a_test(shop: VivaProject):
    with at_a_terminal(shop, "chat", "-n", "shop") as screen:
        screen.wait_for("You ▸")
        screen.type("hello")
        screen.wait_for("Which product")
        screen.wait_for("a product name")
        screen.type("I want to pay")
        screen.wait_for("charge_card")
        screen.type("/save tests/chat.jsonl")
        screen.wait_for("saved as tests/chat.jsonl::chat")
        screen.type("/end")
        assert screen.leave() == 0
    done = shop.viva("test", "-i", "tests/chat.jsonl", "-o", "out.jsonl")
    assert done.code == 0
    [row] = [row for row in shop.rows() if row["type"] == "result"]
    checks = [check["type"] for turn in row["turns"] for check in turn["assertions"]]
    assert checks == ["contains", "tool_called", "contains"]


def test_an_agent_that_fails_does_not_end_the_chat(project: VivaProject):
    with at_a_terminal(project, "chat", "-n", "echo") as screen:
        screen.wait_for("You ▸")
        screen.type("raise")
        screen.wait_for("boom")
        screen.type("still there")
        screen.wait_for("echo: still there")
        screen.type("/end")
        assert screen.leave() == 0


def test_without_a_terminal_chat_says_so(shop: VivaProject):
    done = shop.viva("chat", "-n", "shop")
    assert done.code == 2
    assert "terminal" in done.err


KEY = "sk-planted-Zq81x77"
TELLS = """
import os

def reply(messages):
    if messages[-1]["content"] == "raise":
        raise ValueError("no " + os.environ["SHOP_KEY"] + " here")
    return {"content": "it is " + os.environ["SHOP_KEY"], "tool_calls": [{"name": "look", "args": {"key": "SHOP_KEY"}}]}
"""


def test_no_secret_is_shown_or_saved(project: VivaProject):
    project.write("tells.py", TELLS)
    project.write(
        "viva.yaml",
        "agents:\n  tells: {python: tells.py:reply}\n  other: {cmd: x, env: {K: '${ENV.SHOP_KEY}'}}\n",
    )
    with at_a_terminal(project, "chat", "-n", "tells", SHOP_KEY=KEY) as screen:
        screen.wait_for("You ▸")
        screen.type("hello")
        screen.wait_for("it is ***")
        screen.type("raise")
        screen.wait_for("no *** here")
        screen.type("/save chat.jsonl")
        screen.wait_for("saved as chat.jsonl::chat")
        screen.type("/end")
        assert screen.leave() == 0
        assert KEY not in screen.shown
    assert '"it is"' in (project.root / "chat.jsonl").read_text()
    assert KEY not in (project.root / "chat.jsonl").read_text()


def test_an_agent_without_its_flag_is_answered_with_it(project: VivaProject):
    refused = project.viva("chat", "shop")
    assert refused.code == 2
    assert refused.err == "viva: Got unexpected extra argument (shop) (an agent is named with -n shop)\n"
