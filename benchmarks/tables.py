"""Tables as Markdown, printed as they are found, with the promises their figures are held to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """A limit beside what was found; a figure that could not be had says why."""

    what: str
    limit: float
    found: float | None
    unit: str
    at_least: bool = False
    why_not: str = ""

    @property
    def limit_text(self) -> str:
        return f"at {'least' if self.at_least else 'most'} {self.limit:g}{self.unit}"

    @property
    def found_text(self) -> str:
        return self.why_not if self.found is None else f"{self.found:.3g}{self.unit}"

    @property
    def verdict(self) -> str:
        if self.found is None:
            return "not measured"
        kept = self.found >= self.limit if self.at_least else self.found <= self.limit
        return "met" if kept else "NOT met"


class Table:
    """Rows of one Markdown table; notes follow them."""

    def __init__(self, title: str, *columns: str) -> None:
        self.title, self.columns = title, columns
        self.rows: list[tuple[str, ...]] = []
        self.notes: list[str] = []
        self.promises: list[Promise] = []
        print(f"\n{title}\n  {' | '.join(columns)}", flush=True)

    def add(self, *cells: object) -> None:
        row = tuple(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells)
        self.rows.append(row)
        print("  " + " | ".join(row), flush=True)

    def note(self, text: str) -> None:
        self.notes.append(text)
        print(f"  {text}", flush=True)

    def promise(self, what: str, found: float | None, unit: str, **limit: float) -> None:
        """Holds `found` to `at_most=` or `at_least=`."""
        self._keep(what, found, unit, limit, "")

    def unmeasured(self, what: str, why: str, unit: str, **limit: float) -> None:
        self._keep(what, None, unit, limit, why)

    def _keep(self, what: str, found: float | None, unit: str, limit: dict[str, float], why: str) -> None:
        [(kind, value)] = limit.items()
        promise = Promise(what, value, found, unit, kind == "at_least", why)
        self.promises.append(promise)
        print(f"  → {what}: {promise.found_text} ({promise.limit_text}): {promise.verdict}", flush=True)

    @property
    def markdown(self) -> str:
        head = [f"## {self.title}", "", _line(self.columns), f"|{'---|' * len(self.columns)}"]
        lines = [*head, *(_line(row) for row in self.rows), ""]
        for note in self.notes:
            lines += [note, ""]
        return "\n".join(lines)


def promises_of(tables: list[Table]) -> Table:
    """The closing table: every limit, its figure, and whether it was kept."""
    closing = Table("Promises", "what", "limit", "found", "")
    for promise in (promise for table in tables for promise in table.promises):
        closing.add(promise.what, promise.limit_text, promise.found_text, promise.verdict)
    return closing


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
