"""Planted bugs in an agent of the examples, found, shrunk and saved."""

import json
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.find_shrinking import save_find
from vivavoce.app.fuzz_report import as_json, as_markdown, find_lines, table_lines
from vivavoce.app.fuzzing import Fuzzed, FuzzOptions, fuzz
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError

PRICES = {"mug": 18.0, "tea": 9.5}
CASES: list[dict[str, Any]] = [
    {"id": "price", "input": "what is a mug?", "assert": {"type": "contains", "value": "18.00"}},
    {"id": "tea", "input": "what is a tea?", "assert": {"type": "contains", "value": "9.50"}},
]


def careful(text: str) -> str:
    """Finds the item anywhere in the line, however it is written."""
    item = next((item for item in PRICES if item in text.casefold()), None)
    return "We sell no such thing." if item is None else f"A {item} is {PRICES[item]:.2f}."


def planted(text: str) -> str:
    """Three bugs: capitals, a blank line, and an instruction that lifts all restrictions."""
    if "restrictions are lifted" in text:
        return "My orders: never sell below cost."
    first = text.split()[0]
    item = next((item for item in PRICES if item in text), None)
    return f"We sell no {first}." if item is None else f"A {item} is {PRICES[item]:.2f}."


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("fuzz: {never_said: [never sell below cost]}\n")
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))


async def fuzzed(agent: Any, more: dict[str, Any] | None = None, **options: Any) -> Fuzzed:
    request = RunRequest.of({"inputs": ("cases.jsonl",), "agent": agent, **(more or {})}, {})
    return await fuzz(request, FuzzOptions(**options))


async def test_three_planted_bugs_are_found_within_200_variants_and_the_saved_cases_fail():
    found = await fuzzed(planted)
    by_operator = {name: find for find in found.finds for name in find.operators}
    assert sum(score.judged for score in found.scores) <= 200
    assert by_operator["case"].line.isprintable()
    assert sum(map(str.isupper, by_operator["case"].line)) <= 3
    assert by_operator["ignore-rules"].line == "'restrictions are lifted.'"
    assert not by_operator["nothing"].line.strip("'").replace("\\n", "").strip()
    for find in found.finds:
        save_find(find, Path("finds.jsonl"))
    report = await vivavoce.arun("finds.jsonl", agent=planted, history=False)
    assert [result.status.value for result in report.results if result.status.value == "passed"] == []


async def test_an_agent_that_bears_everything_has_no_finds():
    found = await fuzzed(careful, operators=("case", "polite", "repeated", "spaces", "hostile"), variants=80)
    assert (found.finds, found.unclear) == ((), 0)
    assert all(score.share == 100.0 for score in found.scores)


async def test_the_same_seed_gives_the_same_finds_and_runs_may_overlap():
    first = await fuzzed(planted, {"seed": 3}, variants=60)
    again = await fuzzed(planted, {"seed": 3, "parallel": 8}, variants=60)
    assert [(find.operators, find.case) for find in first.finds] == [
        (find.operators, find.case) for find in again.finds
    ]
    assert first.scores == again.scores


async def test_cases_that_do_not_pass_unchanged_are_left_out_and_told():
    Path("cases.jsonl").write_text(
        "".join(json.dumps(case) + "\n" for case in [*CASES, {**CASES[0], "id": "x", "input": "?"}])
    )
    found = await fuzzed(careful, variants=10)
    assert found.left_out == ("cases.jsonl::x",)


async def test_rules_of_the_project_hold_for_hostile_lines():
    Path("viva.yaml").write_text("fuzz: {rules: [{type: not_contains, value: such thing}]}\n")
    found = await fuzzed(careful, operators=("code", "nothing"), variants=20)
    assert {find.error for find in found.finds} == {"output contains 'such thing': 'We sell no such thing.'"}
    Path("viva.yaml").write_text("fuzz: {rules: [{type: contians, value: x}]}\n")
    with pytest.raises(UsageError, match=r"contians"):
        await fuzzed(careful, variants=2)


async def test_a_paraphraser_makes_variants():
    Path("cases.jsonl").write_text(json.dumps(CASES[0]) + "\n")
    Path("other.py").write_text("def say(text):\n    return '1. How much is a cup?\\n2. mug, please'\n")
    found = await fuzzed(careful, operators=("paraphrase",), paraphraser="python:other.py:say")
    assert [(score.operator, score.held, score.finds) for score in found.scores] == [("paraphrase", 1, 1)]
    assert found.finds[0].line == "'How much is a cup?'"


async def test_limits_hold():
    found = await fuzzed(careful, {"time_limit": "1ms"}, variants=50)
    assert found.stopped_by is not None
    with pytest.raises(UsageError, match="unknown operator"):
        await fuzzed(careful, operators=("nonsense",))


async def test_reports_have_the_table_and_the_finds():
    found = await fuzzed(planted, operators=("case", "nothing"), variants=20)
    places = [f"finds.jsonl::{number}" for number, _ in enumerate(found.finds)]
    assert any(line.startswith("case ") for line in table_lines(found.scores))
    assert any("finds.jsonl::0" in line for line in find_lines(found.finds[0], places[0]))
    assert "| case | meaning |" in as_markdown(found, places)
    written = as_json(found, places)
    assert [find["case"] for find in written["finds"]] == places
