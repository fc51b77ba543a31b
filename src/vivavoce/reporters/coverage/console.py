"""Coverage in the console: one table a group, the totals last; fits into 80 columns.

In a terminal too narrow for the tables, every cell has a line of its own.
"""

from collections.abc import Iterator

from vivavoce.model.coverage import Coverage, CoverageItem, State
from vivavoce.reporters.coverage.sections import (
    EXPLAINED,
    VALUES,
    Row,
    Section,
    cell_words,
    sections,
    total_words,
)
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import clip_middle, columns, one_line

_WIDEST = 80
_CELL = 11
_NAME = 20
"""The least width of the column with the names."""
_VALUES_WIDTH = 20
_MOST_ROWS = 40
"""Rows of one table; a report file has them all."""


def coverage_lines(coverage: Coverage, look: Look) -> Iterator[str]:
    width = min(look.width, _WIDEST)
    for section in sections(coverage):
        yield from _section(section, look, width)
        yield ""
    shown = {item.state for item in coverage.items}
    for state in (state for state in State if state in shown):
        yield from map(look.dim, Look(width).wrapped(f"{state.value}: {EXPLAINED[state]}", 0))
    for note in coverage.notes:
        yield from (look.careful(line) for line in Look(width).wrapped(f"note: {one_line(note)}", 0))
    of = f"{counted(coverage.cases, 'case')}, {counted(coverage.conversations, 'conversation')}"
    yield ""
    yield look.dim(f"from {of}")
    totals = total_words(coverage)
    yield from map(look.bold, [totals] if columns(totals) <= width else totals.split("   "))


def _section(section: Section, look: Look, width: int) -> Iterator[str]:
    fixed = [column for column in section.columns if column != VALUES]
    longest = max(columns(one_line(row.name)) for row in section.rows)
    beside = 4 + (_CELL + 1) * len(fixed) + (_VALUES_WIDTH if VALUES in section.columns else 0)
    room = min(longest, max(_NAME, width - beside))
    is_narrow = room + beside - 1 > width
    if columns(f"{section.title}  {section.totals}") <= width:
        yield f"{look.bold(section.title)}  {look.dim(section.totals)}"
    else:
        yield look.bold(section.title)
        yield from (look.dim(f"  {line}") for line in Look(width).wrapped(section.totals, 2))
    if not is_narrow:
        yield look.dim(f"  {'':{room}}  " + " ".join(f"{column:{_CELL}}" for column in section.columns).rstrip())
    for row in section.rows[:_MOST_ROWS]:
        if is_narrow:
            yield from _stacked(row, section.columns, look, width)
        else:
            yield from _row(row, section.columns, look, room, width)
    if len(section.rows) > _MOST_ROWS:
        more = f"… and {len(section.rows) - _MOST_ROWS:,} more: -o coverage.html has them all"
        yield from (f"  {line}" for line in Look(width).wrapped(more, 2))


def _stacked(row: Row, names: tuple[str, ...], look: Look, width: int) -> Iterator[str]:
    """A row for a narrow terminal: its name, and below it a line for each cell."""
    yield f"  {clip_middle(one_line(row.name), width - 2)}"
    for column, items in zip(names, row.cells, strict=True):
        for item in items:
            words = clip_middle(one_line(cell_words(item)), width - _CELL - 5)
            yield f"    {column:{_CELL}} {_painted(words, (item,), look)}"


def _row(row: Row, names: tuple[str, ...], look: Look, room: int, width: int) -> Iterator[str]:
    name = clip_middle(one_line(row.name), room)
    line = f"  {name}{' ' * (room - columns(name))}  "
    taken = room + 4
    values: list[str] = []
    for column, items in zip(names, row.cells, strict=True):
        if column == VALUES:
            values = (
                Look(width).wrapped(", ".join(one_line(cell_words(item)) for item in items), taken) if items else []
            )
        else:
            words = cell_words(items[0]) if items else ""
            line += _painted(words, items, look) + " " * (_CELL + 1 - len(words))
            taken += _CELL + 1
    yield (line + (values[0] if values else "")).rstrip()
    yield from (f"{' ' * taken}{more}" for more in values[1:])


def _painted(words: str, items: tuple[CoverageItem, ...], look: Look) -> str:
    if not items:
        return words
    paint = {State.CHECKED: look.good, State.UNCHECKED: look.careful, State.NEVER: look.bad}
    return paint[items[0].state](words)


def agent_lines(coverage: Coverage) -> Iterator[str]:
    """For coding agents: only the gaps, one a line, and the totals."""
    gaps = [item for item in coverage.counted() if item.state is not State.CHECKED]
    for item in sorted(gaps, key=lambda item: item.state is State.UNCHECKED):
        where = f" (happens in {one_line(item.example)})" if item.example else ""
        yield f"{item.state.value}: {item.element.group.value} {one_line(str(item.element))}{where}"
    for note in coverage.notes:
        yield f"note: {one_line(note)}"
    for state in (State.UNCHECKED, State.NEVER):
        if any(item.state is state for item in gaps):
            yield f"{state.value} means: {EXPLAINED[state]}"
    yield total_words(coverage)
