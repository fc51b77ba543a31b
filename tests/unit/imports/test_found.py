"""What an import finds."""

from pathlib import Path

from vivavoce.imports.found import Checks, FoundCase, ImportOptions
from vivavoce.model.case import Origin


def test_every_check_is_accounted_for():
    checks = Checks()
    checks.take({"type": "contains", "value": "x"})
    checks.take({"type": "similar", "value": "x"}, differs="letters, not meanings")
    checks.leave_out("bleu: none")
    assert [one["type"] for one in checks.assertions] == ["contains", "similar"]
    assert [remark.outcome for remark in checks.remarks] == ["exact", "different", "left_out"]
    case = FoundCase(case={}, at=Origin("x", 1), remarks=tuple(checks.remarks))
    assert case.left_out == ["bleu: none"]


def test_files_are_named_from_where_the_cases_are(tmp_path: Path):
    assert ImportOptions(folder=tmp_path / "tests" / "out").named(tmp_path / "in" / "a.json") == "../../in/a.json"


def test_options_are_given_as_the_command_spells_them(tmp_path: Path):
    options = ImportOptions(folder=tmp_path, run_code=True, columns={"not-contains": ("x",)}, metrics=("a",))
    assert options.given() == {"run-code", "not-contains", "metric"}
    assert ImportOptions(folder=tmp_path).given() == set()
