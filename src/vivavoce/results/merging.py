"""Result files of several runs → one run: every case once, the totals counted anew."""

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, structs

from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.result import AgentVersion, CaseResult, RunInfo, RunReport, Status, Summary
from vivavoce.model.tally import COUNTED_ANEW, Tally
from vivavoce.results.line_index import with_index
from vivavoce.results.restore import restored
from vivavoce.results.result_file import INCOMPLETE, ResultFile, read_result_file, result_lines
from vivavoce.results.splitting import Split, splits_of
from vivavoce.results.wire import ResultRow
from vivavoce.version import __version__
from vivavoce.wording.plurals import counted

T = TypeVar("T")


class MergedRun(Struct, frozen=True, kw_only=True):
    """Several runs as one. Results are read from their files, one by one."""

    info: RunInfo
    summary: Summary
    files: tuple[ResultFile, ...]
    chosen: dict[str, tuple[int, int]]
    """Key → which file has the result that counts, and which of its results it is."""
    objections: tuple[str, ...] = ()
    """Why the files are not all of a split run."""

    def rows(self) -> Iterator[bytes]:
        """The lines of the files, in which only the index is changed."""
        for index, (line, _) in enumerate(self._chosen_lines(), 1):
            yield with_index(line, index).rstrip(b"\r\n")

    def results(self) -> Iterator[CaseResult]:
        for index, (_, row) in enumerate(self._chosen_lines(), 1):
            yield structs.replace(restored(row), index=index)

    def report(self) -> RunReport:
        return RunReport(info=self.info, summary=self.summary, rows=self.rows, results=self.results)

    def _chosen_lines(self) -> Iterator[tuple[bytes, ResultRow]]:
        for at, file in enumerate(self.files):
            for number, (line, row) in enumerate(result_lines(file.path)):
                if self.chosen[_key(row, file.info)] == (at, number):
                    yield line, row


def merge(paths: Sequence[Path], *, last_wins: bool = False, command: str = "") -> MergedRun:
    """A case with two different results is a problem, unless the last one is to count."""
    files = tuple(read_result_file(path) for path in paths)
    if len({file.info.contenders for file in files}) > 1:
        raise UsageError(
            "these runs compared different agents", hint="merge runs of viva compare with the same -n and -c"
        )
    chosen: dict[str, tuple[int, int]] = {}
    digests: dict[str, bytes] = {}
    keys_of_file: list[set[str]] = []
    problems: list[UsageError] = []
    not_run: set[str] = set()
    for at, file in enumerate(files):
        keys: set[str] = set()
        keys_of_file.append(keys)
        for number, (line, row) in enumerate(result_lines(file.path)):
            key, digest = _key(row, file.info), _digest(line)
            keys.add(key)
            if key in chosen and row.status == Status.NOT_RUN:
                continue  # another file has the result, or this one twice
            if key not in chosen or key in not_run or (last_wins and digests[key] != digest):
                chosen[key], digests[key] = (at, number), digest
                (not_run.add if row.status == Status.NOT_RUN else not_run.discard)(key)
            elif digests[key] != digest:
                both = sorted({str(files[chosen[key][0]].path), str(file.path)})
                problems.append(UsageError(f"{key} has two different results, in {' and '.join(both)}"))
    if problems:
        problems.append(UsageError("which result counts?", hint="--last-wins takes the one in the later file"))
        raise ManyProblems(problems)
    splits = splits_of([file.info for file in files], keys_of_file)
    missing = _unfinished_cases(files, keys_of_file) + sum(split.lost for split in splits)
    info = _info_of(files, splits, total=len(chosen) + missing, command=command)
    objections = tuple(said for split in splits for said in split.objections(last_wins=last_wins))
    merged = MergedRun(info=info, summary=Summary(), files=files, chosen=chosen, objections=objections)
    return structs.replace(merged, summary=_summary_of(merged))


def _unfinished_cases(files: Sequence[ResultFile], keys: Sequence[set[str]]) -> int:
    """How many cases have no result in the files of their run; those of a split whose size is known are not counted."""
    runs: dict[str, tuple[int, set[str]]] = {}
    for file, its_keys in zip(files, keys, strict=True):
        if file.info.cases_of_all_shards is None:
            cases, seen = runs.get(file.info.run_id, (0, set[str]()))
            runs[file.info.run_id] = (max(cases, file.info.total_cases), seen | its_keys)
    return sum(max(0, cases - len(seen)) for cases, seen in runs.values())


