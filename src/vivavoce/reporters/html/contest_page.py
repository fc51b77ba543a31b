"""A comparison of agents as one self-contained page; each cell of the matrix opens its conversation."""

from collections.abc import Iterable, Iterator
from typing import TextIO

from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import RunInfo, RunReport, Summary
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


def contest_data(info: RunInfo, summary: Summary, rows: Iterable[bytes]) -> JsonObject:
    """What the page shows besides the conversations; `rows` are the run's lines."""
    contest = Contest.in_rows(info, rows)
    heads, lines = standing_table(contest)
    words: list[JsonObject] = [{"text": text, "real": real} for text, real in difference_texts(contest)]
    return {
        "start": start_row(info),
        "summary": summary_row(summary),
        "table": {"heads": heads, "rows": lines},
        "words": words,
        **contest.as_data(),
    }


def _blocks(report: RunReport) -> Iterator[str]:
    head = contest_data(report.info, report.summary, report.rows())
    yield block(inert(encoded(head)), 'id="contest"')
    for row in report.rows():
        yield block(inert(row), 'class="row"')
