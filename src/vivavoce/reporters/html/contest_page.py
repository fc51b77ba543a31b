"""A comparison of agents as one self-contained page; each cell of the matrix opens its conversation."""

from collections.abc import Iterator
from typing import TextIO

from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import RunReport
from vivavoce.reporters.contest_words import difference_texts, standing_table
from vivavoce.reporters.html.front_end import asset, bundled, stylesheet
from vivavoce.reporters.html.page import block, inert, write_page
from vivavoce.results.contest.contest import Contest
from vivavoce.results.encoding import encoded
from vivavoce.results.rows import start_row, summary_row


def write_contest(report: RunReport, out: TextIO) -> None:
    """Copies the rows of the journal; keeps a few numbers of each."""
    write_page(
        out,
        title=f"{report.info.agent_id} · viva",
        script=bundled("contest_file.js"),
        style="\n".join((stylesheet(), asset("contest.css"))),
        blocks=_blocks(report),
    )


def _blocks(report: RunReport) -> Iterator[str]:
    contest = Contest.in_rows(report.info, report.rows())
    heads, rows = standing_table(contest)
    words: list[JsonObject] = [{"text": text, "real": real} for text, real in difference_texts(contest)]
    head = {
        "start": start_row(report.info),
        "summary": summary_row(report.summary),
        "table": {"heads": heads, "rows": rows},
        "words": words,
        **contest.as_data(),
    }
    yield block(inert(encoded(head)), 'id="contest"')
    for row in report.rows():
        yield block(inert(row), 'class="row"')
