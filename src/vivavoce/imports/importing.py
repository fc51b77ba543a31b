"""One import: foreign files in, files of cases out, and an honest account of both."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.imports.case_files import id_of, unique_ids, write_cases, write_code, written
from vivavoce.imports.found import CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.known import KINDS, ImportKind, kind_of


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
    """Files of Python that were written beside the cases, and run with them."""

    def checks(self, *outcomes: str) -> int:
        return sum(remark.outcome in outcomes for found in self.cases for remark in found.remarks)

    @property
    def is_whole(self) -> bool:
        """Whether everything was taken over."""
        return not self.refused and not self.checks("left_out")


def import_files(kind: str | None, files: Sequence[Path], options: ImportOptions, *, partial: bool) -> list[Account]:
    """Imports files of one kind, or of the kind that the name of each tells."""
    for number, file in enumerate(files):
        if not file.is_file():
            meant = did_you_mean(str(file), list(KINDS)) if number == 0 and kind is None else None
            raise UsageError(f"{file} is no file", hint=meant or f"name the files to import; kinds: {', '.join(KINDS)}")
    return [
        _imported(kind_of(file) if kind is None else KINDS[kind], file, name, options, partial=partial)
        for file, name in zip(files, _names(files), strict=True)
    ]


def _names(files: Sequence[Path]) -> list[str]:
    """What the files of cases are called: short where that is clear. No two have the same name."""
    short = [file.stem for file in files]
    with_suffix = [file.name.replace(".", "-") for file in files]
    with_folder = [f"{file.absolute().parent.name}-{name}" for file, name in zip(files, with_suffix, strict=True)]
    for names in (short, with_suffix, with_folder):
        if len(set(names)) == len(names):
            return names
    return unique_ids([file.stem for file in files])


def _imported(kind: ImportKind, file: Path, name: str, options: ImportOptions, *, partial: bool) -> Account:
    cases: list[FoundCase] = []
    refused: list[Refused] = []
    notes: list[Note] = []
    code: list[CodeFile] = []
    for found in kind.read()(file, structs.replace(options, name=name)):
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
    target = options.folder / f"{name}.jsonl" if cases else None
    if target is not None:
        ids = unique_ids([id_of(str(found.case.get("id") or f"{file.stem}-{found.at.line}")) for found in cases])
        made = [(written(found, case_id, partial=partial), found) for found, case_id in zip(cases, ids, strict=True)]
        heading = f"{kind.name} {file.name}"
        write_cases(target, heading, made)
        for each in code:
            write_code(each, heading)
    return Account(
        source=file,
        tool=kind.tool,
        target=target,
        cases=tuple(cases),
        refused=tuple(refused),
        notes=tuple(notes),
        code=tuple(code) if target is not None else (),
    )
