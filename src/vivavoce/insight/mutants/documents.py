"""A mutation score as JSON, Markdown or a page."""

from collections.abc import Iterator
from html import escape
from textwrap import indent
from typing import TextIO

import msgspec

from vivavoce.insight.mutants.score import CaseScore, Counts, MutationReport
from vivavoce.insight.mutants.words import by_suggestion, check_text, diff_lines, headline, percent_words
from vivavoce.model.json_value import JsonObject
from vivavoce.reporters.markdown import escaped
from vivavoce.wording.terminal_text import clip, one_line

_WIDTH = 200
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
td + td, th + th { font-variant-numeric: tabular-nums }
pre, code { font: 14px/1.4 ui-monospace, monospace } pre { overflow-x: auto; margin: .2rem 0 .6rem 1rem }
del { color: #c0392b; text-decoration: none } ins { color: #1e8449; text-decoration: none }
"""


def write_json(report: MutationReport, out: TextIO) -> None:
    """Writes everything with its sums, case by case, because a run may have many."""
    before: JsonObject = {
        "type": "mutation_score",
        "seed": report.seed,
        "with_judges": report.with_judges,
        **_numbers(report.counts),
        "kinds": {kind.value: _numbers(counts) for kind, counts in report.kinds.items()},
    }
    after: JsonObject = {
        "left_out": msgspec.to_builtins(report.left_out),
        "not_reached": report.not_reached,
        "unreadable": report.unreadable,
    }
    out.write(_indented(before).removesuffix("\n}"))
    out.write(',\n  "cases": [')
    for number, case in enumerate(report.cases):
        out.write(("," if number else "") + "\n" + indent(_indented(_case_data(case)), "    "))
    out.write("\n  ],\n" if report.cases else "],\n")
    out.write(_indented(after).removeprefix("{\n") + "\n")


def _indented(plain: JsonObject) -> str:
    return msgspec.json.format(msgspec.json.encode(plain), indent=2).decode()


def _numbers(counts: Counts) -> JsonObject:
    percent = counts.percent
    return {"score": None if percent is None else round(percent, 2), **msgspec.to_builtins(counts)}


def _case_data(case: CaseScore) -> JsonObject:
    return {
        "id": case.id,
        "file": case.file,
        "run": case.run,
        **_numbers(case.counts),
        "kinds": {kind.value: _numbers(counts) for kind, counts in case.kinds.items()},
        "survivors": msgspec.to_builtins(case.survivors),
        "not_limited": msgspec.to_builtins(case.unlimited),
    }


def write_markdown(report: MutationReport, out: TextIO) -> None:
    """For a pull request's comment: the score, a table of the kinds, and what survived."""
    out.write(f"# {headline(report).capitalize()}\n\n| kind | score | noticed | not limited | allowed |\n")
    out.write("|---|---|---|---|---|\n")
    for kind, counts in report.kinds.items():
        cells = (kind, percent_words(counts), f"{counts.noticed} of {counts.counted}", counts.unlimited, counts.allowed)
        out.write(f"| {' | '.join(map(str, cells))} |\n")
    for case in report.cases:
        if case.survivors:
            out.write(f"\n## {escaped(one_line(case.key))}: {percent_words(case.counts)}\n\n")
            out.writelines(f"{line}\n" for line in _markdown_lines(case))
    if report.left_out:
        out.write("\n## Left out of the score\n\n")
        out.writelines(f"* {escaped(one_line(one.key))}: {escaped(one_line(one.why))}\n" for one in report.left_out)


def _markdown_lines(case: CaseScore) -> Iterator[str]:
    for check, survivors in by_suggestion(case.survivors):
        for one in survivors:
            yield f"* **{one.kind}** (turn {one.turn}): {escaped(one_line(one.change))}"
            for line in diff_lines(one):
                yield f"  * `{clip(one_line(line), _WIDTH).replace('`', chr(39))}`"
        if check is not None:
            yield f"  * add `{one_line(check_text(check)).replace('`', chr(39))}`"


def write_page(report: MutationReport, out: TextIO) -> None:
    """One file without scripts."""
    title = escape(headline(report))
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    out.write(f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n')
    out.write(f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{_STYLE}</style>\n</head>\n')
    out.write(f"<body>\n<h1>{title}</h1>\n<table>\n<tr><th>kind</th><th>score</th><th>noticed</th>")
    out.write("<th>not limited</th><th>allowed</th></tr>\n")
    for kind, counts in report.kinds.items():
        noticed = f"{counts.noticed} of {counts.counted}"
        cells = (kind.value, percent_words(counts), noticed, counts.unlimited, counts.allowed)
        out.write(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>\n")
    out.write("</table>\n")
    for case in report.cases:
        out.write(f"<h2>{escape(case.key)}: {escape(percent_words(case.counts))}</h2>\n")
        out.writelines(_page_lines(case))
    if report.left_out:
        out.write("<h2>Left out of the score</h2>\n<ul>\n")
        out.writelines(f"<li>{escape(one.key)}: {escape(one.why)}</li>\n" for one in report.left_out)
        out.write("</ul>\n")
    out.write("</body>\n</html>\n")


def _page_lines(case: CaseScore) -> Iterator[str]:
    for check, survivors in by_suggestion(case.survivors):
        for one in survivors:
            yield f"<p><b>{escape(one.kind)}</b> (turn {one.turn}): {escape(one_line(one.change))}</p>\n<pre>"
            for line in diff_lines(one):
                mark = "del" if line.startswith("-") else "ins"
                yield f"<{mark}>{escape(one_line(line))}</{mark}>\n"
            yield "</pre>\n"
        if check is not None:
            yield f"<p>add <code>{escape(check_text(check))}</code></p>\n"
