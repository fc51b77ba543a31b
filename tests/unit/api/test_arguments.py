"""No value of an argument of a public function ends in an error of Python's: the keyword is named."""

import inspect
from typing import Any

import pytest

import vivavoce
from vivavoce.api.arguments import checked_argument
from vivavoce.errors import UsageError

FUNCTIONS = ("compare", "coverage", "fuzz", "mutate", "rejudge", "shrink")
NEEDED: dict[str, dict[str, Any]] = {
    "compare": {"cases": {"input": "x"}, "agents": ["a", "b"]},
    "shrink": {"run": "last"},
}
WRONG: list[object] = [3.5, object(), b"x", {"a": 1}, [3], (None,), {1}, "\ud800", float("nan")]
SAID_OTHERWISE = {"cases": "not a case|agent", "agents": "agent"}
TAKES_ANYTHING = {"agent", "options"}


def keywords_of(function: str) -> list[str]:
    shown = inspect.signature(getattr(vivavoce, function)).parameters
    return [name for name in shown if name not in TAKES_ANYTHING]


ARGUMENTS = [(function, name) for function in FUNCTIONS for name in keywords_of(function)]


@pytest.mark.parametrize(("function", "name"), ARGUMENTS, ids=lambda one: one)
@pytest.mark.parametrize("value", WRONG, ids=lambda value: ascii(value)[:20])
def test_a_wrong_value_is_refused_with_its_keyword(
    function: str, name: str, value: object, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    public = getattr(vivavoce, function)
    several = inspect.signature(public).parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
    args, keywords = ((value,), {}) if several else ((), {**NEEDED.get(function, {}), name: value})
    with pytest.raises(UsageError, match=f"{name}|{SAID_OTHERWISE.get(name)}"):
        public(*args, **keywords)


SWITCHES = [("keep_results", "no"), ("keep_results", 0), ("on_event", 3), ("on_event", "print")]


@pytest.mark.parametrize(("name", "value"), SWITCHES)
def test_what_run_takes_of_its_own_is_checked_too(name: str, value: object):
    with pytest.raises(UsageError, match=f"{name} must be"):
        vivavoce.run({"input": "x"}, agent="a", **{name: value})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("function", "name"), [("mutate", "judges"), ("coverage", "judges"), ("rejudge", "allow_stale")]
)
@pytest.mark.parametrize("value", ["no", "false", 0, 1])
def test_a_word_for_no_is_not_taken_for_yes(function: str, name: str, value: object):
    with pytest.raises(UsageError, match=f"{name} must be True or False"):
        getattr(vivavoce, function)(**{name: value})


@pytest.mark.parametrize(("function", "name"), [("fuzz", "variants"), ("fuzz", "candidates"), ("shrink", "min_fail")])
@pytest.mark.parametrize("value", [0, -1, True, "3"])
def test_numbers_are_at_least_one(function: str, name: str, value: object):
    with pytest.raises(UsageError, match=f"{name} must be"):
        getattr(vivavoce, function)(**{**NEEDED.get(function, {}), name: value})


def test_python_says_itself_what_is_missing_or_unknown():
    with pytest.raises(TypeError, match=r"acompare\(\) missing a required.* argument: 'agents'"):
        vivavoce.compare("x")  # pyright: ignore[reportCallIssue]


def test_one_text_and_what_can_be_read_once_are_lists():
    assert checked_argument("agents", "a", "objects") == ("a",)
    assert checked_argument("agents", (one for one in "ab"), "objects") == ("a", "b")
    assert checked_argument("output", None, "text", optional=True) is None
    with pytest.raises(UsageError, match=r"^output must not be None \(leave output out\)$"):
        checked_argument("output", None, "text")
