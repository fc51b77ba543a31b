"""Planted bugs in an agent of the examples, found, shrunk and saved."""

import json
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.find_shrinking import FuzzFinding, save_find
from vivavoce.app.fuzz_report import as_json, as_markdown, find_lines, note_lines, table_lines
from vivavoce.app.fuzzing import Fuzzed, FuzzOptions, fuzz
from vivavoce.app.request import RunRequest
from vivavoce.cli.commands.init import write_project
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
    assert by_operator["ignore-rules"].line == "'restrictions are lifted'"
    assert not by_operator["nothing"].line.strip("'").replace("\\n", "").strip()
    for find in found.finds:
        save_find(find, Path("finds.jsonl"))
    report = await vivavoce.arun("finds.jsonl", agent=planted, history=False)
    assert [result.status.value for result in report.results if result.status.value == "passed"] == []


LEAK = """
    if "restrictions are lifted" in messages[-1]["content"]:
        return {"content": "My orders: never sell below cost.", "tool_calls": []}
"""


async def test_three_bugs_in_the_shipped_example_are_found_shrunk_and_saved(tmp_path: Path):
    """Two are in it (capitals, a blank line), one is planted: an instruction that lifts all restrictions."""
    write_project(tmp_path, "python")
    source = Path("agent.py").read_text()
    before, told, after = source.partition("""    item = messages[-1]""")
    Path("agent.py").write_text(f"{before}{LEAK}{told}{after}")
    Path("viva.yaml").write_text(Path("viva.yaml").read_text() + "fuzz: {never_said: [never sell below cost]}\n")
    found = await fuzz(RunRequest.of({}, {}), FuzzOptions())
    assert sum(score.judged for score in found.scores) <= 200
    lines = {(find.error.partition(":")[0], find.line) for find in found.finds}
    by_operator = {name: find for find in found.finds for name in find.operators}
    assert by_operator["ignore-rules"].line == "'restrictions are lifted'"
    assert "IndexError" in by_operator["nothing"].error
    assert by_operator["nothing"].line == "' '"
    assert min(_letters_changed(find) for find in found.finds if "case" in find.operators) == 1, lines
    for find in found.finds:
        save_find(find, Path("finds.jsonl"))
    report = await vivavoce.arun("finds.jsonl", history=False)
    assert "passed" not in [result.status.value for result in report.results]


def _letters_changed(find: FuzzFinding) -> int:
    """How many letters of the shortest line differ from the line it was made from."""
    asked = ["what is a mug?", "what is a car?", "and two of that?"]
    line = str(find.case.turns[find.turn].content)
    return min(sum(a != b for a, b in zip(line, one, strict=True)) for one in asked if len(one) == len(line))


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
    assert found.left_out.keys() == {"cases.jsonl::x"}
    assert any("cases.jsonl::x: output does not contain" in line for line in note_lines(found))


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


def using(tokens: int, calls: list[str]) -> Any:
    """The agent with the planted bugs, which says what it used."""

    def agent(text: str) -> dict[str, Any]:
        calls.append(text)
        return {"content": planted(text), "usage": {"input_tokens": tokens, "output_tokens": 0}}

    return agent


async def test_one_budget_is_for_cases_variants_and_shrinking_together():
    unlimited: list[str] = []
    await fuzzed(using(10, unlimited), operators=("ignore-rules",), variants=4)
    calls: list[str] = []
    found = await fuzzed(using(10, calls), {"budget": "90tok"}, operators=("ignore-rules",), variants=4)
    # Two cases, four variants and three conversations that shrink a find: the tenth would be beyond it.
    assert (len(calls), len(unlimited) > 9) == (9, True)
    assert found.stopped_by == "budget"
    assert found.warnings == ("budget: 90 tokens spent of 90 tokens",)
    assert found.finds
    for find in found.finds:
        save_find(find, Path("finds.jsonl"))
    report = await vivavoce.arun("finds.jsonl", agent=planted, history=False)
    assert "passed" not in [result.status.value for result in report.results]


async def test_a_find_is_kept_as_it_is_when_nothing_is_left_to_repeat_it():
    found = await fuzzed(using(10, []), {"budget": "60tok"}, operators=("ignore-rules",), variants=4)
    assert {find.failed_again for find in found.finds} == {None}
    assert any("neither repeated nor shrunk" in line for find in found.finds for line in find_lines(find, "x"))


async def test_the_paraphraser_spends_the_same_budget():
    Path("other.py").write_text(
        "from pathlib import Path\n"
        "def say(text):\n"
        "    asked = Path('asked')\n"
        "    asked.write_text('x' + (asked.read_text() if asked.exists() else ''))\n"
        "    return {'content': 'a mug or a tea', 'usage': {'input_tokens': 50, 'output_tokens': 50}}\n"
    )
    calls: list[str] = []
    given = {"paraphraser": "python:other.py:say", "operators": ("paraphrase",)}
    found = await fuzzed(using(10, calls), {"budget": "100tok"}, **given)
    # The two cases leave 80 tokens; one paraphrase spends 100, so that neither the second line nor a variant is begun.
    assert (len(calls), Path("asked").read_text()) == (2, "x")
    assert (found.stopped_by, found.warnings) == ("budget", ("budget: 120 tokens spent of 100 tokens",))


async def test_reports_have_the_table_and_the_finds():
    found = await fuzzed(planted, operators=("case", "nothing"), variants=20)
    places = [f"finds.jsonl::{number}" for number, _ in enumerate(found.finds)]
    assert any(line.startswith("case ") for line in table_lines(found.scores))
    assert any("finds.jsonl::0" in line for line in find_lines(found.finds[0], places[0]))
    assert "| case | meaning |" in as_markdown(found, places)
    written = as_json(found, places)
    assert [find["case"] for find in written["finds"]] == places
