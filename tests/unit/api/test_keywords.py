"""How `run` and `arun` may be called: what is bound, refused and shown."""

import inspect
from pathlib import Path

import pytest

import vivavoce
from vivavoce.api.keywords import RunKeywords, called_with, in_python, signature
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case, ScriptedTurn


def test_the_signature_has_the_cases_first_and_every_declared_option():
    shown = signature().parameters
    first, *others = shown.values()
    assert (first.name, first.kind) == ("cases", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    assert {one.kind for one in others} == {inspect.Parameter.KEYWORD_ONLY}
    assert {one.name for one in RunKeywords.declared} < set(shown)
    assert inspect.signature(vivavoce.run).parameters.keys() == shown.keys()


def test_a_call_is_taken_apart(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text("")
    case = Case(id="C", turns=(ScriptedTurn(content="hi"),))
    heard: list[object] = []
    written = {"input": "x"}
    call = called_with("run", ([tmp_path / "a.jsonl", "say this", case, written],), {"on_event": heard.append})
    assert call.request.inputs == (str(tmp_path / "a.jsonl"), "say this")
    assert call.request.cases == (case, written)
    assert (call.on_event, call.keep_results) == (heard.append, True)


def test_one_case_need_not_stand_in_a_list():
    assert called_with("run", ({"input": "x"},), {}).request.cases == ({"input": "x"},)
    assert called_with("run", ("tests/",), {}).request.inputs == ("tests/",)


def test_without_cases_the_projects_own_are_meant():
    request = called_with("run", (), {"agent": "a"}).request
    assert (request.inputs, request.cases) == ((), ())


def test_one_bad_generated_case_is_an_error_unless_asked_otherwise():
    assert called_with("run", (), {}).request.strict is True
    assert called_with("run", (), {"strict": False}).request.strict is False


@pytest.mark.parametrize(
    ("args", "keywords", "said"),
    [
        ((), {"agnet": "a"}, r"^arun\(\) got an unexpected keyword argument 'agnet'$"),
        (("a", "b"), {}, r"^arun\(\) too many positional arguments$"),
    ],
)
def test_a_wrong_call_is_a_type_error_of_the_function(args: tuple[str, ...], keywords: dict[str, str], said: str):
    with pytest.raises(TypeError, match=said):
        called_with("arun", args, keywords)


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([], "no cases were given (leave cases out to run the project's own tests)"),
        ([7], "not a case: 7 (give paths, messages, dicts as in JSONL, or Cases)"),
        (Path("some words"), "no such file: some words"),
    ],
    ids=["none", "a number", "no such path"],
)
def test_what_is_no_case_is_refused(cases: object, said: str):
    with pytest.raises(UsageError) as refused:
        called_with("run", (cases,), {})
    assert str(refused.value) == said


def test_flags_in_a_hint_are_said_as_keywords():
    problem = UsageError("no agent", hint="give one with -n AGENT, or raise --parallel")
    assert str(in_python(problem)) == "no agent (give one with agent=…, or raise parallel=)"


def test_a_failure_in_the_world_keeps_its_words():
    failure = CallFailed("the server said: use -n AGENT", fault="agent")
    assert in_python(failure) is failure


WRONG: list[object] = [len, object(), {"a": 1}, b"x", {1}, [1], float("nan"), "a\0b", "\ud800"]


@pytest.mark.parametrize("value", WRONG, ids=lambda value: ascii(value)[:20])
@pytest.mark.parametrize("name", [one.name for one in RunKeywords.declared if not one.takes_objects])
def test_a_value_that_an_option_cannot_have_is_refused_with_its_name(name: str, value: object):
    with pytest.raises(UsageError, match=f"{name}|bad (value|duration)"):
        called_with("run", ({"input": "x"},), {name: value})


@pytest.mark.parametrize("name", [one.name for one in RunKeywords.declared if "switch" in one.kind])
@pytest.mark.parametrize("value", ["no", "false", "", 0, 1])
def test_a_switch_is_true_or_false_and_no_word_for_it(name: str, value: object):
    with pytest.raises(UsageError, match="must be True or False"):
        called_with("run", ({"input": "x"},), {name: value})


@pytest.mark.parametrize("cases", [object(), 3, b"x", len], ids=lambda value: ascii(value)[:20])
def test_what_is_no_case_and_no_list_is_refused(cases: object):
    with pytest.raises(UsageError, match="not a case"):
        called_with("run", (cases,), {})


def test_texts_that_can_be_read_once_are_read_once():
    request = called_with("run", ({"input": "x"},), {"tags": (tag for tag in ("a", "b"))}).request
    assert request.tags == ("a", "b")
