"""A small file of each tool becomes the cases it should; what cannot be taken over is told."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.imports.case_files import id_of
from vivavoce.imports.found import CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.importing import import_files
from vivavoce.imports.known import KINDS
from vivavoce.model.case import Case
from vivavoce.sources.reading.jsonl import JsonlSource

DATA = Path(__file__).parents[2] / "data" / "imports"
FILES = {
    "skills": "agent-skills/evals.json",
    "promptfoo": "promptfoo/promptfooconfig.yaml",
    "adk": "adk/shop.evalset.json",
    "deepeval": "deepeval/goldens.json",
    "agenteval": "aws-agent-evaluation/agenteval.yml",
    "openai": "openai-evals/shop.yaml",
    "openai-api": "openai-evals-api/eval.json",
    "evalview": "evalview/refund.yaml",
    "tau2": "tau2/tasks.json",
    "pydantic-evals": "pydantic-evals/shop.yaml",
    "inspect": "inspect/shop.json",
    "langsmith": "langsmith/dataset.jsonl",
    "table": "table/cases.jsonl",
}


def found(kind: str, file: str, **options: Any) -> list[FoundCase | Refused | Note | CodeFile]:
    return list(KINDS[kind].read()(DATA / file, ImportOptions(folder=DATA / "out", **options)))


def case(kind: str, number: int = 0, file: str | None = None, **options: Any) -> dict[str, Any]:
    one = found(kind, file or FILES[kind], **options)[number]
    assert isinstance(one, FoundCase), one
    return one.case


def test_every_kind_has_an_example():
    assert set(FILES) == set(KINDS)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_what_is_written_is_read_by_viva(kind: str, tmp_path: Path):
    (account,) = import_files(kind, [DATA / FILES[kind]], ImportOptions(folder=tmp_path), partial=True)
    assert account.target is not None
    cases = list(JsonlSource(account.target, "cases.jsonl").read())
    assert cases
    assert all(isinstance(one, Case) for one in cases), cases


def test_adk_conversations_and_criteria():
    refund = case("adk")
    assert (refund["id"], refund["user"], refund["state"]) == ("refund_two_turns", "ada", {"plan": "gold"})
    first, second = refund["turns"]
    assert [one["type"] for one in first["assert"]] == ["similar"]
    assert second["assert"][0] == {
        "type": "sequence",
        "calls": [
            {"name": "find_order", "args": {"order": "A-17"}},
            {"name": "refund", "args": {"order": "A-17", "amount": 30}},
        ],
        "match": "in_order",
    }
    assert second["assert"][1]["threshold"] == 0.6
    assert refund["final_assertions"] == [{"type": "agent", "value": "The answer is polite.", "threshold": 0.8}]
    assert case("adk", 1)["simulator"]["options"]["metadata"]["goal"].startswith("Ask for a refund")


def test_adk_without_a_config_wants_exactly_these_calls(tmp_path: Path):
    text = (DATA / "adk" / "old_list.test.json").read_text()
    (tmp_path / "old.test.json").write_text(text)
    (one,) = KINDS["adk"].read()(tmp_path / "old.test.json", ImportOptions(folder=tmp_path))
    assert isinstance(one, FoundCase)
    first, second = one.case["turns"]
    assert first["assert"][0]["match"] == "exact"
    assert second["assert"][0] == {"type": "only", "names": []}


def test_adk_in_camel_case_keeps_the_spelling_of_arguments(tmp_path: Path):
    (tmp_path / "x.evalset.json").write_text(
        '{"evalCases": [{"evalId": "a", "conversation": [{"userContent": {"parts": [{"text": "Hi"}]}, '
        '"intermediateData": {"toolUses": [{"name": "find", "args": {"orderId": 1}}]}}]}]}'
    )
    (one,) = KINDS["adk"].read()(tmp_path / "x.evalset.json", ImportOptions(folder=tmp_path))
    assert isinstance(one, FoundCase)
    assert one.case["assert"][0]["calls"] == [{"name": "find", "args": {"orderId": 1}}]


def test_deepeval_goldens():
    refund = case("deepeval")
    assert refund["assert"] == [
        {
            "type": "agent",
            "criteria": "same_meaning",
            "reference": "The refund is on its way.",
            "context": ["Refunds take three days."],
        },
        {"type": "tool_called", "name": "refund", "arguments": {"order": "A-17"}},
    ]
    assert case("deepeval", 1)["assert"] == []
    table = case("deepeval", file="deepeval/goldens.csv")
    assert table["assert"][0]["context"] == ["Refunds take three days.", "Refunds are free."]
    talk = case("deepeval", file="deepeval/conversational_goldens.json")
    assert talk["simulator"]["options"]["metadata"]["persona"] == "Impatient, writes short lines."
    assert len(talk["messages"]) == 2


def test_deepeval_metrics_are_named_by_hand():
    assert case("deepeval", metrics=("answer_relevancy",))["assert"][-1] == {"type": "agent", "criteria": "relevant"}
    (left,) = [
        remark.what
        for one in found("deepeval", FILES["deepeval"], metrics=("summarization",))[:1]
        if isinstance(one, FoundCase)
        for remark in one.remarks
        if remark.outcome == "left_out"
    ]
    assert "summarization" in left


def test_openai_evals():
    assert case("openai")["assert"] == [{"type": "regex", "value": "^(?:Yes|yes)"}]
    assert case("openai", file="openai-evals/samples.jsonl", check="includes")["assert"] == [
        {"type": "contains", "value": ["Yes", "yes"], "any": True}
    ]


def test_the_openai_eval_api():
    first = case("openai-api")
    assert first["messages"][0] == {"role": "system", "content": "You are a shop."}
    assert first["assert"] == [
        {"type": "contains", "value": "paid", "ignore_case": True},
        {"type": "similar", "value": "paid", "threshold": 0.8},
        {"type": "agent", "value": "Tone of the answer? Passing: polite. Other labels: rude."},
        {"type": "agent", "value": "Grade the answer", "threshold": 0.7},
    ]
    assert len(found("openai-api", FILES["openai-api"])) == 2, "a row that stands in two files is one case"


def test_a_foreign_file_beside_an_evaluation_holds_no_rows(tmp_path: Path):
    for name in ("eval.json", "run.json", "data.jsonl"):
        (tmp_path / name).write_text((DATA / "openai-evals-api" / name).read_text())
    (tmp_path / "cases.jsonl").write_text('{"id": "a",\n "input": "x"}\n')
    read = KINDS["openai-api"].read()
    assert len(list(read(tmp_path / "eval.json", ImportOptions(folder=tmp_path)))) == len(
        found("openai-api", "openai-evals-api/eval.json")
    )


def test_evalview():
    refund = case("evalview")
    assert (refund["runs"], refund["min_pass"]) == (10, 8)
    assert [turn["input"] for turn in refund["turns"]] == ["Refund A-17", "Yes"]
    assert {"type": "forbid", "name": "delete_order"} in refund["final_assertions"]
    assert {"type": "contains", "value": "30 EUR", "ignore_case": True} in refund["final_assertions"]


def test_tau2_says_what_only_its_own_database_can_tell():
    (task,) = found("tau2", FILES["tau2"])
    assert isinstance(task, FoundCase)
    assert task.case["final_assertions"][0] == {
        "type": "tool_called",
        "name": "refund",
        "arguments": {"order": "A-17"},
    }
    assert len(task.left_out) == 2


def test_aws_agent_evaluation():
    refund = case("agenteval")
    assert refund["simulator"]["options"]["metadata"]["goal"].startswith("1. Ask for a refund. 2.")
    assert len(refund["final_assertions"]) == 2


def test_pydantic_evals():
    assert case("pydantic-evals")["assert"] == [
        {"type": "contains", "value": "30", "ignore_case": True},
        {"type": "agent", "value": "Says when the money arrives"},
        {"type": "latency", "max": "5s"},
        {"type": "equals", "value": "Refunded 30 EUR."},
        {"type": "type", "value": "string"},
    ]
    assert case("pydantic-evals", 1)["metadata"]["inputs"]["order"] == "A-17"


@pytest.mark.parametrize(
    ("check", "assertion"),
    [
        ("includes", {"type": "contains", "value": ["refunded"], "any": True, "ignore_case": True}),
        ("exact", {"type": "regex", "value": r"(?i)^\s*(?:refunded)\s*$"}),
        ("judge", {"type": "agent", "criteria": "same_meaning", "reference": "refunded"}),
    ],
)
def test_inspect_compares_as_it_is_told(check: str, assertion: dict[str, Any]):
    assert case("inspect", check=check)["assert"] == [assertion]


def test_inspect_choices_are_written_into_the_question():
    choices = case("inspect", 2)
    assert choices["input"].endswith("A) red\nB) seven\n\nAnswer with the letter only.")
    assert choices["assert"] == [{"type": "regex", "value": r"^\W*(?:A)\b"}]


def test_langsmith_examples():
    assert case("langsmith")["assert"] == [{"type": "agent", "criteria": "same_meaning", "reference": "It was paid."}]
    assert [one["type"] for one in case("langsmith", 1)["assert"]] == ["tool_called", "agent"]


@pytest.mark.parametrize(
    ("name", "case_id"),
    [("Refunds the order!", "refunds-the-order"), ("a_b.c", "a_b.c"), ("  ", "case"), ("Grüße, Welt", "grüße-welt")],
)
def test_ids_are_made_of_the_words_of_a_name(name: str, case_id: str):
    assert id_of(name) == case_id
