"""One assertion of promptfoo, taken over."""

from pathlib import Path
from typing import Any

from vivavoce.imports.found import Checks, ImportOptions
from vivavoce.imports.promptfoo.assertions import take_assertion
from vivavoce.imports.promptfoo.foreign_assertion import AssertionContext
from vivavoce.imports.promptfoo.python_checks import PythonChecks


def taken(entry: dict[str, Any], context: Any = None) -> Checks:
    checks = Checks()
    options = ImportOptions(folder=Path("out"), root=Path())
    python = PythonChecks(Path("configs/promptfooconfig.yaml"), options)
    take_assertion(
        entry, AssertionContext(context=context, folder=Path("configs"), options=options, python=python), checks
    )
    return checks


def why_left_out(entry: dict[str, Any]) -> str:
    """What is said of an assertion that was not taken over; fails when any of it was."""
    checks = taken(entry)
    assert checks.assertions == []
    (remark,) = checks.remarks
    assert remark.outcome == "left_out"
    return remark.what
