"""RunReport → one self-contained page: no network, no third-party code, rows streamed in one by one."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from typing import TextIO

from vivavoce.model.result import RunReport
from vivavoce.reporters.html.front_end import bundled, stylesheet
from vivavoce.results.attachments import pictures_in, store_of
from vivavoce.results.encoding import encoded
from vivavoce.results.row_head import head_in
from vivavoce.results.rows import start_row, summary_row

# Nothing inside a hidden element costs the browser any layout, and there may be many thousand cases in it.
# What the agent said is data in inert blocks; the policy makes sure that nothing but our own text, known by its
# hash, can ever run, and that nothing can be fetched.
_HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="viva">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="viva"><p class="loading">Reading the report …</p></div>
<noscript><p class="loading">This report needs JavaScript. All of it is in this file.</p></noscript>
<div hidden>
"""
_FOOT = """\
</div>
<script type="module">{script}</script>
</body>
</html>
"""
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def write_html(report: RunReport, out: TextIO) -> None:
    """Copies the rows of the journal; never holds more than one of them."""
    if report.info.contenders:
        from vivavoce.reporters.html.contest_page import write_contest

        write_contest(report, out)
        return
    title = f"{report.info.agent_id} · {report.summary.passed}/{report.summary.total} passed · viva"
    write_page(out, title=title, script=bundled("report.js"), style=stylesheet(), blocks=_blocks(report))


def write_page(out: TextIO, *, title: str, script: str, style: str, blocks: Iterable[str]) -> None:
    """A page that is one script, one style and its data."""
    policy = _POLICY.format(script=_hash_of(script), style=_hash_of(style))
    out.write(_HEAD.format(policy=escape(policy), title=_titled(title), style=style))
    for block in blocks:
        out.write(block)
    out.write(_FOOT.format(script=script))


def _blocks(report: RunReport) -> Iterator[str]:
    yield block(inert(encoded({"start": start_row(report.info), "summary": summary_row(report.summary)})), 'id="run"')
    if (store := store_of(report.info)) is not None:
        for digest, address in pictures_in(report.rows(), store):
            yield block(inert(encoded({"address": address})), f'class="picture" data-digest="{digest}"')
    for row in report.rows():
        # The head and the row, a line each: the page reads the second only when it is wanted.
        yield block(f"{inert(encoded(head_in(row)))}\n{inert(row)}", 'class="case"')


def block(data: str, attributes: str) -> str:
    return f'<script type="application/json" {attributes}>{data}</script>\n'


def inert(data: bytes) -> str:
    """JSON in which nothing can end the block it stands in, nor begin another."""
    return data.decode().replace("<", "\\u003c")


def _titled(title: str) -> str:
    """Replaces lone surrogates, which cannot be written to a file."""
    return escape(title.encode("utf-8", "replace").decode("utf-8"))


def _hash_of(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode()}"
