"""The one declaration of run options, and the lists that must not forget any of them."""

import re
from typing import Any

import msgspec
import pytest

from vivavoce.errors import UsageError
from vivavoce.project.option import Option, parse
from vivavoce.project.run_options import RUN_OPTIONS, ExecutionOptions, values_in
from vivavoce.project.settings import RunDefaults

NO_OPTION = {"connector"}
"""Of `run:` in viva.yaml: the model of packages that name none, which is not what `-c` overrides."""
JSON_TYPES = {"switch": {"boolean"}, "off switch": {"boolean"}, "number": {"integer"}, "texts": {"string", "array"}}


def named(name: str) -> Option:
    return next(one for one in RUN_OPTIONS if one.name == name)


def test_no_name_flag_or_variable_is_used_twice():
    for words in (
        [one.name for one in RUN_OPTIONS],
        [flag for one in RUN_OPTIONS for flag in one.flags],
        [one.variable for one in RUN_OPTIONS if one.variable],
        [one.pytest for one in RUN_OPTIONS if one.pytest],
    ):
        assert len(words) == len(set(words))


def test_every_setting_is_a_field_of_run_in_viva_yaml_and_the_other_way_round():
    assert {one.setting for one in RUN_OPTIONS if one.setting} == set(RunDefaults.__struct_fields__) - NO_OPTION


@pytest.mark.parametrize("one", [one for one in RUN_OPTIONS if one.setting], ids=lambda one: one.name)
def test_the_field_takes_what_the_option_takes(one: Option):
    _, components = msgspec.json.schema_components([RunDefaults])
    field: dict[str, Any] = components["RunDefaults"]["properties"][one.setting]
    kinds = {kind.get("type") for kind in field.get("anyOf", [field])} - {"null"}
    if one.choices:
        assert set(one.choices) == {choice for kind in field["anyOf"] for choice in kind.get("enum", ()) if choice}
    else:
        assert kinds == JSON_TYPES.get(one.kind, {"string"})
        assert {kind["minimum"] for kind in field.get("anyOf", ()) if "minimum" in kind} == (
            set[int]() if one.least is None else {one.least}
        )


@pytest.mark.parametrize("one", RUN_OPTIONS, ids=lambda one: one.name)
def test_the_help_is_a_sentence(one: Option):
    assert re.fullmatch(r"[A-Z`-].*\.", one.help)


def test_old_names_of_flags_stay():
    flags = {flag for one in RUN_OPTIONS for flag in one.flags}
    assert {"--ff", "--lf", "--tag", "--junitxml", "-x", "-j", "-k", "-m", "--run", "--no-history"} <= flags


def test_variables_are_parsed_by_their_options():
    said = {"VIVA_PARALLEL": "4", "VIVA_NO_HISTORY": "1", "VIVA_FAIL_FAST": "0", "VIVA_TIMEOUT": "2s", "OTHER": "x"}
    assert values_in(said) == {"parallel": 4, "history": None, "fail_fast": False, "timeout": "2s"} | {"history": False}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("parallel", "0", "must be at least 1, not 0"),
        ("parallel", "x", "'x' is not a whole number"),
        ("timeout", "soon", "bad duration 'soon'"),
        ("on_missing_input", "stop", "bad value 'stop'.*skip or fail or end"),
        ("fail_fast", "perhaps", "bad value 'perhaps'"),
    ],
)
def test_a_bad_value_is_a_usage_error(name: str, text: str, words: str):
    with pytest.raises(UsageError, match=words):
        parse(named(name), text, "VIVA_X")


def test_a_group_is_frozen_and_defaults_to_what_is_declared():
    group = ExecutionOptions(runs=3)
    assert (group.runs, group.parallel, group.timeout_s, group.max_failures) == (3, 1, 300.0, None)
    assert (ExecutionOptions(fail_fast=True).max_failures, ExecutionOptions(maxfail=4).max_failures) == (1, 4)
    with pytest.raises(AttributeError, match="frozen"):
        group.runs = 4  # pyright: ignore
