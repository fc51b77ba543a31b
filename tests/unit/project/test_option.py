"""One declared option: its names, its help, and the texts and values it takes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.option import OptionGroup, checked, option, parse, seconds_of, texts_of


class Group(OptionGroup):
    tries: int = option("-t", "--tries", default=1, kind="number", least=1, help="How often.")
    wait: str = option("--wait", default="5m", kind="duration", help="How long.")
    stop: bool = option("--stop-early", default=False, kind="switch", help="Whether to stop.")
    keep: bool = option("--no-keep", default=True, kind="off switch", setting="keep", help="Keep nothing.")
    files: tuple[str, ...] = option("--file", default=(), kind="texts", help="Which.", variable=False, pytest=False)
    when: str | None = option(
        "--when", default=None, kind="choice", choices=("now", "later"), shown_default="now", help="When."
    )


class Wider(Group):
    more: str = option("--more", default="", help="More.")


DECLARED = {one.name: one for one in Group.declared}


def test_variable_setting_and_pytest_flag_are_named_after_the_main_flag():
    one = DECLARED["stop"]
    assert (one.variable, one.setting, one.pytest) == ("VIVA_STOP_EARLY", "stop_early", "--viva-stop-early")
    assert DECLARED["keep"].setting == "keep"
    assert (DECLARED["files"].variable, DECLARED["files"].pytest) == (None, None)
    assert DECLARED["tries"].main_flag == "--tries"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("tries", "How often [1]."),
        ("wait", "How long [5m]."),
        ("stop", "Whether to stop."),
        ("files", "Which."),
        ("when", "When [now]."),
    ],
)
def test_the_help_shows_the_default(name: str, shown: str):
    assert DECLARED[name].help_with_default == shown


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("tries", "3", 3),
        ("stop", "Yes", True),
        ("stop", "", False),
        ("keep", "1", False),
        ("keep", "0", None),
        ("files", "a b", ("a", "b")),
        ("wait", "2s", "2s"),
        ("when", "later", "later"),
    ],
)
def test_a_text_becomes_the_value_it_stands_for(name: str, text: str, value: object):
    assert parse(DECLARED[name], text, "VIVA_X") == value


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("tries", "0", "VIVA_X must be at least 1, not 0"),
        ("tries", "x", "VIVA_X: 'x' is not a whole number"),
        ("wait", "soon", "bad duration 'soon'"),
        ("when", "never", "bad value 'never'.*now or later"),
        ("stop", "perhaps", "bad value 'perhaps'.*1 or 0"),
    ],
)
def test_a_bad_text_is_a_usage_error(name: str, text: str, words: str):
    with pytest.raises(UsageError, match=words):
        parse(DECLARED[name], text, "VIVA_X")


def test_a_value_is_checked_like_a_text():
    assert checked(DECLARED["tries"], 2, "tries") == 2
    with pytest.raises(UsageError, match="tries must be at least 1, not 0"):
        checked(DECLARED["tries"], 0, "tries")
    for bad in ("x", "2", 1.5, True):
        with pytest.raises(UsageError, match="tries must be a whole number, not"):
            checked(DECLARED["tries"], bad, "tries")


@pytest.mark.parametrize("bad", [0, -1, "0s", float("inf"), float("nan")])
def test_a_duration_must_be_longer_than_zero_and_end(bad: float | str):
    with pytest.raises(UsageError, match="bad duration"):
        seconds_of(bad, "timeout")


def test_a_duration_is_seconds_or_a_text():
    assert (seconds_of(1.5, ""), seconds_of("2m30s", "")) == (1.5, 150.0)


def test_one_text_is_a_list_of_one():
    assert texts_of("a b") == ("a b",)
    assert texts_of(Path("a.md")) == ("a.md",)
    assert texts_of(["a", Path("b")]) == ("a", "b")


def test_a_group_has_the_options_of_its_bases_and_is_frozen():
    assert [one.name for one in Wider.declared] == [*DECLARED, "more"]
    group = Wider(tries=3)
    assert (group.tries, group.wait, group.more) == (3, "5m", "")
    assert repr(group) == "Wider(tries=3)"
    assert (group == Wider(tries=3), group == Wider(tries=4), group == Group(tries=3)) == (True, False, False)
    with pytest.raises(AttributeError, match="frozen"):
        group.tries = 4  # pyright: ignore


def test_an_error_of_the_users_own_generator_is_not_taken_for_no_values():
    def wrong() -> Iterator[str]:
        yield "a"
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        checked(DECLARED["files"], wrong(), "tags")
