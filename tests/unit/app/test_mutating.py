"""Mutation scores of recorded runs."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.mutating import mutate
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.insight.mutants.score import MutationReport

EXACT = {"type": "equals", "value": "You said pay 10"}
CASES: list[dict[str, Any]] = [
    {"id": "strong", "input": "pay 10", "assert": [EXACT]},
    {"id": "weak", "input": "ship 3", "assert": [{"type": "contains", "value": "You"}]},
]


def write(cases: list[dict[str, Any]]) -> None:
    Path("cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))


def recorded(*cases: dict[str, Any], agent: Any = None, **options: Any) -> None:
    write(list(cases))
    vivavoce.run(
        "cases.jsonl", agent=agent or (lambda text: f"You said {text}"), outputs="out.jsonl", history=False, **options
    )


def report(**options: Any) -> MutationReport:
    judges = options.pop("judges", False)
    return asyncio.run(mutate(("out.jsonl",), RunRequest.of(options), judges=judges))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_scores_per_case_and_kind():
    recorded(*CASES)
    found = report()
    strong, weak = found.cases
    assert (strong.counts.percent, strong.survivors) == (100.0, ())
    assert {one.kind.value for one in weak.survivors} == {"reply-cut", "reply-number", "reply-swapped"}
    assert found.kinds[weak.survivors[0].kind].counted == 2
    assert found == report()


def test_survivors_of_an_allowed_kind_do_not_count():
    weak = {**CASES[1], "mutants": {"allow": ["reply-number", "reply-swapped"]}}
    recorded(CASES[0], weak)
    found = report().cases[1]
    assert ({one.kind.value for one in found.survivors}, found.counts.allowed) == ({"reply-cut"}, 2)


def test_an_unknown_kind_is_refused_with_a_suggestion():
    recorded(*CASES)
    write([{**CASES[0], "mutants": {"allow": ["reply-numbr"]}}])
    with pytest.raises(UsageError, match="reply-number"):
        report()


def test_cases_that_cannot_be_scored_are_told_and_left_out():
    failing = {"id": "failing", "input": "x", "assert": [{"type": "contains", "value": "nothing like it"}]}
    recorded(*CASES, failing, {**CASES[0], "id": "later"})
    write([*CASES, failing, {**CASES[0], "id": "later", "input": "pay 11"}])
    assert {one.key.partition("::")[2]: one.why for one in report().left_out} == {
        "failing": "it does not pass",
        "later": "stale: its input reads differently",
    }


def test_the_first_attempt_that_passes_is_changed():
    answers = iter(["no", "You said pay 10", "You said pay 10"])
    recorded({**CASES[0], "runs": 3, "min_pass": 1}, agent=lambda _: next(answers))
    assert [case.run for case in report().cases] == [2]


def test_without_any_case_it_says_why():
    recorded({"id": "failing", "input": "x", "assert": [{"type": "contains", "value": "nothing like it"}]})
    with pytest.raises(UsageError, match="it does not pass"):
        report()
