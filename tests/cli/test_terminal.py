"""A person at a real pseudo-terminal: `--interactive` and `viva chat`."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.cli.conftest import VIVA, VivaProject

pytestmark = pytest.mark.process

AGENT = """
def shop(messages):
    text = messages[-1]["content"].lower()
    if "pay" in text:
        call = {"name": "charge_card", "args": {"amount": 5}, "result": "ok"}
        return {"content": "Thanks, your order is paid.", "tool_calls": [call]}
    return {"content": "Which product would you like?", "input_hint": "a product name"}
"""


class Screen:
    """The person's side of the terminal."""

    def __init__(self, keyboard: int, process: "subprocess.Popen[bytes]") -> None:
        self._keyboard = keyboard
        self.process = process
        self.shown = ""

    def type(self, line: str) -> None:
        os.write(self._keyboard, line.encode() + b"\n")

    def wait_for(self, text: str, seconds: float = 20) -> None:
        until = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < until, f"{text!r} never came:\n{self.shown}"
            self._read()

    def leave(self) -> int:
        code = self.process.wait(timeout=200)
        self._read()
        return code

    def _read(self) -> None:
        ready, _, _ = select.select([self._keyboard], [], [], 0.1)
        if ready:
            try:
                seen = os.read(self._keyboard, 65536).decode(errors="replace")
            except OSError:
                return
            self.shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)


@contextmanager
def at_a_terminal(project: VivaProject, *arguments: str) -> Iterator[Screen]:
    keyboard, side = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen([str(VIVA), *arguments], cwd=project.root, stdin=side, stdout=side, stderr=side, env=env)
    os.close(side)
    try:
        yield Screen(keyboard, process)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    project.write("shop.py", AGENT)
    project.write("viva.yaml", "agents: {shop: {python: 'shop.py:shop'}}\nagent: shop\n")
    return project


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


def test_without_a_terminal_chat_says_so(shop: VivaProject):
    done = shop.viva("chat", "-n", "shop")
    assert done.code == 2
    assert "terminal" in done.err


def test_without_a_terminal_interactive_cases_are_skipped_with_the_hint(shop: VivaProject):
    shop.cases({"id": "a", "turns": [{"input": "hello"}]})
    done = shop.viva("test", "-i", "cases.jsonl", "--interactive", "-o", "out.jsonl")
    assert done.code == 0
    assert shop.statuses() == {"a": "skipped"}
    assert "viva: --interactive: there is no terminal here" in done.err
    assert "Agent awaiting input, no next turn defined, and no terminal to ask somebody at" in done.out
    assert "run it in a terminal" in done.out


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
