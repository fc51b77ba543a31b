"""What `viva fuzz` found, as lines for a terminal, as Markdown and as JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from vivavoce.app.find_shrinking import FuzzFinding
from vivavoce.app.fuzzing import Fuzzed
from vivavoce.errors import UsageError
from vivavoce.insight.fuzzing.robustness import OperatorScore
from vivavoce.model.json_value import JsonObject
from vivavoce.project.whole_files import write_whole
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import one_line

FORMATS = (".json", ".md", ".markdown")
_MOST_LEFT_OUT = 5


def refuse_other_formats(outputs: Sequence[str]) -> None:
    """Raises UsageError for a file that no report can be written to."""
    for output in outputs:
        if Path(output).suffix not in FORMATS:
            raise UsageError(f"{output}: the table is written as .json or .md", at="-o")


def write_reports(fuzzed: Fuzzed, saved: Sequence[str], outputs: Sequence[str]) -> None:
    """Writes the report to each of the files; `saved` says where each find lies as a case."""
    for output in outputs:
        path = Path(output)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            write_whole(msgspec.json.format(msgspec.json.encode(as_json(fuzzed, saved)), indent=2) + b"\n", path)
        else:
            write_whole(as_markdown(fuzzed, saved), path)


def table_lines(scores: Sequence[OperatorScore]) -> Iterator[str]:
    """The robustness table, a line per operator."""
    width = max([len("operator"), *(len(score.operator) for score in scores)])
    yield f"{'operator':{width}}  {'variants':>8}  {'held':>5}  {'finds':>5}  robust"
    for kind, title in (("meaning", "the same in other words"), ("hostile", "hostile")):
        of_kind = [score for score in scores if score.kind == kind]
        if of_kind:
            yield f"· {title}"
        for score in of_kind:
            more = f"  ({score.unclear} unclear)" if score.unclear else ""
            more += f"  ({score.not_run} not run)" if score.not_run else ""
            numbers = f"{score.judged:8}  {score.held:5}  {score.finds:5}  {_share(score):>6}"
            yield f"{score.operator:{width}}  {numbers}{more}"


def find_lines(find: FuzzFinding, saved: str) -> Iterator[str]:
    """A find in words: the operator, the failing line, the failure, and how to run it again."""
    often = f" ({counted(find.times, 'variant')})" if find.times > 1 else ""
    yield f"✗ {', '.join(find.operators)}{often}: {find.line}"
    yield f"  {one_line(find.error)}"
    if find.failed_again is None:
        yield "  it was neither repeated nor shrunk: viva stopped before"
    elif not find.failed_again:
        yield "  it did not fail when it was repeated: it comes and goes (try --runs 5)"
    yield f"  viva test -i {saved}"


def note_lines(fuzzed: Fuzzed) -> Iterator[str]:
    """What a reader must know about the numbers."""
    if fuzzed.left_out:
        count = len(fuzzed.left_out)
        left = "was" if count == 1 else "were"
        yield f"{counted(count, 'case does', 'cases do')} not pass unchanged and {left} left out:"
        yield from (f"  {one_line(f'{key}: {why}')}" for key, why in list(fuzzed.left_out.items())[:_MOST_LEFT_OUT])
        if count > _MOST_LEFT_OUT:
            yield f"  … and {count - _MOST_LEFT_OUT:,} more"
    if fuzzed.unclear:
        yield f"{counted(fuzzed.unclear, 'variant')} could not be judged: a check broke, or viva could not tell"
    yield from fuzzed.warnings
    if fuzzed.stopped_by:
        yield f"stopped early ({fuzzed.stopped_by}): {_left_undone(fuzzed)}"


def _left_undone(fuzzed: Fuzzed) -> str:
    if not fuzzed.not_run:
        return "every variant was run, but not every find was shrunk"
    were = counted(fuzzed.not_run, "variant was", "variants were")
    return f"{were} not run; nothing is known about {'it' if fuzzed.not_run == 1 else 'them'}"


def as_markdown(fuzzed: Fuzzed, saved: Sequence[str]) -> str:
    lines = [
        f"# Robustness of {one_line(fuzzed.agent)}",
        "",
        f"Seed {fuzzed.seed}, {counted(fuzzed.cases, 'case')}.",
        "",
    ]
    lines += ["| operator | kind | variants | held | finds | robust |", "|---|---|---:|---:|---:|---:|"]
    lines += [
        f"| {score.operator} | {score.kind} | {score.judged} | {score.held} | {score.finds} | {_share(score)} |"
        for score in fuzzed.scores
    ]
    for note in note_lines(fuzzed):
        lines += ["", note]
    if fuzzed.finds:
        lines += ["", "## Finds", ""]
    for find, where in zip(fuzzed.finds, saved, strict=True):
        lines.append(
            f"* **{', '.join(find.operators)}**: {_code(find.line)}: {_code(one_line(find.error))} ({_code(where)})"
        )
    return "\n".join(lines) + "\n"


def as_json(fuzzed: Fuzzed, saved: Sequence[str]) -> JsonObject:
    return {
        "agent": fuzzed.agent,
        "seed": fuzzed.seed,
        "cases": fuzzed.cases,
        "left_out": [{"case": key, "why": why} for key, why in fuzzed.left_out.items()],
        "stopped_by": fuzzed.stopped_by,
        "operators": [
            {
                "operator": score.operator,
                "kind": score.kind,
                "variants": score.judged,
                "held": score.held,
                "finds": score.finds,
                "unclear": score.unclear,
                "not_run": score.not_run,
                "robust_percent": score.share,
            }
            for score in fuzzed.scores
        ],
        "finds": [
            {
                "operators": list(find.operators),
                "from": find.original,
                "seed": find.seed,
                "line": find.line,
                "error": find.error,
                "variants": find.times,
                "failed_again": find.failed_again,
                "case": where,
            }
            for find, where in zip(fuzzed.finds, saved, strict=True)
        ],
    }


def _share(score: OperatorScore) -> str:
    return "–" if score.share is None else f"{score.share:.0f} %"


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39)).replace('|', '¦')}`"
