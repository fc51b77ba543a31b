"""Coverage as Markdown and JSON."""

from typing import TextIO

import msgspec

from vivavoce.model.coverage import Coverage, Share
from vivavoce.model.json_value import JsonObject
from vivavoce.reporters.coverage.sections import EXPLAINED, cell_words, sections, total_words
from vivavoce.reporters.markdown import escaped
from vivavoce.results.encoding import encoded
from vivavoce.wording.plurals import counted


def write_markdown(coverage: Coverage, out: TextIO) -> None:
    of = f"{counted(coverage.cases, 'case')}, {counted(coverage.conversations, 'conversation')}"
    out.write(f"# What the tests cover\n\n**{total_words(coverage)}**, from {of}\n")
    for section in sections(coverage):
        out.write(f"\n## {section.title}\n\n{section.totals}\n\n")
        out.write(f"| | {' | '.join(section.columns)} |\n|---|{'---|' * len(section.columns)}\n")
        for row in section.rows:
            cells = (", ".join(escaped(cell_words(item)) for item in items) for items in row.cells)
            out.write(f"| {escaped(row.name)} | {' | '.join(cells)} |\n")
    out.write("\n" + "".join(f"* *{state.value}*: {words}\n" for state, words in EXPLAINED.items()))
    out.writelines(f"* {escaped(note)}\n" for note in coverage.notes)


def write_json(coverage: Coverage, out: TextIO) -> None:
    out.write(msgspec.json.format(encoded(as_data(coverage)), indent=2).decode() + "\n")


def as_data(coverage: Coverage) -> JsonObject:
    return {
        "type": "coverage",
        "cases": coverage.cases,
        "conversations": coverage.conversations,
        "exercised": _share(coverage.exercised()),
        "checked": _share(coverage.checked()),
        "tools_declared": list(coverage.tools_declared),
        "notes": list(coverage.notes),
        "unreadable": coverage.unreadable,
        "items": [
            {
                "group": item.element.group.value,
                "name": item.element.name,
                "aspect": item.element.aspect,
                "state": item.state.value,
                "conversations": item.conversations,
                "example": item.example,
                "checked_by": item.checked_by,
            }
            for item in coverage.items
        ],
    }


def _share(share: Share) -> JsonObject:
    return {"count": share.part, "of": share.whole, "percent": round(share.percent, 2)}
