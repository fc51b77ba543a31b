"""The file that searches add their cases to: checked before the first agent is called."""

from pathlib import Path

from vivavoce.app.outputs import make_named_folder
from vivavoce.errors import UsageError, VivaError
from vivavoce.sources.reading.result_files import is_result_file

SUFFIX = ".jsonl"


def check_case_file(path: Path, flag: str) -> None:
    """Raises UsageError for what is no file of cases, VivaError for a place that cannot be written.

    An hour of calls later it would be too late.
    """
    if path.suffix != SUFFIX:
        hint = f"give a name that ends in {SUFFIX}"
        raise UsageError(f"{path}: cases are written as JSON lines", at=flag, hint=hint)
    if path.is_dir():
        raise UsageError(f"{path} is a directory", at=flag, hint="give a file name")
    if is_result_file(path):
        raise UsageError(f"{path} is a result file", at=flag, hint="give a file of cases, or a new one")
    existed = path.exists()
    try:
        make_named_folder(path.parent, flag)
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise VivaError(f"cannot write {path}: {error.strerror}", at=flag) from None
