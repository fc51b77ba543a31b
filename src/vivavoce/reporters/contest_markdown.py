"""A comparison of agents in Markdown: the table, the differences, the matrix, and why cases did not pass."""

from typing import TextIO

from vivavoce.model.result import UNSUCCESSFUL, RunReport, Status
from vivavoce.reporters.contest_words import difference_texts, standing_table, unsuccessful_line
from vivavoce.reporters.markdown import SIGNS, escaped, identity_rows, table, warnings_of
from vivavoce.results.contest.contest import Contest
from vivavoce.results.contest.entry import Entry
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import name_beside_id
from vivavoce.wording.terminal_text import clip

_LONGEST_REASON = 300


def write_contest_markdown(report: RunReport, out: TextIO, heading: str = "#") -> None:
    """`heading` is the level of the first heading."""
    contest = Contest.in_rows(report.info, report.rows())
    labels = contest.labels
    heads, rows = standing_table(contest)
    cases = f"{counted(contest.cases, 'case')} × {counted(len(labels), 'agent')}"
    out.write(f"{heading} Comparison of {escaped(report.info.agent_id)}\n\n{cases}\n\n")
    if told := identity_rows(report.info):
        out.write(table(("Run", ""), told) + "\n")
    out.write(f"{heading}# Agents\n\n")
    out.write(table(tuple(heads), [tuple(row) for row in rows]))
    for warning in warnings_of(report.summary):
        out.write(f"\n> ⚠️ {escaped(warning)}\n")
    if said := unsuccessful_line(contest):
        out.write(f"\n{escaped(said)}\n")
    out.write(f"\n{heading}# Differences\n\n")
    for text, real in difference_texts(contest):
        out.write(f"- **{escaped(text)}**\n" if real else f"- {escaped(text)}\n")
    out.write(f"\n{heading}# Cases\n\n")
    matrix = [
        (
            f"{row.id} {name}" if (name := name_beside_id(row.id, row.name)) else row.id,
            "≠" if row.differs else "",
            *map(_cell, row.cells),
        )
        for row in contest.rows()
    ]
    out.write(table(("Case", "Differs", *map(escaped, labels)), matrix))
    failed = [cell for row in contest.rows() for cell in row.cells if cell is not None and cell.status in UNSUCCESSFUL]
    if failed:
        out.write(f"\n{heading}# Why cases did not pass\n\n")
        reasons = [(cell.id, cell.label, clip(cell.error or cell.status.value, _LONGEST_REASON)) for cell in failed]
        out.write(table(("Case", "Agent", "Reason"), reasons))


def _cell(cell: Entry | None) -> str:
    """`✅`, `❌ 1/3`."""
    if cell is None:
        return ""
    runs = f" {cell.passed}/{cell.runs}" if cell.runs > 1 and cell.status in (Status.PASSED, Status.FAILED) else ""
    return SIGNS[cell.status] + runs
