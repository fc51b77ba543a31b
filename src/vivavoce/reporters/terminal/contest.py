"""A comparison of agents at the end of a run: the table, the differences, the matrix of cases."""

from collections.abc import Sequence

from vivavoce.model.result import Status
from vivavoce.reporters.contest_words import alike, cell_text, difference_texts, standing_table, unsuccessful_line
from vivavoce.reporters.terminal.style import Look
from vivavoce.results.contest.contest import Contest, MatrixRow
from vivavoce.results.contest.entry import Entry
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import name_beside_id
from vivavoce.wording.terminal_text import clip, columns, one_line

MOST_ROWS = 40
_WIDEST_LABEL = 40
_NARROWEST_CASE = 16


def contest_lines(contest: Contest, look: Look) -> list[str]:
    """Everything a person at a terminal needs to choose; as wide as the terminal is."""
    title = f"Comparison ({counted(contest.cases, 'case')} × {counted(len(contest.labels), 'agent')})"
    lines = [*look.heading(title), "", *_standings(contest, look), "", *look.heading("Differences"), ""]
    for told, real in difference_texts(contest):
        first, *rest = look.wrapped(one_line(told), 4)
        lines += [f"  • {look.bold(first) if real else first}", *(f"    {line}" for line in rest)]
    lines += ["", *_matrix(contest, look)]
    if said := unsuccessful_line(contest):
        lines += ["", *(look.bad(line) for line in look.wrapped(one_line(said), 0))]
    return lines


def _standings(contest: Contest, look: Look) -> list[str]:
    heads, rows = standing_table(contest)
    rows = [[clip(row[0], _WIDEST_LABEL), *row[1:]] for row in rows]
    widths = [max(columns(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
    if sum(widths) + 2 * len(widths) <= look.width:
        return [look.bold(_line(heads, widths)), *(_line(row, widths) for row in rows)]
    lines: list[str] = []
    wide = max(map(columns, heads)) + 2
    for row in rows:
        lines += [*([""] if lines else []), f"  {look.bold(clip(row[0], look.width - 2))}"]
        lines += [f"    {head + ':':<{wide}}{value}" for head, value in zip(heads[1:], row[1:], strict=True)]
    return lines


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The first cell to the left, numbers to the right."""
    first, *rest = zip(cells, widths, strict=True)
    numbers = [" " * (width - columns(cell)) + cell for cell, width in rest]
    return "  " + "  ".join([first[0] + " " * (first[1] - columns(first[0])), *numbers]).rstrip()


def _matrix(contest: Contest, look: Look) -> list[str]:
    rows = list(contest.rows())
    different = [row for row in rows if row.differs]
    lines = look.heading(f"Cases that came out differently ({len(different):,})")
    if different:
        lines += ["", *_drawn(different[:MOST_ROWS], contest.labels, look)]
    if len(different) > MOST_ROWS:
        lines.append(f"  … and {len(different) - MOST_ROWS:,} more (-o FILE.html shows all of them)")
    if said := alike(rows):
        lines += ["", *(f"  {line}" for line in look.wrapped(said, 2))]
    return lines


def _drawn(rows: Sequence[MatrixRow], labels: Sequence[str], look: Look) -> list[str]:
    """A column for each contender; where the names do not fit, letters that stand for them."""
    shown = [clip(label, 24) for label in labels]
    texts = [[cell_text(cell) for cell in row.cells] for row in rows]
    widest = [max(columns(line[at]) for line in texts) for at in range(len(labels))]
    lines: list[str] = []
    if sum(max(columns(name), width) + 2 for name, width in zip(shown, widest, strict=True)) > (
        look.width - _NARROWEST_CASE - 4
    ):
        shown = [chr(ord("A") + at) if at < 26 else str(at + 1) for at in range(len(labels))]
        lines += [f"  {letter} = {clip(label, look.width - 8)}" for letter, label in zip(shown, labels, strict=True)]
        lines.append("")
    widths = [max(columns(name), width) for name, width in zip(shown, widest, strict=True)]
    room = max(look.width - sum(widths) - 2 * len(widths) - 2, _NARROWEST_CASE)
    names = [clip(_case(row), room) for row in rows]
    wide = max(4, *map(columns, names))
    heads = "".join(f"  {name:<{width}}" for name, width in _pairs(shown, widths))
    lines.append(look.bold(f"  {'Case':<{wide}}{heads}".rstrip()))
    for row, name in zip(rows, names, strict=True):
        cells = [_cell(cell, width, look) for cell, width in zip(row.cells, widths, strict=True)]
        lines.append(("  " + name + " " * (wide - columns(name)) + "".join(f"  {cell}" for cell in cells)).rstrip())
    return lines


def _pairs(names: Sequence[str], widths: Sequence[int]) -> list[tuple[str, int]]:
    """Each name and the width to pad it to: a wide character takes two columns."""
    return [(name, width - columns(name) + len(name)) for name, width in zip(names, widths, strict=True)]


def _case(row: MatrixRow) -> str:
    return one_line(f"{row.id} {name}" if (name := name_beside_id(row.id, row.name)) else row.id)


def _cell(cell: Entry | None, width: int, look: Look) -> str:
    text = cell_text(cell)
    status = Status.NOT_RUN if cell is None else cell.status
    return look.by_status(text, status) + " " * (width - columns(text))
