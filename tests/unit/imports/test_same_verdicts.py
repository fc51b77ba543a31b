"""Imported examples judge as the cases beside them (expected.jsonl), which were written by hand in older assertions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.unit.imports.example_files import imported

import vivavoce
from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.sources.reading.jsonl import JsonlSource

DATA = Path(__file__).parents[2] / "data" / "imports"
FILES = {
    "adk": "adk/shop.evalset.json",
    "deepeval": "deepeval/goldens.json",
    "evalview": "evalview/refund.yaml",
    "inspect": "inspect/shop.json",
    "langsmith": "langsmith/dataset.jsonl",
    "openai": "openai-evals/samples.jsonl",
    "openai-api": "openai-evals-api/eval.json",
    "promptfoo": "promptfoo/promptfooconfig.yaml",
    "pydantic-evals": "pydantic-evals/shop.yaml",
    "skills": "agent-skills/evals.json",
    "table": "table/cases.jsonl",
}
ASKS_OTHERS = {"agent", "latency", "cost", "javascript", "script"}
"""Checks that need a judge, a clock or node; the other tests hold them."""
REPLIES = (
    "",
    "Refunded 30 EUR.",
    "I refunded order A-17: 30 EUR are on their way.",
    "Which order is it?",
    '{"status": "paid"}',
    "A-17 is paid, yes",
    "sorry, error",
    "A",
    "No, as an AI I cannot help",
    "4",
)
FIND = {"name": "find_order", "arguments": {"order": "A-17"}, "result": "ok"}
REFUND = {"name": "refund", "arguments": {"order": "A-17", "amount": 30}, "result": "ok"}
CALLS: tuple[list[dict[str, Any]], ...] = ([], [FIND], [FIND, REFUND], [{**REFUND, "name": "delete_order"}])
DIFFERENT = {
    ("evalview", "I refunded order A-17: 30 EUR are on their way."),  # EvalView's `contains` ignores case
    ("promptfoo", "No, as an AI I cannot help"),  # `defaultTest`, which was not written beside the tests of the table
}


def cases_in(path: Path) -> list[Case]:
    return [case for case in JsonlSource(path, path.name).read() if isinstance(case, Case) and not case.simulator]


def said_in(case: Case) -> str:
    return json.dumps([turn.content for turn in case.turns])


def own(assertions: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    return tuple(each for each in assertions if each.type not in ASKS_OTHERS)


def judged_here(case: Case, name: str) -> Case:
    turns = tuple(structs.replace(turn, assertions=own(turn.assertions)) for turn in case.turns)
    return structs.replace(
        case,
        id=name,
        origin=Origin("cases.jsonl"),
        turns=turns,
        assertions=own(case.assertions),
        final_assertions=own(case.final_assertions),
        runs=None,
        min_pass=None,
        skip=None,
    )


@pytest.fixture
def pairs(tmp_path: Path) -> list[tuple[Case, Case]]:
    found: list[tuple[Case, Case]] = []
    for kind, file in FILES.items():
        (account,) = imported(tmp_path / kind, kind, DATA / file, partial=True)
        assert account.target is not None
        ours = {said_in(case): case for case in cases_in(account.target)}
        for number, written in enumerate(cases_in((DATA / file).parent / "expected.jsonl")):
            if said_in(written) in ours:
                name = f"{kind}/{number}"
                found.append((judged_here(ours[said_in(written)], name), judged_here(written, name)))
    return found


def answering(reply: dict[str, Any]) -> Callable[[list[Any]], dict[str, Any]]:
    return lambda messages: reply


@pytest.mark.timeout(120)
async def test_imported_cases_have_the_verdicts_of_those_beside_them(
    pairs: list[tuple[Case, Case]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert {case.id.partition("/")[0] for case, _ in pairs} == FILES.keys()
    assert len(pairs) >= 18
    differ: set[tuple[str, str]] = set()
    seen: set[str] = set()
    for reply in REPLIES:
        for calls in CALLS:
            agent = answering({"content": reply, "tool_calls": calls})
            ours = await vivavoce.arun([case for case, _ in pairs], agent=agent)
            written = await vivavoce.arun([case for _, case in pairs], agent=agent)
            for mine, theirs in zip(ours.results, written.results, strict=True):
                seen.add(mine.status.value)
                if mine.status != theirs.status:
                    differ.add((mine.case.id.partition("/")[0], reply))
    assert seen >= {"passed", "failed"}
    assert differ == DIFFERENT
