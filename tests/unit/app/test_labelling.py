"""Which conversations a person is asked about."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import vivavoce
from vivavoce.app.labelling import OpenQuestions, Question, questions, set_without_asking
from vivavoce.app.opening import open_project
from vivavoce.errors import UsageError
from vivavoce.insight.calibration.labels import Labels
from vivavoce.results.recorded_runs import recorded_runs


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """Five cases that ran twice; the agent answers the last of them differently each time."""
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text("".join(json.dumps({"id": f"T{n}", "input": f"{n}"}) + "\n" for n in range(5)))
    calls: list[str] = []

    def agent(text: str) -> str:
        calls.append(text)
        return f"answer {len(calls)}" if text == "4" else "answer"

    vivavoce.run("a.jsonl", agent=agent, runs=2, outputs="out.jsonl", history=False)
    return list(questions(recorded_runs(["out.jsonl"], open_project(None))))


def test_the_same_conversation_is_asked_about_once(asked: list[Question]):
    assert sorted(one.conversation.case.id for one in asked) == ["T0", "T1", "T2", "T3", "T4", "T4"]


def test_what_has_a_label_is_not_asked_again(asked: list[Question]):
    labels = Labels([asked[0].answered("fail"), asked[2].answered("pass")])
    todo = OpenQuestions(lambda: iter(asked), labels)
    assert (todo.found, len(todo), list(todo)) == (6, 4, [asked[1], *asked[3:]])


def test_a_sample_is_the_same_one_when_somebody_goes_on(asked: list[Question]):
    first = list(OpenQuestions(lambda: iter(asked), Labels(), sample=3, seed=7))
    assert len(first) == 3
    rest = OpenQuestions(lambda: iter(asked), Labels([first[0].answered("pass")]), sample=3, seed=7)
    assert list(rest) == first[1:]


def test_conversations_are_read_one_by_one_as_they_are_asked_about(asked: list[Question]):
    read: list[str] = []

    def reading() -> Iterator[Question]:
        for question in asked:
            read.append(question.conversation.case.id)
            yield question

    todo = OpenQuestions(reading, Labels([asked[0].answered("pass")]))
    read.clear()
    assert next(iter(todo)) is asked[1]
    assert len(read) == 2


def test_a_case_is_labelled_without_asking_in_all_its_conversations(asked: list[Question]):
    made = set_without_asking(["T4=fail", "a.jsonl::T0=pass"], asked, "why")
    assert [(one.case, one.label, one.note) for one in made] == [
        ("a.jsonl::T4", "fail", "why"),
        ("a.jsonl::T4", "fail", "why"),
        ("a.jsonl::T0", "pass", "why"),
    ]


@pytest.mark.parametrize("wrong", ["T0", "T0=good", "=pass", "T9=pass"])
def test_what_is_no_label_is_refused(asked: list[Question], wrong: str):
    with pytest.raises(UsageError):
        set_without_asking([wrong], asked, None)
