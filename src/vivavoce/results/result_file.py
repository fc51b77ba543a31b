"""Reading a result file back: the whole run again, or as much of it as was written."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.result import CaseResult, RunInfo, RunReport, Summary
from vivavoce.model.tally import Tally
from vivavoce.results.restore import info_of, restored, summary_of
from vivavoce.results.wire import ResultRow, Row, StartRow

_decoder = msgspec.json.Decoder(Row)
INCOMPLETE = "incomplete"


class ResultFile(Struct, frozen=True, kw_only=True):
    """What a result file holds. Results are read from the file each time, one by one."""

    path: Path
    info: RunInfo
    summary: Summary
    """As written; of what is there, when the run never came to its end."""
    incomplete: bool
    problems: tuple[UsageError, ...] = ()
    """Lines that could not be read, each with its place. A torn last line is one of them."""

    def results(self) -> Iterator[CaseResult]:
        return results_in(self.path)

    def report(self) -> RunReport:
        """The run as every document writer wants it; what is missing stands among its warnings."""
        warnings = (*self.summary.warnings, *(str(problem) for problem in self.problems))
        return RunReport(info=self.info, summary=structs.replace(self.summary, warnings=warnings), results=self.results)


def results_in(path: Path) -> Iterator[CaseResult]:
    """The results one by one; lines that cannot be read are passed over."""
    return (entry for entry in _entries(path, []) if isinstance(entry, CaseResult))


def read_result_file(path: str | Path) -> ResultFile:
    """Raises UsageError when it is no result file at all."""
    path = Path(path)
    problems: list[UsageError] = []
    info: RunInfo | None = None
    summary: Summary | None = None
    tally = Tally()
    for entry in _entries(path, problems):
        if isinstance(entry, RunInfo):
            if info is not None:
                problems.append(UsageError("a second run starts in the same file", at=str(path)))
            info = entry
        elif isinstance(entry, Summary):
            summary = entry
        else:
            tally.add(entry)
    if info is None:
        raise UsageError(
            "not a result file of viva: it has no start line",
            at=str(path),
            hint="give the .jsonl that `viva test -o` wrote",
        )
    incomplete = summary is None or bool(problems)
    return ResultFile(
        path=path,
        info=info,
        summary=summary or tally.recounted(info.total_cases, INCOMPLETE),
        incomplete=incomplete,
        problems=tuple(problems),
    )


def _entries(path: Path, problems: list[UsageError]) -> Iterator[RunInfo | CaseResult | Summary]:
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.isspace():
                    continue
                try:
                    yield entry_of(line)
                except (ValueError, RecursionError) as problem:
                    torn = not line.endswith(b"\n")
                    what = "the last line is torn off" if torn else f"this line cannot be read: {problem}"
                    problems.append(UsageError(what, at=Origin(str(path), number)))
    except OSError as problem:
        raise UsageError(f"cannot read it: {problem.strerror or problem}", at=str(path)) from problem


def entry_of(line: bytes) -> RunInfo | CaseResult | Summary:
    """What a line says. Raises ValueError or RecursionError when it is none of ours."""
    row = _decoder.decode(line)
    if isinstance(row, ResultRow):
        return restored(row)
    return info_of(row) if isinstance(row, StartRow) else summary_of(row)
