"""Which file script tests stand in, and which functions of it are tests, without importing anything."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.script_testing.discovery import FoundTest, find_test_file, read_tests

FILES = {
    "assistants/expense/package.yao": "{}",
    "assistants/expense/src/set_up_test.py": "",
    "assistants/empty/package.yao": "{}",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(root=write_files(tmp_path, FILES))


def found(root: Path, code: str | bytes) -> list[FoundTest | str]:
    path = root / "x_test.py"
    path.write_bytes(code if isinstance(code, bytes) else code.encode())
    return [one if isinstance(one, FoundTest) else str(one) for one in read_tests(path, "x_test.py")]


@pytest.mark.parametrize("ref", ["expense.set_up", "expense.set-up", "expense.set_up_test"])
def test_a_module_is_found_however_its_name_is_written(project: Project, ref: str):
    assert find_test_file(ref, project).name == "set_up_test.py"


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("expense.set_op", "did you mean 'set_up'?"),
        ("expense.other", "there are tests for set_up"),
        ("empty.set_up", "src/ of empty has no *_test.py"),
        ("expanse.set_up", "did you mean 'expense'?"),
    ],
)
def test_a_module_that_is_not_there_is_told_with_what_is(project: Project, ref: str, said: str):
    with pytest.raises(UsageError) as refused:
        find_test_file(ref, project)
    assert f"no script tests {ref!r}" in str(refused.value)
    assert said in str(refused.value)


def test_functions_named_like_tests_are_tests_in_their_order_with_their_first_line(tmp_path: Path):
    code = '''
def TestPays(t):
    """Pays by card.

    And more."""

async def test_ships(t): ...

def helper(): ...

def tests_nothing(t): ...
'''
    assert found(tmp_path, code) == [FoundTest("TestPays", 2, "Pays by card."), FoundTest("test_ships", 7, None)]


def test_nothing_is_imported(tmp_path: Path):
    assert found(tmp_path, "raise SystemExit\n\ndef test_it(t): ...\n") == [FoundTest("test_it", 3, None)]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def test_it(t):\n    x = (\n", "x_test.py:2: syntax error: "),
        (b"\xff\xfe\x00", "x_test.py"),
        (b"x = '\x00'\n", "x_test.py"),
        ("def helper(): ...\n", "x_test.py: no tests in this file (write functions named Test… or test_…)"),
        (
            "def test_a(t): ...\n\ndef test_a(t): ...\n",
            "x_test.py:3: test_a is defined again; the one in line 1 would never run",
        ),
        (
            "class TestAll:\n    def test_a(self, t): ...\n\ndef test_b(t): ...\n",
            "x_test.py:1: the tests of class TestAll would never run: script tests are functions only "
            "(move them out of the class)",
        ),
    ],
    ids=["syntax", "no text", "null byte", "none", "twice", "class"],
)
def test_what_would_never_run_is_told_with_its_line(tmp_path: Path, code: str | bytes, said: str):
    problems = [one for one in found(tmp_path, code) if isinstance(one, str)]
    assert len(problems) == 1
    assert said in problems[0]
