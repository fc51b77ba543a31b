"""A comparison as one self-contained page, with the front end's own styles."""

from collections.abc import Iterator
from typing import TextIO

from vivavoce.reporters.html.front_end import asset, bundled, stylesheet
from vivavoce.reporters.html.page import block, inert, write_page
from vivavoce.results.comparison.changes import Side
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.results.encoding import encoded
from vivavoce.results.stored_runs import RunData


def write_comparison(compared: RunComparison, out: TextIO) -> None:
    """The counts, every case that is not as it was, and both of its rows."""
    before, after = compared.kept_before.info, compared.kept_after.info
    style = "\n".join((stylesheet(), asset("comparison.css")))
    write_page(
        out,
        title=f"{after.agent_id} · {before.run_id} → {after.run_id} · viva",
        script=bundled("comparison_file.js"),
        style=style,
        blocks=_blocks(compared),
    )


def _blocks(compared: RunComparison) -> Iterator[str]:
    yield block(inert(encoded(compared.as_data())), 'id="comparison"')
    for told in compared.changes_as_json():
        yield block(inert(encoded(told)), 'class="change"')
    for case in compared.changed_cases():
        yield from _row(compared.before, case.before, "before")
        yield from _row(compared.after, case.after, "after")


def _row(run: RunData, side: Side | None, name: str) -> Iterator[str]:
    row = None if side is None else run.row(side.position)
    if side is not None and row is not None:
        yield block(inert(row), f'class="row" data-place="{name}-{side.position}"')
