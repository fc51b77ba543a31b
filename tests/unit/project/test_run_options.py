"""The one declaration of run options, and the lists that must not forget any of them."""

import re

import pytest

from vivavoce.project.option import Option
from vivavoce.project.run_options import RUN_OPTIONS, ExecutionOptions, values_in


def test_no_name_flag_or_variable_is_used_twice():
    for words in (
        [one.name for one in RUN_OPTIONS],
        [flag for one in RUN_OPTIONS for flag in one.flags],
        [one.variable for one in RUN_OPTIONS if one.variable],
        [one.pytest for one in RUN_OPTIONS if one.pytest],
    ):
        assert len(words) == len(set(words))


@pytest.mark.parametrize("one", RUN_OPTIONS, ids=lambda one: one.name)
def test_the_help_is_a_sentence(one: Option):
    assert re.fullmatch(r"[A-Z`-].*\.", one.help)


def test_old_names_of_flags_stay():
    flags = {flag for one in RUN_OPTIONS for flag in one.flags}
    assert {"--ff", "--lf", "--tag", "--junitxml", "-x", "-j", "-k", "-m", "--run", "--no-history"} <= flags


def test_variables_are_parsed_by_their_options():
    said = {"VIVA_PARALLEL": "4", "VIVA_NO_HISTORY": "1", "VIVA_FAIL_FAST": "0", "VIVA_TIMEOUT": "2s", "OTHER": "x"}
    assert values_in(said) == {"parallel": 4, "history": None, "fail_fast": False, "timeout": "2s"} | {"history": False}


def test_a_group_is_frozen_and_defaults_to_what_is_declared():
    group = ExecutionOptions(runs=3)
    assert (group.runs, group.parallel, group.timeout_s, group.max_failures) == (3, 1, 300.0, None)
    assert (ExecutionOptions(fail_fast=True).max_failures, ExecutionOptions(maxfail=4).max_failures) == (1, 4)
    with pytest.raises(AttributeError, match="frozen"):
        group.runs = 4  # pyright: ignore
