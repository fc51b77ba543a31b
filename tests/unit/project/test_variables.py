"""`${VAR}` in cases and configuration: filled in, with a default, or an error; never left as it is by accident."""

from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import (
    UndefinedVariable,
    expand_yao_env,
    expand_yao_env_if_set,
    interpolate,
    interpolate_deep,
    may_hold_variables,
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VIVA_TEST_KEY", "sk-secret-1")
    monkeypatch.delenv("VIVA_TEST_NONE", raising=False)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("no variable", "no variable"),
        ("${a} and ${ a }", "x and x"),
        ("${ENV.VIVA_TEST_KEY}", "sk-secret-1"),
        ("${missing:-a default}", "a default"),
        ("${missing:-}", ""),
        ("${a:-unused}", "x"),
        ("$${a}", "${a}"),
        ("${number} ${object}", '5 {"k":[1]}'),
        ("$a and {a}", "$a and {a}"),
    ],
)
def test_a_text_is_filled_in(text: str, filled: str):
    assert interpolate(text, {"a": "x", "number": 5, "object": {"k": [1]}}, Secrets()) == filled


@pytest.mark.parametrize("text", ["${missing}", "${ENV.VIVA_TEST_NONE}", "${}", "${A}"])
def test_what_nothing_defines_is_an_error(text: str):
    with pytest.raises(UndefinedVariable, match="undefined variable"):
        interpolate(text, {"a": "x"}, Secrets())


def test_what_was_filled_in_is_not_filled_in_again():
    assert interpolate("${a}", {"a": "${b}", "b": "x"}, Secrets()) == "${b}"


def test_every_text_inside_a_value_is_filled_in_and_no_key():
    value: Any = {"${a}": ["${a}", 5, None, {"k": "${a}!"}]}
    assert interpolate_deep(value, {"a": "x"}, Secrets()) == {"${a}": ["x", 5, None, {"k": "x!"}]}


def test_what_comes_from_the_environment_is_a_secret():
    secrets = Secrets()
    interpolate("${ENV.VIVA_TEST_KEY}", {}, secrets)
    assert secrets.mask("key sk-secret-1") == "key ***"


def test_yaos_spelling_is_filled_in_and_what_is_not_set_is_an_error():
    secrets = Secrets()
    assert expand_yao_env("a $ENV.VIVA_TEST_KEY b", secrets) == "a sk-secret-1 b"
    assert secrets.mask("sk-secret-1") == "***"
    with pytest.raises(UndefinedVariable, match="VIVA_TEST_NONE"):
        expand_yao_env("$ENV.VIVA_TEST_NONE", secrets)


def test_in_prompts_a_name_that_is_not_set_becomes_empty():
    secrets = Secrets()
    assert expand_yao_env_if_set("a $ENV.VIVA_TEST_KEY b$ENV.VIVA_TEST_NONE", secrets) == "a sk-secret-1 b"


@pytest.mark.parametrize(
    ("value", "may"),
    [
        ({"a": ["${x}"]}, True),
        ({"${x}": 1}, True),
        ({"a": "$x {y}"}, False),
        ({"price": "5$"}, False),
        ("\ud83d", True),
    ],
)
def test_a_value_without_variables_is_known_as_one(value: Any, may: bool):
    assert may_hold_variables(value) is may


def test_variables_that_make_too_much_text_name_the_limit():
    with pytest.raises(UsageError, match="more than 67,108,864 characters, the limit"):
        interpolate("${W}" * 1_000, {"W": "w" * 100_000}, Secrets())
    assert len(interpolate("${W}" * 10, {"W": "w" * 100_000}, Secrets())) == 1_000_000
