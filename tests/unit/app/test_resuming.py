"""`--resume`: which file is meant, what is taken from it, and what a person is told."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.examine import examine
from vivavoce.app.resuming import say_how_to_resume
from vivavoce.errors import UsageError

A, B = {"id": "A", "input": "hi"}, {"id": "B", "input": "ho"}
COMMAND = "viva test -i cases.jsonl"


def told(command: str = COMMAND, inputs: tuple[str, ...] = ("cases.jsonl",), **more: Any) -> str:
    screen = io.StringIO()
    say_how_to_resume(command, inputs, "out.jsonl", screen, **more)
    return screen.getvalue()


async def run(request_for: MakeRequest, *cases: dict[str, Any], **options: Any) -> list[str]:
    """The ids that the result file holds afterwards."""
    await examine(request_for(*cases, **options))
    rows = map(json.loads, Path("out.jsonl").read_text().splitlines())
    return [row["id"] for row in rows if row["type"] == "result"]


def cut(lines: int) -> None:
    """The run was killed when the file had so many lines."""
    kept = Path("out.jsonl").read_text().splitlines(keepends=True)[:lines]
    Path("out.jsonl").write_text("".join(kept))


# ── how to go on ──


def test_the_command_is_told_with_the_file():
    assert told() == "\nTo go on with it:\n  viva test -i cases.jsonl --resume out.jsonl\n"


def test_a_resume_that_was_given_before_is_replaced():
    for flag in ("--resume", "--resume old.jsonl", "--resume=old.jsonl"):
        assert told(f"viva test {flag} -i cases.jsonl").endswith("  viva test -i cases.jsonl --resume out.jsonl\n")


@pytest.mark.parametrize(("spent", "next_one"), [("2.50usd", "5usd"), ("200000tok", "400000tok"), ("0.1eur", "0.2eur")])
def test_a_spent_budget_is_raised_since_what_was_spent_counts(spent: str, next_one: str):
    said = told(f"{COMMAND} --budget {spent} -j 4", spent_budget=spent)
    assert "raise the budget (what was spent so far counts)" in said
    assert said.rstrip().endswith(f"viva test -i cases.jsonl -j 4 --budget {next_one} --resume out.jsonl")


@pytest.mark.parametrize("first", ["-", "agents:maker", "scripts:maker"])
def test_nothing_is_told_where_the_same_cases_would_not_come_again(first: str):
    assert told(inputs=(first,)) == ""


@pytest.mark.parametrize("command", ["", "rm -rf /", "viva list", "viva test 'unclosed", "python run.py"])
def test_no_other_command_is_ever_told(command: str):
    assert told(command) == ""


def test_a_command_from_a_strangers_file_cannot_move_the_cursor():
    assert "\x1b" not in told("viva test -i 'a\x1b[2Jb'")


# ── going on ──


async def test_finished_cases_are_kept_and_the_others_run(
    root: Path, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    await run(request_for, A, B)
    cut(2)
    assert await run(request_for, A, B, resume="out.jsonl") == ["A", "B"]
    assert "viva: going on with out.jsonl: 1 of 2 cases done\n" in capsys.readouterr().err


async def test_changed_and_vanished_cases_are_told_and_the_old_file_is_kept(
    root: Path, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    await run(request_for, A, B)
    before = Path("out.jsonl").read_text()
    assert await run(request_for, {**A, "input": "other"}, resume="out.jsonl") == ["A"]
    said = capsys.readouterr().err
    assert "1 case reads differently now: run again" in said
    assert "1 result belongs to no selected case: left out" in said
    assert Path("out.before-resume.jsonl").read_text() == before


async def test_a_file_without_a_result_begins_anew_and_says_so(
    root: Path, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    Path("out.jsonl").write_text("")
    assert await run(request_for, A, resume="out.jsonl") == ["A"]
    assert "out.jsonl holds no result: the run begins anew with 1 case" in capsys.readouterr().err


async def test_without_a_name_it_is_the_file_that_o_would_write(
    root: Path, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    assert await run(request_for, A, resume="") == ["A"]
    assert "there is no earlier result file: the run begins anew" in capsys.readouterr().err
    await run(request_for, A, resume="")
    assert "going on with out.jsonl: 1 of 1 case done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("nowhere.jsonl", r"--resume: no such result file: nowhere\.jsonl"),
        ("abc123", r"no result file of run abc123 \(looked in "),
        (".", "it takes the word behind it as its file: put inputs before it"),
    ],
)
async def test_a_file_that_is_not_there_is_refused(root: Path, request_for: MakeRequest, named: str, said: str):
    with pytest.raises(UsageError, match=said):
        await run(request_for, A, resume=named)


async def test_a_run_is_found_by_its_id(root: Path, request_for: MakeRequest):
    await run(request_for, A, B)
    cut(2)
    run_id = json.loads(Path("out.jsonl").read_text().splitlines()[0])["run_id"]
    assert await run(request_for, A, B, resume=run_id) == ["A", "B"]


async def test_results_of_another_agent_are_not_taken_over(root: Path, request_for: MakeRequest):
    await run(request_for, A)
    (root / "viva.yaml").write_text("agents: {a: {python: agent.py:reply}, b: {python: agent.py:reply}}\n")
    with pytest.raises(UsageError, match="another agent"):
        await run(request_for, A, resume="out.jsonl", agent="b")
