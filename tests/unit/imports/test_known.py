"""The kinds that can be imported."""

from importlib import import_module
from pathlib import Path

from tests.unit.imports.example_files import FILES

from vivavoce.imports.found import ImportOptions
from vivavoce.imports.known import COLUMNS, KINDS
from vivavoce.imports.table import MEANINGS


def test_every_kind_has_a_reader_and_an_example():
    assert set(FILES) == set(KINDS)
    for name, kind in KINDS.items():
        assert kind.name == name
        assert callable(kind.read())


def test_no_two_kinds_have_the_same_marks():
    marks = [each for kind in KINDS.values() for each in kind.marks]
    assert len(set(marks)) == len(marks)


def test_a_table_takes_every_option_that_names_a_column():
    assert set(MEANINGS) == COLUMNS
    assert KINDS["table"].takes >= COLUMNS


def test_every_option_that_only_some_kinds_take_is_one_of_the_command():
    command = import_module("vivavoce.cli.commands.import").command
    flags = {flag.removeprefix("--") for option in command.params for flag in option.opts}
    taken = {option for kind in KINDS.values() for option in kind.takes}
    assert taken <= flags
    all_others = ImportOptions(folder=Path("out"), run_code=True, delimiter=";", check="x", metrics=("m",))
    assert all_others.given() == taken - COLUMNS
