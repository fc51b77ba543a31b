"""Coverage as tables: what the console, Markdown and the page have in common."""

from collections.abc import Iterator

from msgspec import Struct

from vivavoce.model.coverage import COUNTED, Coverage, CoverageItem, Group, Share, State

VALUES = "values"
_TABLES: tuple[tuple[Group, str, tuple[str, ...]], ...] = (
    (Group.TOOL, "Tools", ("called", "returned", "failed")),
    (Group.PARAMETER, "Parameters", ("given", VALUES)),
    (Group.INTERRUPT, "Interrupts", ("resolved", "cancelled")),
    (Group.CHECKPOINT, "Checkpoints", ("reached",)),
    (Group.PAIR, "Tool pairs", ("seen",)),
    (Group.FINISH_REASON, "Finish reasons", ("seen",)),
    (Group.HAND_OFF, "Hand-offs", ("seen",)),
)
EXPLAINED = {
    State.CHECKED: "it happened, and a check would fail without it",
    State.UNCHECKED: "it happened, and no check would notice if it did not",
    State.NEVER: "it happened in no conversation",
}


class Row(Struct, frozen=True):
    name: str
    cells: tuple[tuple[CoverageItem, ...], ...]
    """For each column what belongs there: one item, or one for each value of a parameter."""


class Section(Struct, frozen=True):
    title: str
    counted: bool
    """Whether it is known what could happen; otherwise only what was seen is listed."""
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    exercised: Share
    checked: Share

    @property
    def totals(self) -> str:
        if not self.counted:
            return "seen; not part of the totals"
        return f"{self.exercised.part} of {self.exercised.whole} exercised, {self.checked.part} checked"


def sections(coverage: Coverage) -> Iterator[Section]:
    """The groups that have something in them."""
    for group, title, columns in _TABLES:
        items = coverage.of(group)
        if items:
            # Empty columns are left out.
            used = tuple(one for one in columns if one != VALUES or any(_column(item) == VALUES for item in items))
            yield Section(
                title=title,
                counted=group in COUNTED,
                columns=used,
                rows=tuple(_rows(items, used)),
                exercised=coverage.exercised(group),
                checked=coverage.checked(group),
            )


def _rows(items: list[CoverageItem], columns: tuple[str, ...]) -> Iterator[Row]:
    by_name: dict[str, list[CoverageItem]] = {}
    for item in items:
        by_name.setdefault(item.element.name, []).append(item)
    for name, own in by_name.items():
        yield Row(name, tuple(tuple(item for item in own if _column(item) == column) for column in columns))


def _column(item: CoverageItem) -> str:
    return VALUES if item.element.aspect.startswith("=") else item.element.aspect


def cell_words(item: CoverageItem) -> str:
    """`checked`; for a value `EUR checked`."""
    aspect = item.element.aspect
    return f"{aspect[2:]} {item.state.value}" if aspect.startswith("=") else item.state.value


def total_words(coverage: Coverage) -> str:
    exercised, checked = coverage.exercised(), coverage.checked()
    return (
        f"exercised: {exercised} ({exercised.part:,} of {exercised.whole:,})   "
        f"checked: {checked} ({checked.part:,} of {checked.whole:,})"
    )
