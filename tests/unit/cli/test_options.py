"""The declared options as click's: kinds, variables, what is refused."""

from typing import Any

import click
import pytest
from click.testing import CliRunner

from vivavoce.cli import options
from vivavoce.project.option import Option
from vivavoce.project.run_options import ExecutionOptions, ProjectOptions


def given(declared: Option, *arguments: str, **environment: str) -> tuple[int, Any, str]:
    """(exit code, the value the command gets, what is said)."""
    seen: dict[str, Any] = {}

    @click.command()
    @options.click_option(declared)
    def command(**flags: Any) -> None:
        seen.update(flags)

    done = CliRunner().invoke(command, arguments, env=environment)
    return done.exit_code, seen.get(declared.name), done.output


def option(kind: str, **fields: Any) -> Option:
    known: dict[str, Any] = {"name": "thing", "flags": ("--thing",), "kind": kind, "help": "A thing."}
    return Option(**{**known, **fields})


@pytest.mark.parametrize(
    ("declared", "arguments", "value"),
    [
        (option("switch"), ["--thing"], True),
        (option("off switch", flags=("--no-thing",)), ["--no-thing"], False),
        (option("text"), ["--thing", "x"], "x"),
        (option("texts"), ["--thing", "x", "--thing", "y"], ("x", "y")),
        (option("number"), ["--thing", "-3"], -3),
        (option("duration"), ["--thing", "2m30s"], "2m30s"),
        (option("choice", choices=("a", "b")), ["--thing", "b"], "b"),
        (option("optional text"), ["--thing"], options.NEWEST),
        (option("optional text"), ["--thing=x"], "x"),
    ],
    ids=lambda value: value.kind if isinstance(value, Option) else None,
)
def test_each_kind_is_taken_as_it_is_meant(declared: Option, arguments: list[str], value: Any):
    assert given(declared, *arguments)[:2] == (0, value)


@pytest.mark.parametrize("kind", ["switch", "off switch", "text", "texts", "number", "duration", "optional text"])
def test_what_is_not_given_is_none(kind: str):
    assert given(option(kind))[:2] == (0, None)


@pytest.mark.parametrize(
    ("declared", "value", "said"),
    [
        (option("number", least=1), "0", "0 is not in the range x>=1"),
        (option("number"), "many", "'many' is not a valid integer"),
        (option("duration"), "5x", "5x"),
        (option("choice", choices=("a", "b")), "c", "'c' is not one of 'a', 'b'"),
    ],
    ids=["too small", "no number", "no duration", "no choice"],
)
def test_a_bad_value_is_refused(declared: Option, value: str, said: str):
    code, _, told = given(declared, "--thing", value)
    assert (code, said in told) == (2, True), told


def test_a_variable_says_it_where_no_flag_does():
    declared = option("text", variable="VIVA_THING")
    assert given(declared, VIVA_THING="by variable")[1] == "by variable"
    assert given(declared, "--thing", "by flag", VIVA_THING="by variable")[1] == "by flag"


def test_an_option_that_may_be_given_once_refuses_its_second_mention_with_what_to_do():
    declared = option("text", once="join them with `or`", variable="VIVA_THING")
    assert given(declared, "--thing", "x")[1] == "x"
    code, _, told = given(declared, "--thing", "x", "--thing", "y")
    assert (code, "given 2 times (join them with `or`)" in told) == (2, True), told
    assert given(declared, VIVA_THING="a b")[1] == "a b", "a variable is one value"


def help_of(*decorators: Any) -> str:
    @click.command()
    def command(**flags: Any) -> None: ...

    for decorate in decorators:
        command = decorate(command)
    return " ".join(CliRunner().invoke(command, ["--help"]).output.split())


def test_a_group_brings_all_its_options_and_a_command_may_word_some_anew():
    shown = help_of(options.groups(ProjectOptions, said={"config": "Another file."}))
    assert all(flag in shown for one in ProjectOptions.declared for flag in one.flags)
    assert "Another file." in shown


def test_one_option_of_a_group_can_be_taken_alone():
    shown = help_of(options.named(ExecutionOptions, "runs", "So often."))
    assert ("--runs" in shown, "So often." in shown, "--parallel" in shown) == (True, True, False)


def test_inputs_may_stand_without_a_flag_but_never_as_a_message(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text("")
    seen: list[Any] = []

    @click.command()
    @options.source_options
    def command(inputs: Any, **flags: Any) -> None:
        seen.append(inputs)

    assert CliRunner().invoke(command, ["-i", "some words", "a.jsonl"]).exit_code == 0
    assert seen == [("some words", "a.jsonl")]
    assert CliRunner().invoke(command, ["some words"]).exit_code != 0
