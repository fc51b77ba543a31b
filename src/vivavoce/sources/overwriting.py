"""Refuses to overwrite cases, and files that viva did not write, with a report."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.protocols import Source
from vivavoce.sources.reading.result_files import begins_as_own_json, is_result_file


def refuse_overwriting(outputs: Iterable[str], sources: Sequence[Source]) -> None:
    """Raises UsageError when two outputs are one file, or an output would replace cases."""
    cases = {os.path.realpath(source.label) for source in sources if os.path.exists(source.label)}
    taken: set[str] = set()
    for output in outputs:
        file = os.path.realpath(output)
        if file in cases:
            raise UsageError(f"{output} holds the cases of this run", at="-o", hint="give another file")
        if file in taken:
            raise UsageError(f"{output} is given twice", at="-o")
        taken.add(file)


def refuse_losing_cases(outputs: Iterable[str]) -> None:
    """Raises UsageError for an output that exists, may hold cases, and was not written by viva."""
    for output in outputs:
        file = Path(output)
        if (
            (was_ours := _OURS.get(file.suffix.lower()))
            and file.is_file()
            and file.stat().st_size
            and not was_ours(file)
        ):
            what = f"{output} holds no results of viva, and would be lost"
            raise UsageError(what, at="-o", hint="give another file, or remove it first")


def _was_a_result_file(path: Path) -> bool:
    if is_result_file(path):
        return True
    from vivavoce.results.result_file import is_cut_at_start

    return is_cut_at_start(path)


_OURS = {".jsonl": _was_a_result_file, ".json": begins_as_own_json}
