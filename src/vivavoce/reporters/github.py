"""GitHub Actions: an annotation at the line of each case that failed, and a page for the step."""

from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from vivavoce.containment.safe_stream import write_command
from vivavoce.errors import VivaError
from vivavoce.model.result import UNSUCCESSFUL, CaseResult, RunInfo, RunReport, Status
from vivavoce.reporters.brief import brief_line
from vivavoce.reporters.markdown import SIGNS, case_section, escaped, summary_rows, table, warnings_of
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import shorten
from vivavoce.wording.results import case_label, failed_at, place_of, quarantine_words, reason_of

MOST_ANNOTATIONS = 10
"""GitHub shows no more errors of one step."""
_MOST_SECTIONS = 30
_LARGEST_SUMMARY = 900_000
"""GitHub refuses a step summary beyond one mebibyte."""


class AgainstBaseline(Struct, frozen=True):
    """What a comparison with a baseline found: then only that is shown."""

    changed: frozenset[str]
    """Keys of the cases to show."""
    lines: tuple[str, ...]
    is_red: bool


def write_annotations(
    report: RunReport, out: TextIO, env: Mapping[str, str], against: AgainstBaseline | None = None
) -> None:
    """`::error file=tests/pay.jsonl,line=12,title=…::reason` for the first failures, a notice for the rest."""
    failed = 0
    for result in _shown(report, against):
        failed += 1
        if failed <= MOST_ANNOTATIONS:
            write_command(out, annotation(result, env, report.info))
    if failed > MOST_ANNOTATIONS:
        more = counted(failed - MOST_ANNOTATIONS, "more failure is", "more failures are")
        write_command(out, f"::notice title=viva::{more} in the step summary")


def annotation(result: CaseResult, env: Mapping[str, str], info: RunInfo | None = None) -> str:
    """In a comparison the title says with which agent the case failed."""
    origin = failed_at(result.case, result.decisive)
    whose = f"{result.case.agent}: " if info is not None and info.contenders else ""
    properties = {
        "file": _from_repository_root(origin.path, env),
        "line": str(origin.line) if origin.line else "",
        "title": f"{whose}{case_label(result.case)} {result.status}",
    }
    level, why = "error", reason_of(result)
    if result.quarantine is not None:
        level, why = "warning", f"{quarantine_words(result.quarantine)}\n{why}"
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::{level} {told}::{_data(why)}"


def append_step_summary(report: RunReport, env: Mapping[str, str], against: AgainstBaseline | None = None) -> None:
    """Adds the run to the page GitHub shows for the step; nothing happens where there is no such page."""
    if not (place := env.get("GITHUB_STEP_SUMMARY")):
        return
    try:
        with Path(place).open("a", encoding="utf-8") as page:
            page.write(step_summary(report, against))
    except OSError as problem:
        raise VivaError(f"the step summary could not be written: {problem.strerror or problem}", at=place) from problem


def step_summary(report: RunReport, against: AgainstBaseline | None = None) -> str:
    if report.info.contenders:
        from vivavoce.reporters.contest_markdown import write_contest_markdown

        written = StringIO()
        write_contest_markdown(report, written, heading="##")
        return shorten(written.getvalue(), _LARGEST_SUMMARY // 4) + "\n"
    is_red = report.summary.is_red if against is None else against.is_red
    sign = SIGNS[Status.FAILED if is_red else Status.PASSED]
    parts = [f"## {sign} viva: {escaped(report.info.agent_id)}\n\n{escaped(brief_line(report.summary))}\n\n"]
    parts.append(table(("Metric", "Value"), summary_rows(report.info, report.summary)))
    parts += [f"\n> ⚠️ {escaped(warning)}\n" for warning in warnings_of(report.summary)]
    if against is not None:
        parts.append("\n" + "".join(f"- {escaped(line)}\n" for line in (*against.lines, *_unchanged(report, against))))
    size, shown, left_out = sum(map(len, parts)), 0, 0
    for result in _shown(report, against):
        section = _folded(result)
        if shown < _MOST_SECTIONS and size + len(section.encode()) < _LARGEST_SUMMARY:
            parts.append(section)
            size, shown = size + len(section.encode()), shown + 1
        else:
            left_out += 1
    if left_out:
        parts.append(f"\n… and {left_out} more failures.\n")
    return "".join(parts) + "\n"


def _shown(report: RunReport, against: AgainstBaseline | None) -> Iterator[CaseResult]:
    """Yields what did not pass, first what decides; with a baseline only what changed."""
    if against is not None:
        yield from (r for r in report.results() if r.case.key in against.changed and r.status in UNSUCCESSFUL)
    else:
        yield from (result for result in report.results() if result.is_red)
    if report.summary.quarantined:
        yield from (r for r in report.results() if r.status in UNSUCCESSFUL and r.quarantine is not None)


def _unchanged(report: RunReport, against: AgainstBaseline) -> Iterator[str]:
    """Says how many failures are left out because they are not worse than the baseline."""
    same = sum(result.is_red and result.case.key not in against.changed for result in report.results())
    if same:
        yield f"{counted(same, 'case does', 'cases do')} not pass, but no worse than in the baseline: not shown here"


def _folded(result: CaseResult) -> str:
    place = place_of(result.case.origin)
    apart = "" if result.quarantine is None else "in quarantine: "
    title = f"{SIGNS[result.status]} {apart}{case_label(result.case)} {place}"
    title = title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    body = "\n".join(case_section(result)[2:]).removeprefix(f"`{place}`").removeprefix(" · ").lstrip("\n")
    return f"\n<details><summary>{title}</summary>\n\n{body}\n\n</details>\n"


def _from_repository_root(path: str, env: Mapping[str, str]) -> str:
    """Annotations only land when the path starts at the checkout."""
    root = env.get("GITHUB_WORKSPACE")
    if not path or not root:
        return path
    whole = Path(path).absolute()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else path


def _data(text: str) -> str:
    """On one line, without `##[`, the older beginning of a command: runners look for it anywhere in other lines."""
    return text.replace("##[", "## [").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
