"""Imports foreign files: writes files of cases, and returns an account of what was taken over and what was not."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, structs

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.imports.case_files import case_to_write, id_of, unique_ids, write_cases, write_code
from vivavoce.imports.foreign_files import list_in
from vivavoce.imports.found import CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.known import KINDS, ImportKind
from vivavoce.imports.recognising import kind_of
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject

_CHECKS = ("assert", "final_assertions")


class Account(Struct, frozen=True, kw_only=True):
    """What became of one file."""

    source: Path
    tool: str
    target: Path | None
    """The file that was written; None when nothing in it became a case."""
    cases: tuple[FoundCase, ...]
    refused: tuple[Refused, ...]
    notes: tuple[Note, ...] = ()
    code: tuple[CodeFile, ...] = ()
    """The Python files written beside the cases, which the cases run."""

    def checks(self, *outcomes: str) -> int:
        lost = sum(refused.checks for refused in self.refused) if "left_out" in outcomes else 0
        return lost + sum(remark.outcome in outcomes for found in self.cases for remark in found.remarks)

    @property
    def judged(self) -> int:
        """How many checks ask a judge, for which the run needs a model."""
        parts = [part for found in self.cases for part in (found.case, *list_in(found.case, "turns"))]
        checks = [check for part in parts for key in _CHECKS for check in list_in(part, key)]
        return sum(check["type"] == "agent" and "use" not in check for check in checks)

    @property
    def is_whole(self) -> bool:
        """Whether everything was taken over."""
        return not self.refused and not self.checks("left_out")


ProblemOf: TypeAlias = Callable[[JsonObject, Origin], str | None]
"""Why viva cannot read a case that an import made; None for a good one."""


def import_files(
    kind: str | None, files: Sequence[Path], options: ImportOptions, *, partial: bool, problem_of: ProblemOf
) -> list[Account]:
    """Imports files of the given kind, or recognises the kind of each. Writes no case that viva could not read."""
    for number, file in enumerate(files):
        if not file.is_file():
            meant = did_you_mean(str(file), list(KINDS)) if number == 0 and kind is None else None
            raise UsageError(
                f"{file} is not a file", hint=meant or f"name the files to import; kinds: {', '.join(KINDS)}"
            )
    kinds = [kind_of(file, options.given()) if kind is None else KINDS[kind] for file in files]
    for option in sorted(options.given().difference(*(each.takes for each in kinds))):
        tools = sorted({each.tool for each in kinds})
        takers = [each.name for each in KINDS.values() if option in each.takes]
        what = f"has no use for a file of {' or '.join(tools)}"
        raise UsageError(what, at=f"--{option}", hint=f"it is for {', '.join(takers)}")
    # All files are read before the first is written: an unreadable file leaves no half of an import behind.
    translated = [
        _translated(each, file, structs.replace(options, name=name), partial=partial, problem_of=problem_of)
        for each, file, name in zip(kinds, files, _names(files), strict=True)
    ]
    for each, (account, made) in zip(kinds, translated, strict=True):
        if account.target is not None:
            heading = f"{each.name} {account.source.name}"
            write_cases(account.target, heading, made)
            for code in account.code:
                write_code(code, heading)
    return [account for account, _ in translated]


def _names(files: Sequence[Path]) -> list[str]:
    """The names of the case files: as short as possible, and all different."""
    short = [file.stem for file in files]
    with_suffix = [file.name.replace(".", "-") for file in files]
    with_folder = [f"{file.absolute().parent.name}-{name}" for file, name in zip(files, with_suffix, strict=True)]
    for names in (short, with_suffix, with_folder):
        if len(set(names)) == len(names):
            return names
    return unique_ids([file.stem for file in files])


def _translated(
    kind: ImportKind, file: Path, options: ImportOptions, *, partial: bool, problem_of: ProblemOf
) -> tuple[Account, list[tuple[JsonObject, FoundCase]]]:
    """The account of one file, and the cases that are to be written."""
    cases: list[FoundCase] = []
    refused: list[Refused] = []
    notes: list[Note] = []
    code: list[CodeFile] = []
    for found in kind.read()(file, options):
        if isinstance(found, Refused):
            refused.append(found)
        elif isinstance(found, Note):
            notes.append(found)
        elif isinstance(found, CodeFile):
            code.append(found)
        else:
            cases.append(found)
    if not cases and not refused:
        raise UsageError(f"no tests of {kind.tool} in it", at=str(file))
    ids = unique_ids([id_of(str(found.case.get("id") or f"{file.stem}-{found.at.line}")) for found in cases])
    made: list[tuple[JsonObject, FoundCase]] = []
    for found, case_id in zip(cases, ids, strict=True):
        case = case_to_write(found, case_id, partial=partial)
        if (problem := problem_of(case, found.at)) is None:
            made.append((case, found))
        else:
            refused.append(Refused(what=f"{case_id}: {problem}", at=found.at, checks=len(found.remarks)))
    target = options.folder / f"{options.name}.jsonl" if made else None
    account = Account(
        source=file,
        tool=kind.tool,
        target=target,
        cases=tuple(found for _, found in made),
        refused=tuple(refused),
        notes=tuple(notes),
        code=tuple(code) if target is not None else (),
    )
    return account, made
