"""A case as a file of its own, for people who review it."""

import re
from pathlib import Path

import msgspec
from msgspec import structs

from vivavoce.model.result import Attempt, CaseResult
from vivavoce.model.transcript import Transcript
from vivavoce.reporters.markdown import case_section
from vivavoce.results.result_file import result_in

_UNSAFE = re.compile(r"[^\w.-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LONGEST = 100

_BEGINNINGS = {"json": rb'\s*\{\s*"type": "result",', "md": rb"# [^\w\s]\S* [^\n]+ - "}


def is_case_file(path: Path, form: str) -> bool:
    """Whether a file begins as one that case_file made."""
    with path.open("rb") as file:
        return bool(re.match(_BEGINNINGS[form], file.read(1000)))


class FileNames:
    """Names that every file system takes, each of them once."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._used: set[str] = set()

    def name_for(self, case_id: str) -> str:
        stem = _UNSAFE.sub("-", case_id).strip("-.")[:_LONGEST] or "case"
        if _RESERVED.fullmatch(stem):
            stem = f"_{stem}"
        name, number = f"{stem}{self._suffix}", 2
        # Some file systems do not tell upper case from lower case.
        while name.lower() in self._used:
            name, number = f"{stem}-{number}{self._suffix}", number + 1
        self._used.add(name.lower())
        return name


def case_file(row: bytes, form: str) -> str:
    """`md`: as in the Markdown report, every run of the case; `json`: its row of the result file, laid out."""
    if form == "json":
        return msgspec.json.format(row, indent=2).decode() + "\n"
    return "\n".join(_sections(result_in(row))) + "\n"


def _sections(result: CaseResult) -> list[str]:
    if len(result.attempts) == 1:
        return _promoted(case_section(result), "#")
    lines = _promoted(case_section(structs.replace(result, attempts=tuple(map(_silent, result.attempts)))), "#")
    for attempt in result.attempts:
        once = structs.replace(result, status=attempt.status, attempts=(attempt,), stability=None)
        lines += ["", *_promoted(case_section(once), f"## Run {attempt.run}:")]
    return lines


def _promoted(section: list[str], mark: str) -> list[str]:
    """The section of a report as (a part of) a document of its own."""
    return [section[0].replace("###", mark, 1), *section[1:]]


def _silent(attempt: Attempt) -> Attempt:
    """How it ended, without what was said."""
    return structs.replace(attempt, transcript=Transcript(), verdicts=(), final_verdicts=(), checkpoints=())
