"""Finds made as small as they can be, and written as cases that fail."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.find_shrinking import FuzzFinding, save_find
from vivavoce.app.fuzzing import FuzzOptions, fuzz
from vivavoce.app.request import RunRequest
from vivavoce.model.case import Case, ScriptedTurn

MUG = {"id": "price", "input": "what is a mug?", "assert": {"type": "contains", "value": "18.00"}, "tags": ["shop"]}


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("{}\n")
    Path("cases.jsonl").write_text(json.dumps(MUG) + "\n")


async def finds(agent: Any, *operators: str, **options: Any) -> tuple[FuzzFinding, ...]:
    given = {"inputs": ("cases.jsonl",), "agent": agent, "runs": options.pop("runs", 1)}
    request = RunRequest.of(given, {})
    return (await fuzz(request, FuzzOptions(operators=operators, **options))).finds


def knows_small_letters(text: str) -> str:
    return "A mug is 18.00." if "mug" in text else "No."


async def test_a_line_that_keeps_its_meaning_only_takes_edits_back():
    [find] = await finds(knows_small_letters, "case", variants=6)
    [turn] = find.case.turns
    assert isinstance(turn.content, str)
    assert turn.content.casefold() == MUG["input"]
    assert sum(map(str.isupper, turn.content)) == 1, "an edit is a letter: one is enough"
    assert (find.original, find.failed_again) == ("cases.jsonl::price", True)


async def test_a_hostile_line_loses_whatever_it_can():
    def obeys(text: str) -> str:
        if "lifted" in text:
            raise ValueError("as you wish")
        return "A mug is 18.00."

    [find] = await finds(obeys, "ignore-rules", variants=4)
    assert find.line == "'lifted'"


async def test_the_error_that_is_told_is_the_one_of_the_smallest_line():
    def short_of_breath(text: str) -> str:
        if len(text) > 300:
            raise ValueError(f"{len(text)} letters")
        return "A mug is 18.00."

    [find] = await finds(short_of_breath, "endless", variants=4)
    letters = len(str(find.case.turns[0].content))
    assert letters < 400
    assert f"ValueError: {letters} letters" in find.error


async def test_a_failure_that_does_not_come_again_keeps_its_line_and_says_so():
    moods = iter(["A mug is 18.00.", "No."])
    [find] = await finds(lambda text: next(moods, "A mug is 18.00."), "case", variants=1)
    assert (find.failed_again, find.failed) == (False, "1 run, and not again")


async def test_finds_that_are_the_same_are_one():
    [find] = await finds(knows_small_letters, "case", variants=6)
    both = find.plus(find)
    assert (both.operators, both.times) == (find.operators, 2 * find.times)


async def test_a_find_of_repeated_runs_is_saved_with_them_so_that_it_fails_again():
    def moody() -> Callable[[str], str]:
        """Does not know capitals every third time; the case itself always passes."""
        calls = count()
        return lambda text: "No." if "mug" not in text and next(calls) % 3 == 2 else "A mug is 18.00."

    [find] = await finds(moody(), "case", variants=1, runs=3)
    save_find(find, Path("finds.jsonl"))
    report = await vivavoce.arun("finds.jsonl", agent=moody(), history=False)
    assert [(result.status.value, len(result.attempts)) for result in report.results] == [("failed", 3)]


async def test_a_saved_find_says_where_it_comes_from_and_fails():
    [find] = await finds(knows_small_letters, "case", variants=6)
    saved = save_find(find, Path("finds.jsonl"))
    text = Path("finds.jsonl").read_text()
    assert text.startswith("// Found by viva fuzz: case (seed ")
    assert "from cases.jsonl::price." in text
    assert saved.tags == ("shop", "fuzz")
    assert saved.metadata["fuzz"] == {"operators": ["case"], "seed": find.seed, "from": "cases.jsonl::price"}
    report = await vivavoce.arun("finds.jsonl", agent=knows_small_letters, history=False)
    assert [result.status.value for result in report.results] == ["failed"]


async def test_finds_are_added_to_the_file_each_with_an_id_of_its_own():
    [find] = await finds(knows_small_letters, "case", variants=6)
    ids = [save_find(find, Path("finds.jsonl")).id for _ in range(2)]
    assert len(set(ids)) == 2
    assert Path("finds.jsonl").read_text().count("// Found by") == 2


def test_the_line_that_does_it_is_shown_as_a_literal_and_clipped():
    def line(*says: str, turn: int) -> str:
        case = Case(id="T", turns=tuple(ScriptedTurn(content=said) for said in says))
        words = {"original": "", "seed": "", "error": "", "failed": ""}
        return FuzzFinding(operators=("x",), case=case, turn=turn, times=1, failed_again=True, **words).line

    assert line("a", "\n", turn=1) == "'\\n'"
    assert line("only", turn=3) == "'only'", "where turns were left out, the last one"
    assert len(line("x" * 500, turn=0)) <= 100
