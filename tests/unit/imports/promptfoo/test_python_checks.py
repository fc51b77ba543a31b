"""promptfoo's `python` assertions."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.imports.found import ImportOptions
from vivavoce.imports.promptfoo.python_checks import CodeProblem, PythonChecks

CONTEXT = {"case": {"metadata": {"vars": {"n": 3}}, "name": "a"}}


@pytest.fixture
def checks(tmp_path: Path) -> PythonChecks:
    options = ImportOptions(folder=tmp_path / "out", root=tmp_path, name="shop")
    return PythonChecks(tmp_path / "promptfooconfig.yaml", options)


def functions(checks: PythonChecks) -> dict[str, Any]:
    """The written file, run as it is when the cases run."""
    code = checks.file()
    assert code is not None
    code.path.parent.mkdir(exist_ok=True)
    names: dict[str, Any] = {"__file__": str(code.path)}
    exec(code.text, names)
    return names


@pytest.mark.parametrize(
    ("code", "passed"),
    [
        ("'good' in output", True),
        ("len(output) > 100", False),
        ("0.4", True),
        ("if 'bad' in output:\n    return False\nreturn {'pass': True, 'score': 0.9}", True),
        ("context['vars']['n'] == 3", True),
    ],
)
def test_code_becomes_a_function(code: str, passed: bool, checks: PythonChecks, tmp_path: Path):
    assert checks.add(code, None, None, tmp_path) == {"type": "script", "use": "out/shop_checks.py:check_1"}
    verdict = functions(checks)["check_1"]("a good answer", "Hi", None, CONTEXT)
    assert verdict["pass"] is passed


def test_a_threshold_decides_about_a_score(checks: PythonChecks, tmp_path: Path):
    checks.add("0.4", 0.5, None, tmp_path)
    assert functions(checks)["check_1"]("x", "Hi", None, CONTEXT) == {
        "pass": False,
        "score": 0.4,
        "message": "the check returned 0.4",
    }


def test_the_same_check_is_written_once(checks: PythonChecks, tmp_path: Path):
    first = checks.add("True", None, None, tmp_path)
    assert checks.add("True", None, None, tmp_path) == first
    assert checks.add("True", 0.5, None, tmp_path) != first
    code = checks.file()
    assert code is not None
    assert code.checks == 2


def test_a_function_of_a_file_is_called_with_its_configuration(checks: PythonChecks, tmp_path: Path):
    (tmp_path / "own.py").write_text("def graded(output, context):\n    return context['config']['words'] == 2\n")
    checks.add("file://own.py:graded", None, {"words": 2}, tmp_path)
    assert functions(checks)["check_1"]("x", "Hi", None, CONTEXT)["pass"] is True


@pytest.mark.parametrize(
    "code",
    [
        "please be kind",
        "return 1\n)",
        'x = """\ntwo lines\n"""\nreturn x',
        "return 1\n)\nraise SystemExit",
        "file://own.js",
    ],
)
def test_what_is_no_body_of_a_function_is_told(code: str, checks: PythonChecks, tmp_path: Path):
    with pytest.raises(CodeProblem):
        checks.add(code, None, None, tmp_path)
    assert checks.file() is None


def test_no_file_outside_the_folder_is_named(checks: PythonChecks, tmp_path: Path):
    with pytest.raises(UsageError, match="outside the folder"):
        checks.add("file://../own.py", None, None, tmp_path)
