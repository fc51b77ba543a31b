"""`viva tape` and what else a replay tells: the real process against a fake provider."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_tapes import HELLO, KEY, REFUND, Shop
from tests.fakes.commands import environment, run_viva
from tests.fakes.model_provider import ModelProvider


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with ModelProvider() as provider:
        made = Shop(tmp_path, provider)
        code, told, _ = made.run("--record", "tapes")
        assert code == 0, told
        yield made


def tape(shop: Shop, *arguments: str, **variables: str) -> tuple[int, str]:
    return viva(shop, "tape", *arguments, **variables)


def viva(shop: Shop, *arguments: str, **variables: str) -> tuple[int, str]:
    variables = {"OPENAI_API_KEY": KEY, "NO_COLOR": "1", "COLUMNS": "300"} | variables
    done = run_viva(arguments, cwd=shop.folder, env=environment(**variables))
    return done.returncode, done.stdout + done.stderr


def test_tapes_that_are_in_order(shop: Shop):
    assert tape(shop, "check", "tapes", "-i", "cases.jsonl") == (0, "1 tape, 4 calls: in order\n")


def test_a_recorded_case_that_is_gone_a_secret_and_a_broken_line_are_found(shop: Shop):
    shop.write(REFUND)
    code, told = tape(shop, "check", "tapes", "-i", "cases.jsonl")
    assert code == 1
    assert "case 'hello' is recorded, and there is no such case" in told
    file = shop.folder / "tapes" / "cases.jsonl.tape.jsonl"
    file.write_text(file.read_text().replace("You are a shop.", f"You are {KEY}."))
    code, told = tape(shop, "check", "tapes")
    assert code == 1
    assert "holds a secret" in told
    assert KEY not in told
    file.write_text('{"type":"tape","v":1}\nnonsense\n')
    code, told = tape(shop, "check", "tapes")
    assert code == 1
    assert "cases.jsonl.tape.jsonl:2: not a line of a tape" in told


def test_a_folder_without_tapes_is_told(shop: Shop):
    code, told = tape(shop, "check", "nowhere")
    assert code == 2
    assert "no tapes in nowhere" in told


def test_what_differs_between_two_tapes(shop: Shop):
    shutil.copytree(shop.folder / "tapes", shop.folder / "old")
    assert tape(shop, "diff", "old", "tapes") == (0, "no differences\n")
    shop.write(REFUND)
    shop.run("--record", "tapes", SYSTEM="You are a bank.")
    code, told = tape(shop, "diff", "old", "tapes")
    assert code == 1
    assert "refund: call 1: system: " in told
    assert "bank" in told


def test_where_the_last_run_differed_from_the_named_tapes(shop: Shop):
    def run(*flags: str, **variables: str) -> str:
        return shop.run(*flags, history=True, **variables)[1]

    shutil.copytree(shop.folder / "tapes", shop.folder / "others")
    run()
    code, told = tape(shop, "diff", "tapes")
    assert (code, "the last run replayed nothing from tapes" in told) == (2, True), told
    told = run("--replay", "tapes", SYSTEM="You are a bank.")
    assert ", replayed)" in told
    code, told = tape(shop, "diff", "tapes")
    assert code == 1
    assert "cases.jsonl::refund: the system prompt changed since the recording" in told
    code, told = tape(shop, "diff", "others")
    assert (code, "the last run replayed tapes, not others" in told) == (2, True), told
    assert tape(shop, "diff", "nowhere")[0] == 2
    run("--replay", "others")
    told = tape(shop, "diff", "others")[1]
    assert "system prompt" not in told  # the clock in its tool's result may be told


def test_only_changed_cases_are_recorded_again(shop: Shop):
    shop.write({**REFUND, "input": "Please refund order A-18"}, HELLO)
    asked = len(shop.provider.requests)
    code, told = tape(shop, "refresh", "tapes", "-i", "cases.jsonl", "--dry-run")
    assert code == 0, told
    assert told.splitlines()[-2:] == ["changed: cases.jsonl::refund", "1 case to record again"]
    assert len(shop.provider.requests) == asked
    code, told = tape(shop, "refresh", "tapes", "-i", "cases.jsonl")
    assert code == 0, told
    assert len(shop.provider.requests) == asked + 3
    assert shop.run("--replay", "tapes", "--replay-only")[0] == 0
    assert tape(shop, "refresh", "tapes", "-i", "cases.jsonl") == (0, "every tape fits\n")


def test_results_are_marked_and_the_drift_of_the_run_is_summed_up(shop: Shop):
    code, told, rows = shop.run("--replay", "tapes", SYSTEM="You are a bank.")
    assert code == 0
    assert [row.get("replayed") for row in rows.values()] == [True, True]
    assert "tapes: the system prompt changed in 2 of 2 attempts" in told


def test_an_agent_that_needs_the_network_is_refused_before_anything_runs(shop: Shop):
    code, told, _ = shop.run("--replay", "tapes", "--replay-only", "-n", "a2a:https://shop.example.com/chat")
    assert code == 2
    assert "--replay-only opens no connection" in told
    assert "viva record" in told


def test_answers_of_any_agent_are_recorded_and_replayed(shop: Shop):
    (shop.folder / "plain.py").write_text(
        "import sys, json; print('You said', json.load(sys.stdin)['messages'][-1]['content'])"
    )
    (shop.folder / "viva.yaml").write_text(
        json.dumps({"agents": {"shop": {"cmd": [sys.executable, "plain.py"]}}, "agent": "shop"})
    )
    shop.write({"id": "a", "input": "Hi", "assert": {"type": "contains", "value": "You said Hi"}})
    code, told = viva(shop, "record", "-i", "cases.jsonl", "-o", "kept")
    assert code == 0, told
    (shop.folder / "plain.py").unlink()
    code, told = viva(shop, "test", "-i", "cases.jsonl", "-n", "replay:kept?timing=none", "-o", "out.jsonl")
    assert code == 0, told
    assert '"replayed":true' in (shop.folder / "out.jsonl").read_text()
    # The agent never showed its calls, so neither does its recording.
    shop.write({"id": "a", "input": "Hi", "assert": {"type": "tool_called", "value": "refund", "negate": True}})
    code, told = viva(shop, "test", "-i", "cases.jsonl", "-n", "replay:kept?timing=none")
    assert code == 1, told
    shop.write({"id": "a", "input": "Hello"})
    code, told = viva(shop, "test", "-i", "cases.jsonl", "-n", "replay:kept")
    assert code == 1
    assert "was made for" in told


def test_a_folder_without_tapes_is_no_tape_without_differences(shop: Shop):
    (shop.folder / "empty").mkdir()
    for arguments in (("diff", "empty"), ("diff", "nowhere"), ("diff", "empty", "tapes"), ("check", "empty")):
        code, told = tape(shop, *arguments)
        assert (code, "no tapes in" in told) == (2, True), arguments
