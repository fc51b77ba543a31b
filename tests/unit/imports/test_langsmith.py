"""LangSmith's datasets."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.imports.example_files import case_in, left_out


def written(tmp_path: Path, *examples: dict[str, Any]) -> Path:
    file = tmp_path / "dataset.jsonl"
    file.write_text("\n".join(map(json.dumps, examples)))
    return file


def test_outputs_become_checks():
    assert case_in("langsmith")["assert"] == [
        {"type": "agent", "criteria": "same_meaning", "reference": "It was paid."}
    ]
    assert [one["type"] for one in case_in("langsmith", number=1)["assert"]] == ["tool_called", "agent"]


def test_of_several_inputs_one_is_named(tmp_path: Path):
    file = written(tmp_path, {"inputs": {"question": "Hi", "topic": "x"}, "outputs": {"n": 5}})
    (told,) = left_out("langsmith", file)
    assert "say which of question, topic it is: --input NAME" in told
    case = case_in("langsmith", file, columns={"input": ("question",)})
    assert (case["input"], case["metadata"]["inputs"]["topic"]) == ("Hi", "x")
    assert case["assert"] == [{"type": "json_path", "path": "$.n", "value": 5}]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "human", "content": "Hi"},
        {"type": "human", "content": "Hi"},
        {"type": "human", "data": {"content": "Hi"}},
    ],
)
def test_messages_as_langchain_writes_them_are_read(message: dict[str, Any], tmp_path: Path):
    file = written(tmp_path, {"inputs": {"messages": [message]}, "outputs": {}})
    assert case_in("langsmith", file)["messages"] == [{"role": "user", "content": "Hi"}]


def test_calls_and_the_answer_of_langchain_messages_are_checked(tmp_path: Path):
    answers = [
        {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "find", "args": {"n": 1}}]}},
        {"type": "tool", "data": {"content": "found"}},
        {"type": "ai", "data": {"content": "It is here."}},
    ]
    file = written(tmp_path, {"inputs": {"q": "Where?"}, "outputs": {"messages": answers}})
    assert case_in("langsmith", file)["assert"] == [
        {"type": "tool_called", "name": "find", "arguments": {"n": 1}},
        {"type": "agent", "criteria": "same_meaning", "reference": "It is here."},
    ]
