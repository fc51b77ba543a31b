"""promptfoo's conversations."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from vivavoce.imports.found import CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.promptfoo.config import read
from vivavoce.imports.promptfoo.conversations import first_messages, has_conversation
from vivavoce.notation.templates import TemplateProblem

CHAT = """[
  {"role": "system", "content": "{{ system }}"},
  {% for completion in _conversation %}
    {"role": "user", "content": "{{ completion.input }}"},
    {"role": "assistant", "content": "{{ completion.output }}"},
  {% endfor %}
  {"role": "user", "content": {{ question | dump }}}
]"""
BY_LENGTH = CHAT.replace("completion.input", "completion.prompt[completion.prompt.length - 1].content")


def asked(question: str, conversation: str | None = None, **more: Any) -> dict[str, Any]:
    metadata = {} if conversation is None else {"metadata": {"conversationId": conversation}}
    return {"vars": {"system": "Be kind.", "question": question}, **metadata, **more}


def found(folder: Path, config: dict[str, Any]) -> list[FoundCase | Refused | Note | CodeFile]:
    path = folder / "promptfooconfig.json"
    path.write_bytes(msgspec.json.encode({"prompts": [CHAT], **config}))
    return list(read(path, ImportOptions(folder=folder)))


def cases_in(folder: Path, **config: Any) -> list[dict[str, Any]]:
    cases = found(folder, config)
    assert all(isinstance(case, FoundCase) for case in cases), cases
    return [case.case for case in cases if isinstance(case, FoundCase)]


def lines(case: dict[str, Any]) -> list[str]:
    return [turn["input"] for turn in case["turns"]]


@pytest.mark.parametrize("template", [CHAT, BY_LENGTH])
def test_a_plain_chat_gives_its_first_messages(template: str):
    assert has_conversation(template)
    assert first_messages(template, {"system": "Be kind.", "question": 'a "quoted" word'}) == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": 'a "quoted" word'},
    ]


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{% for c in _conversation %}User: {{ c.input }}{% endfor %}{{ question }}", "not a list of messages in JSON"),
        (CHAT.replace("completion.output", "completion.output | upper"), "for more than the messages so far"),
        (CHAT.replace("in _conversation", "in _conversation[-1:]"), "for more than the messages so far"),
        (CHAT.replace('"user", "content": {{', '"assistant", "content": {{'), "does not end with what the user says"),
    ],
)
def test_any_other_use_is_refused_by_name(template: str, why: str):
    with pytest.raises(TemplateProblem, match=why):
        first_messages(template, {"system": "S", "question": "Q"})


def test_a_prompt_without_the_variable_is_no_conversation():
    assert not has_conversation("Hi {{ x }}, about _conversation")
    assert not has_conversation([{"role": "user", "content": "{{ _conversation }}"}])


def test_tests_of_one_id_become_turns_in_order(tmp_path: Path):
    check: dict[str, Any] = {"assert": [{"type": "contains", "value": "Palo Alto"}]}
    tests = [asked("Who?", "a"), asked("Rain?", "b"), asked("Where?", "a", **check), asked("Umbrella?", "b")]
    first, second = cases_in(tmp_path, tests=tests)
    assert first == {
        "id": "a",
        "metadata": {"conversationId": "a", "vars": {"system": "Be kind."}},
        "messages": [{"role": "system", "content": "Be kind."}],
        "turns": [{"input": "Who?"}, {"input": "Where?", "assert": [{"type": "contains", "value": "Palo Alto"}]}],
    }
    assert (second["id"], lines(second)) == ("b", ["Rain?", "Umbrella?"])


def test_without_an_id_all_tests_are_one_conversation(tmp_path: Path):
    (case,) = cases_in(tmp_path, tests=[asked("Who?"), asked("Where?")])
    assert (case["id"], lines(case)) == ("conversation", ["Who?", "Where?"])


def test_the_tests_of_a_scenario_are_a_conversation(tmp_path: Path):
    scenario: dict[str, Any] = {"config": [{}], "tests": [asked("Who?"), asked("Where?")]}
    cases = cases_in(tmp_path, scenarios=[scenario, scenario])
    assert [case["id"] for case in cases] == ["scenario 1", "scenario 2"]


def test_each_prompt_has_conversations_of_its_own(tmp_path: Path):
    cases = cases_in(tmp_path, prompts=[CHAT, BY_LENGTH], tests=[asked("Who?", "a"), asked("Where?", "a")])
    assert [(case["id"], lines(case)) for case in cases] == [
        ("a@prompt1", ["Who?", "Where?"]),
        ("a@prompt2", ["Who?", "Where?"]),
    ]


def test_a_single_test_and_one_that_wants_no_conversation_stay_as_they_are(tmp_path: Path):
    alone = asked("Alone?", "b", options={"disableConversationVar": True})
    cases = cases_in(tmp_path, tests=[asked("Who?", "a"), alone, asked("Rain?", "b")])
    assert all("turns" not in case for case in cases)
    assert sorted(case["messages"][-1]["content"] for case in cases) == ["Alone?", "Rain?", "Who?"]


def test_repeats_and_descriptions_are_kept(tmp_path: Path):
    tests = [asked("Who?", description="the founder"), asked("Where?", options={"repeat": 3})]
    (case,) = cases_in(tmp_path, tests=tests)
    assert (case["description"], case["runs"]) == ("the founder", 3)


def test_code_gets_the_variables_of_its_own_turn(tmp_path: Path):
    check: dict[str, Any] = {"assert": [{"type": "javascript", "value": "output.includes(context.vars.question)"}]}
    (case,) = cases_in(tmp_path, tests=[asked("Who?", **check), asked("Where?", **check)])
    assert [turn["assert"][0]["vars"]["question"] for turn in case["turns"]] == ["Who?", "Where?"]


def test_what_a_turn_cannot_have_is_said(tmp_path: Path):
    score: dict[str, Any] = {
        "threshold": 0.5,
        "assert": [{"type": "contains", "value": "x", "weight": 2}, {"type": "is-json"}],
    }
    code: dict[str, Any] = {"assert": [{"type": "python", "value": "context['vars']['question'] in output"}]}
    case = found(tmp_path, {"tests": [asked("Who?", **score), asked("Where?", **code)]})[0]
    assert isinstance(case, FoundCase)
    told = " ".join(remark.what for remark in case.remarks if remark.outcome == "different")
    assert "a turn has no score of its own" in told
    assert "only the variables that all turns" in told
    assert case.case["turns"][0]["assert"][0] == {"type": "contains", "value": "x"}


def test_a_conversation_with_a_turn_that_cannot_be_taken_is_refused_whole(tmp_path: Path):
    check: dict[str, Any] = {"assert": [{"type": "is-json"}]}
    both = found(tmp_path, {"tests": [asked("Who?", **check), {"vars": {"system": "Be kind."}, **check}]})
    assert all(isinstance(one, Refused) and one.checks == 1 for one in both)
    assert [one.what for one in both if isinstance(one, Refused)] == [
        "another turn of its conversation cannot be imported",
        "a template that only promptfoo can fill in: bad template: 'question' is undefined",
    ]


def test_a_system_message_that_changes_is_refused(tmp_path: Path):
    other = asked("Where?")
    other["vars"]["system"] = "Be rude."
    both = found(tmp_path, {"tests": [asked("Who?"), other]})
    assert {one.what for one in both if isinstance(one, Refused)} == {
        "the opening messages of its conversation differ between its tests"
    }
