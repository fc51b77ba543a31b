"""Coverage of recorded runs, by today's cases."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.covering import measure_coverage
from vivavoce.app.request import RunRequest
from vivavoce.cli.commands.init import KINDS, write_project
from vivavoce.errors import UsageError
from vivavoce.model.coverage import Coverage, Group

CALLED = {"type": "tool_called", "value": "refund"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def desk(text: str) -> dict[str, Any]:
    calls: list[dict[str, Any]] = [
        {"name": "find", "args": {"id": text}, "result": "A-17"},
        {"name": "refund", "args": {"amount": 40, "why": "late"}, "result": "ok"},
    ]
    return {"content": f"Refunded {text}", "tool_calls": calls}


def write(*checks: dict[str, Any], line: str = "A-17") -> None:
    Path("cases.jsonl").write_text(json.dumps({"id": "T1", "input": line, "assert": list(checks)}) + "\n")


def record(*checks: dict[str, Any], **options: Any) -> None:
    write(*checks)
    vivavoce.run("cases.jsonl", agent=desk, outputs="out.jsonl", history=False, **options)


def measured() -> Coverage:
    return asyncio.run(measure_coverage(("out.jsonl",), RunRequest.of({})))


def states(coverage: Coverage) -> dict[str, str]:
    return {str(item.element): item.state.value for item in coverage.items}


def test_a_tool_that_no_check_would_miss_is_unchecked():
    record({"type": "contains", "value": "Refunded"})
    found = states(measured())
    assert found["refund called"] == found["refund.amount given"] == found["find → refund seen"] == "unchecked"
    assert found["refund failed"] == "never"


@pytest.mark.parametrize(
    ("check", "checked"),
    [
        (CALLED, {"refund called"}),
        (
            {"type": "tool_called", "value": {"name": "refund", "arguments": {"amount": 40}}},
            {"refund called", "refund.amount given"},
        ),
        ({"type": "tool_result", "value": {"tool": "refund", "result": "ok"}}, {"refund called", "refund returned"}),
        (
            {"type": "sequence", "calls": ["find", "refund"]},
            {"find called", "refund called", "find → refund seen"},
        ),
    ],
)
def test_what_a_check_would_miss(check: dict[str, Any], checked: set[str]):
    record(check)
    found = states(measured())
    assert {name for name, state in found.items() if state == "checked"} == checked


def test_a_check_added_since_the_run_counts_and_a_changed_line_does_not():
    record()
    assert states(measured())["refund called"] == "unchecked"
    write(CALLED)
    assert states(measured())["refund called"] == "checked"
    write(CALLED, line="another order")
    with pytest.raises(UsageError, match="1 conversation is stale"):
        measured()


def test_a_tool_called_twice_is_checked_by_one_call_that_must_be_there():
    Path("cases.jsonl").write_text(json.dumps({"id": "T1", "input": "x", "assert": [CALLED]}) + "\n")

    def agent(text: str) -> dict[str, Any]:
        call: dict[str, Any] = {"name": "refund", "args": {}, "result": 1}
        return {"content": text, "tool_calls": [call, call]}

    vivavoce.run("cases.jsonl", agent=agent, outputs="out.jsonl", history=False)
    assert states(measured())["refund called"] == "checked"


def test_a_conversation_that_fails_exercises_but_checks_nothing():
    record(CALLED, {"type": "contains", "value": "never said"})
    found = measured()
    assert states(found)["refund called"] == "unchecked"
    assert any("1 conversation does not pass" in note for note in found.notes)


def test_tools_and_ignored_elements_of_the_configuration():
    schema = {"properties": {"why": {"enum": ["late", "lost"]}, "amount": {"type": "number"}}}
    tools: list[Any] = ["cancel", {"name": "refund", "parameters": schema}]
    Path("viva.yaml").write_text(json.dumps({"coverage": {"tools": tools, "ignore": ["*.failed"]}}))
    record(CALLED)
    found = measured()
    assert found.tools_declared == ("cancel", "refund")
    assert states(found)["cancel called"] == states(found)["refund.why = lost"] == "never"
    assert states(found)["refund.why = late"] == "unchecked"
    assert not any(name.endswith("failed") for name in states(found))
    assert any(note.startswith("find: seen, but nobody lists it") for note in found.notes)


def test_an_agent_that_lists_no_tools_is_a_note():
    record(CALLED)
    assert any("counted are those seen" in note for note in measured().notes)


TALK = "assistants/expense/tests/conversations.jsonl::free-conversation"
APPROVED_REFUND = {
    "price_of called": "checked",
    "price_of returned": "checked",
    "price_of failed": "never",
    "refund called": "checked",
    "refund returned": "unchecked",  # the words of the reply are checked, the result is not
    "refund failed": "never",
    "price_of.item given": "checked",
    "refund.order given": "checked",
    "approval resolved": "checked",
    "approval cancelled": "never",
    "price_of → refund seen": "checked",
}
COUNTED_BY_HAND: dict[str, dict[str, str]] = {
    "python": {
        "price_of called": "checked",
        "price_of returned": "checked",
        "price_of failed": "unchecked",
        "price_of.item given": "checked",
        "price_of → price_of seen": "checked",
    },
    "expense": {
        "create_expense called": "checked",
        "create_expense returned": "checked",
        "create_expense failed": "never",
        "get_policy called": "checked",
        "get_policy returned": "checked",
        "get_policy failed": "never",
        "create_expense.amount given": "checked",
        "create_expense.currency given": "checked",
        "create_expense.type given": "checked",
        "get_policy.category given": "checked",
        f"{TALK} › asks-type reached": "checked",
        f"{TALK} › asks-confirmation reached": "checked",
        f"{TALK} › files reached": "checked",
        "stop seen": "unchecked",
    },
    "shop": {
        **{
            f"{tool} {aspect}": state
            for tool in ("ask_address", "calculate_total", "charge_card", "get_shipping_options", "validate_cart")
            for aspect, state in (("called", "checked"), ("returned", "checked"), ("failed", "never"))
        },
        "ask_address returned": "unchecked",  # the front end's stub answers it; no rule asks for the result
        "ask_address.reason given": "checked",
        "calculate_total.shipping given": "checked",
        "charge_card.amount given": "checked",
        "validate_cart.items given": "checked",
        "approve_payment resolved": "checked",
        "approve_payment cancelled": "checked",
        "validate_cart → get_shipping_options seen": "checked",
        "get_shipping_options → ask_address seen": "checked",
        "ask_address → calculate_total seen": "checked",
        "calculate_total → charge_card seen": "checked",
    },
    "openai": {
        "price_of called": "checked",
        "price_of returned": "checked",
        "price_of failed": "never",
        "price_of.item given": "checked",
        "price_of → price_of seen": "checked",
        "stop seen": "unchecked",
    },
    "pydantic_ai": {
        "price_of called": "checked",
        "price_of returned": "unchecked",
        "price_of failed": "unchecked",  # what is not sold is a ModelRetry
        "price_of.item given": "checked",
    },
    "langgraph": APPROVED_REFUND,
}
"""Each example read beside its tests: what happens, and what a rule asks for."""
LIVE = {"openai_agents"}
"""Needs a framework that is not installed beside viva: tests/live/test_example_scores.py."""


def test_every_shipped_example_was_counted_by_hand():
    assert set(COUNTED_BY_HAND) | LIVE == {kind.folder for kind in KINDS.values()}


@pytest.mark.process
@pytest.mark.parametrize("name", COUNTED_BY_HAND)
def test_a_shipped_example_as_counted_by_hand(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # The servers of examples are started as `python3`.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    write_project(tmp_path, name)
    vivavoce.run(outputs="out.jsonl", history=False)
    assert states(measured()) == COUNTED_BY_HAND[name]


def test_the_tools_of_a_framework_object_are_known_also_the_one_that_is_never_called(tmp_path: Path):
    write_project(tmp_path, "pydantic_ai")
    with (tmp_path / "agent.py").open("a") as out:
        out.write('\n\n@agent.tool_plain\ndef cancel_order(order: str) -> str:\n    return "ok"\n')
    vivavoce.run(outputs="out.jsonl", history=False)
    found = measured()
    states = {str(item.element): item.state.value for item in found.of(Group.TOOL)}
    assert (states["cancel_order called"], states["price_of called"]) == ("never", "checked")
    assert found.tools_declared == ("price_of", "cancel_order")
    assert not any("does not list its tools" in note for note in found.notes)
