"""Reading the project's files: plain text, and Yao's commented JSON."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from vivavoce.containment.working_folder import path_from_here
from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_object
from vivavoce.notation.jsonc import read_jsonc

CASE_FILE_SUFFIXES = (".jsonl", ".json", ".yaml", ".yml")


def is_case_file(path: str) -> bool:
    """Whether a path is a case file. Messages and generated cases have other origins."""
    return path.lower().endswith(CASE_FILE_SUFFIXES)


def whole_path(path: Path) -> Path:
    """Returns an absolute path without `..`. Follows links only if there is a `..`."""
    return path.resolve() if ".." in path.parts else path.absolute()


def read_text(path: Path) -> str:
    """Reads a text file. Raises UsageError if it cannot be read or is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        is_utf16 = error.object.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        seen = "this is UTF-16" if is_utf16 else f"byte 0x{error.object[error.start]:02x} at {error.start}"
        raise UsageError(f"not UTF-8 text: {seen}", at=path_from_here(path), hint="save the file as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", at=path_from_here(path)) from None


def place_of_text(path: Path, text: str) -> Origin:
    """Returns the first line that contains a text; the first line of the file if none does."""
    content = read_text(path)
    return Origin(path_from_here(path), 1 + content.count("\n", 0, max(content.find(text), 0)))


def yao_files(folder: Path, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """Returns the files with these suffixes below a folder, by id: `deepseek/v3.5.conn.yao` is `deepseek.v3_5`."""
    found = sorted((path, suffix) for suffix in suffixes for path in folder.rglob(f"*{suffix}"))
    return {_id_below(path.relative_to(folder), suffix): path for path, suffix in found}


def _id_below(path: Path, suffix: str) -> str:
    steps = (*path.parts[:-1], path.name.removesuffix(suffix))
    return ".".join(step.replace(".", "_") for step in steps)


def read_yao(path: Path) -> JsonObject:
    """Reads a `.yao` file: a JSON object with comments."""
    shown = path_from_here(path)
    value = read_jsonc(read_text(path), shown)
    if not is_object(value):
        raise UsageError("a JSON object is expected", at=Origin(shown, 1))
    return value
