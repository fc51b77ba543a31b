"""Coverage as one self-contained page without any script."""

from html import escape
from typing import TextIO

from vivavoce.model.coverage import Coverage, CoverageItem, Share, State
from vivavoce.reporters.coverage.sections import EXPLAINED, Section, cell_words, sections
from vivavoce.reporters.html.front_end import asset
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import one_line

_STYLE = """
body { background: var(--bg); color: var(--ink); font: 15px/1.5 var(--sans); margin: 0 auto; max-width: 1000px;
  padding: var(--gutter); }
h1 { font-size: 22px; } h2 { font-size: 17px; margin: 32px 0 8px; } h2 small { color: var(--muted); font-weight: 400; }
table { background: var(--surface); border: 1px solid var(--line); border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 6px 12px; text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 500; } td:first-child { font-family: var(--mono); overflow-wrap: anywhere; }
.state { border-radius: 6px; display: inline-block; margin: 1px 6px 1px 0; padding: 0 8px; }
.checked { background: var(--passed-soft); color: var(--passed); }
.unchecked { background: var(--error-soft); color: var(--error); }
.never { background: var(--failed-soft); color: var(--failed); }
.totals { display: flex; gap: 32px; } .totals b { display: block; font-size: 28px; } .muted { color: var(--muted); }
"""
_HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
"""


def write_html(coverage: Coverage, out: TextIO) -> None:
    exercised = coverage.exercised()
    out.write(_HEAD.format(title=f"{exercised} exercised · viva", style=asset("tokens.css") + _STYLE))
    of = f"{counted(coverage.cases, 'case')}, {counted(coverage.conversations, 'conversation')}"
    out.write(f"<h1>What the tests cover</h1>\n<p class='muted'>{of}</p>\n<p class='totals'>")
    out.write(f"{_total('exercised', exercised)}{_total('checked', coverage.checked())}</p>\n<ul>\n")
    for state, words in EXPLAINED.items():
        out.write(f"<li><span class='state {state.value}'>{state.value}</span>{words}</li>\n")
    out.writelines(f"<li>{_text(note)}</li>\n" for note in coverage.notes)
    out.write("</ul>\n")
    for section in sections(coverage):
        _write_section(section, out)
    out.write("</body>\n</html>\n")


def _total(word: str, share: Share) -> str:
    return f"<span><b>{share}</b>{word}: {share.part:,} of {share.whole:,}</span>"


def _write_section(section: Section, out: TextIO) -> None:
    out.write(f"<h2>{section.title} <small>{section.totals}</small></h2>\n<table>\n<tr><th scope='col'></th>")
    out.writelines(f"<th scope='col'>{column}</th>" for column in section.columns)
    out.write("</tr>\n")
    for row in section.rows:
        cells = "".join(f"<td>{''.join(map(_cell, items))}</td>" for items in row.cells)
        out.write(f"<tr><td>{_text(row.name)}</td>{cells}</tr>\n")
    out.write("</table>\n")


def _cell(item: CoverageItem) -> str:
    return f"<span class='state {item.state.value}' title='{_text(_where(item))}'>{_text(cell_words(item))}</span>"


def _where(item: CoverageItem) -> str:
    if item.state is State.CHECKED:
        return f"checked by {item.checked_by}"
    return f"happens in {item.example}" if item.example else EXPLAINED[item.state]


def _text(text: str) -> str:
    """Lone surrogates cannot be written to a file."""
    return escape(one_line(text).encode("utf-8", "replace").decode("utf-8"))
