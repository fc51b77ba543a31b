"""DeepEval's goldens."""

from pathlib import Path

from tests.unit.imports.example_files import DATA, FILES, case_in, left_out


def test_goldens():
    assert case_in("deepeval")["assert"] == [
        {
            "type": "agent",
            "criteria": "same_meaning",
            "reference": "The refund is on its way.",
            "context": ["Refunds take three days."],
        },
        {"type": "tool_called", "name": "refund", "arguments": {"order": "A-17"}},
    ]
    assert case_in("deepeval", number=1)["assert"] == []


def test_a_table_of_goldens_has_lists_in_its_fields():
    table = case_in("deepeval", DATA / "deepeval" / "goldens.csv")
    assert table["assert"][0]["context"] == ["Refunds take three days.", "Refunds are free."]


def test_a_conversation_is_simulated_after_its_turns():
    talk = case_in("deepeval", DATA / "deepeval" / "conversational_goldens.json")
    assert talk["simulator"]["options"]["metadata"]["persona"] == "Impatient, writes short lines."
    assert len(talk["messages"]) == 2


def test_metrics_are_named_by_hand():
    assert case_in("deepeval", metrics=("answer_relevancy",))["assert"][-1] == {"type": "agent", "criteria": "relevant"}
    goldens = DATA / FILES["deepeval"]
    assert "summarization" in left_out("deepeval", goldens, metrics=("summarization",))[0]


def test_a_metric_that_needs_a_context_is_left_out_without_one(tmp_path: Path):
    file = tmp_path / "goldens.json"
    file.write_text('[{"input": "Hi"}]')
    assert left_out("deepeval", file, metrics=("faithfulness",)) == [
        "the metric faithfulness needs a context, and this golden has none"
    ]


def test_a_golden_that_says_nothing_is_refused(tmp_path: Path):
    file = tmp_path / "goldens.json"
    file.write_text('[{"expected_output": "x"}]')
    assert left_out("deepeval", file) == ["a golden without `input` or `scenario`"]
