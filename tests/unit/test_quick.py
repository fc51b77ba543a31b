"""`make quick` runs every test that is not slow, once, and fails when one of them fails."""

import re
from pathlib import Path

import pytest
from tests import conftest, measuring, quick

HERE = Path(__file__).parents[1]


def write_tests(folder: Path, **tests: str) -> list[Path]:
    for name, line in tests.items():
        (folder / f"test_{name}.py").write_text(f"def test_{name}():\n    {line}\n")
    return quick.quick_files([folder])


@pytest.mark.process
def test_every_file_runs_once_and_a_failure_in_any_part_is_the_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    apart = ("-p", "no:cacheprovider", "--rootdir", str(tmp_path))
    monkeypatch.setattr(quick, "PYTEST", (*quick.PYTEST[:3], "-q", *apart))
    files = write_tests(tmp_path, a="pass", b="pass", c="pass")
    assert quick.run_parts(files, 2) == 0
    assert re.findall(r"(\d+) passed", capfd.readouterr().out) == ["2", "1"]
    assert quick.run_parts(files, 8) == 0
    assert len(re.findall(r"1 passed", capfd.readouterr().out)) == 3
    files = write_tests(tmp_path, b="raise RuntimeError('boom')")
    assert quick.run_parts(files, 2) == 1
    assert "RuntimeError: boom" in capfd.readouterr().out
    assert quick.main([f"{files[1]}::test_b"]) == 1, "not a file: pytest itself gets it"
    assert quick.main([str(files[0])]) == 0


@pytest.mark.parametrize(
    ("codes", "code"),
    [([0, 0], 0), ([0, 1], 1), ([2, 1], 2), ([0, -9], 1), ([0, 5], 0), ([5, 5], 5), ([5, 1], 1), ([], 5)],
)
def test_a_part_that_failed_or_was_killed_is_the_answer_and_no_tests_at_all_are_no_pass(codes: list[int], code: int):
    assert quick.exit_code(codes) == code


def test_files_of_slow_tests_are_not_even_collected():
    files = {str(file.relative_to(HERE)) for file in quick.quick_files([HERE])}
    assert {"unit/test_quick.py", "cli/test_bad_input.py", "docs/test_pages.py"} <= files
    assert not [file for file in files if file.startswith(("browser/", "fuzz/", "live/", "cli/test_tape"))]
    assert quick.quick_files([HERE / "unit/test_quick.py"]) == [HERE / "unit/test_quick.py"]


def test_the_list_of_slow_tests_names_tests_that_are_there():
    assert [name for name in sorted(conftest.COSTLY) if not measuring.exists(name)] == []


def test_files_of_commands_that_quick_runs_are_there():
    assert [name for name in conftest.QUICK_COMMANDS if not (HERE / "cli" / f"test_{name}.py").is_file()] == []


def test_the_list_keeps_what_did_not_run_and_drops_what_became_quick_or_is_gone(tmp_path: Path):
    used = {"unit/a.py::test_a": 0.3, "unit/b.py::test_b": 0.2, "unit/test_architecture.py::test_c": 9.0}
    write_tests(tmp_path, d="pass")
    before = ["unit/b.py::test_b", "test_d.py::test_d", "test_d.py::test_renamed", "test_gone.py::test_d"]
    assert measuring.listed(before, used, tmp_path) == "test_d.py::test_d\nunit/a.py::test_a\n"
