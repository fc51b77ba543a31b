"""Script tests as cases: found in a file's text, without importing it."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.project.project import Project
from vivavoce.sources.input_ref import classify
from vivavoce.sources.script_tests import ScriptTestsSource

TESTS = '''
raise SystemExit("importing a file of tests must not be needed to find them")

def TestOne(t, ctx):
    """It greets.

    At length.
    """

async def test_two(t): ...

def helper(): ...
def testament(): ...
class TestClass: ...
'''


def source_at(root: Path, text: str, ref: str = "scripts.expense.setup") -> ScriptTestsSource:
    write_files(root, {"assistants/expense/src/setup_test.py": text, "assistants/expense/package.yao": "{}"})
    return ScriptTestsSource(classify(ref), Project(root=root))


def test_every_test_function_is_a_case_at_its_line(tmp_path: Path):
    first, second = source_at(tmp_path, TESTS).read()
    assert isinstance(first, Case)
    assert isinstance(second, Case)
    assert (first.id, second.id) == ("expense.setup::TestOne", "expense.setup::test_two")
    assert str(first.origin).endswith("assistants/expense/src/setup_test.py:4")
    assert first.name == "It greets."
    assert [spec.type for spec in first.assertions] == ["script_test"]


def test_tests_in_a_class_are_not_dropped_in_silence(tmp_path: Path):
    case, problem = source_at(tmp_path, "def test_a(t): ...\n\nclass TestB:\n    def test_x(self, t): ...\n").read()
    assert isinstance(case, Case)
    assert "setup_test.py:3" in str(problem)
    assert "script tests are functions only" in str(problem)


def test_parameters_of_the_input_are_the_tests_metadata(tmp_path: Path):
    (case,) = source_at(tmp_path, "def test_x(t): ...", "scripts.expense.setup?level=3").read()
    assert isinstance(case, Case)
    assert case.options.metadata == {"level": 3}


def test_dashes_and_underscores_are_alike(tmp_path: Path):
    write_files(tmp_path, {"assistants/ex/src/set_up_test.py": "def test_x(t): ..."})
    source = ScriptTestsSource(classify("scripts.ex.set-up"), Project(root=tmp_path))
    assert len(list(source.read())) == 1


def test_a_syntax_error_has_its_line(tmp_path: Path):
    (problem,) = source_at(tmp_path, "x = 1\ndef test_x(t:\n").read()
    assert isinstance(problem, UsageError)
    assert str(problem.at).endswith("setup_test.py:2")


def test_a_test_that_another_hides_is_told(tmp_path: Path):
    found = list(source_at(tmp_path, "def test_x(t): ...\ndef test_x(t): ...\n").read())
    assert "test_x is defined again; the one in line 1 would never run" in str(found[1])


def test_a_file_without_tests_is_no_green_run(tmp_path: Path):
    (problem,) = source_at(tmp_path, "def helper(): ...").read()
    assert "no tests in this file" in str(problem)


@pytest.mark.parametrize(
    ("ref", "hint"),
    [
        ("scripts.expense.setpu", "did you mean 'setup'?"),
        ("scripts.expens.setup", "did you mean 'expense'?"),
    ],
)
def test_what_is_not_there_is_told_with_the_nearest_that_is(tmp_path: Path, ref: str, hint: str):
    with pytest.raises(UsageError, match="no script tests") as caught:
        source_at(tmp_path, TESTS, ref)
    assert hint in str(caught.value)
