"""The use case behind `viva import`: test files of other tools become cases that viva reads."""

from collections.abc import Sequence
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.imports.found import ImportOptions
from vivavoce.imports.importing import Account, import_files
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject
from vivavoce.sources.decoding.case_decoder import decode_case


def import_tests(kind: str | None, files: Sequence[Path], options: ImportOptions, *, partial: bool) -> list[Account]:
    """Imports files of one kind, or of the kind that each of them shows.

    A case that viva would refuse is reported and not written, because it would keep its whole file from running.
    """
    return import_files(kind, files, options, partial=partial, problem_of=problem_of)


def problem_of(case: JsonObject, at: Origin) -> str | None:
    """Why viva cannot read a case; None when it can."""
    try:
        decode_case(case, at)
    except UsageError as problem:
        return "; ".join(one.what for one in problem.each())
    return None