def _key(row: ResultRow, info: RunInfo) -> str:
    """The key of a result; in a comparison each case has one result for each agent."""
    return f"{row.key} ({row.case.agent})" if info.contenders else row.key


def _digest(line: bytes) -> bytes:
    """The same for the same result, wherever it stood in its run."""
    return hashlib.blake2b(with_index(line, 1).rstrip(), digest_size=16).digest()


def _info_of(files: Sequence[ResultFile], splits: Sequence[Split], *, total: int, command: str) -> RunInfo:
    first = files[0].info
    # What was merged may be merged again, with the shards that were missing.
    split = splits[0] if len(splits) == 1 and all(file.info.shard for file in files) else None
    connectors = {file.info.connector for file in files}
    infos = [file.info for file in files]
    return RunInfo(
        run_id=uuid.uuid4().hex[:12],
        started_at=min(file.info.started_at for file in files),
        agent_id=", ".join(dict.fromkeys(file.info.agent_id for file in files)),
        connector=first.connector if len(connectors) == 1 else None,
        identity=first.identity,
        inputs=tuple(dict.fromkeys(label for file in files for label in file.info.inputs)),
        total_cases=total,
        runs_per_case=max(file.info.runs_per_case for file in files),
        version=__version__,
        command=command,
        project_root=first.project_root,
        shard=split.written if split is not None else None,
        cases_of_all_shards=split.cases if split is not None else None,
        tags=tuple(sorted({tag for file in files for tag in file.info.tags})),
        contenders=first.contenders,
        title=_agreed([info.title for info in infos]),
        revision=_agreed([info.revision for info in infos]),
        branch=_agreed([info.branch for info in infos]),
        dirty=_agreed([info.dirty for info in infos]),
        agents=_agents_of(infos),
        agent_of=_agent_names_of(infos),
    )


def _agreed(values: Sequence[T]) -> T | None:
    """Returns what all files say; None where they differ."""
    return values[0] if all(value == values[0] for value in values) else None


def _agents_of(infos: Sequence[RunInfo]) -> dict[str, AgentVersion]:
    """Returns the agents that were the same in every file that has them: each shard may have only some of them."""
    versions: dict[str, list[AgentVersion]] = {}
    for info in infos:
        for name, version in info.agents.items():
            versions.setdefault(name, []).append(version)
    return {name: found[0] for name, found in versions.items() if _agreed(found) is not None}


def _agent_names_of(infos: Sequence[RunInfo]) -> dict[str, str]:
    """Returns which agent each case examined; empty where the files do not agree about that."""
    named = {(what, agent) for info in infos for what, agent in info.agent_of.items()}
    one_default = len({info.agent_id for info in infos}) == 1
    return dict(named) if one_default and len(dict(named)) == len(named) else {}


def _summary_of(run: MergedRun) -> Summary:
    tally = Tally()
    for result in run.results():
        tally.add(result)
    unfinished = [file for file in run.files if file.incomplete or file.summary.interrupted or file.summary.not_run]
    totals = tally.recounted(run.info.total_cases, INCOMPLETE)
    # A case whose runs were cut short has a result, but not its final one.
    cut_short = any(file.summary.interrupted and not file.summary.not_run for file in unfinished)
    return structs.replace(
        totals,
        interrupted=INCOMPLETE if totals.not_run or cut_short or run.objections else None,
        # Parts of one suite run side by side.
        duration_ms=max(file.summary.duration_ms for file in run.files),
        completed_at=max(file.summary.completed_at for file in run.files),
        warnings=(*totals.warnings, *run.objections, *_warnings(run.files, unfinished)),
    )


def _warnings(files: Iterable[ResultFile], unfinished: Iterable[ResultFile]) -> Iterator[str]:
    for file in files:
        yield from (str(problem) for problem in file.problems)
        # Some are counted anew, for all files together.
        said = [text for text in file.summary.warnings if not any(words in text for words in COUNTED_ANEW)]
        yield from (f"{file.path}: {warning}" for warning in said)
    for file in unfinished:
        lost = counted(file.summary.not_run, "case was", "cases were")
        yield f"{file.path}: its run did not come to its end ({lost} not run)"
