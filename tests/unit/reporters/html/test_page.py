import base64
import hashlib
import io
import json
import re
from collections.abc import Iterator
from html import unescape

import msgspec
from msgspec import structs
from tests.fakes.results import every_kind, hostile, plain, report_of, run_info, with_history

from vivavoce.model.result import RunReport
from vivavoce.plugins.catalog import REPORTS
from vivavoce.reporters.html.page import write_html
from vivavoce.results.restore import result_of
from vivavoce.results.rows import row_line, row_of


def html_of(report: RunReport) -> str:
    out = io.StringIO()
    write_html(report, out)
    return out.getvalue()


def blocks(html: str, kind: str) -> list[str]:
    return re.findall(rf"<script {kind}>(.*?)</script>", html, re.DOTALL)


def test_the_catalog_knows_it():
    assert REPORTS.load("html").writer is write_html


def test_each_case_is_there_as_its_head_and_its_row():
    html = html_of(report_of(every_kind()))
    written = blocks(html, 'type="application/json" class="case"')
    assert len(written) == len(every_kind())
    for block, result in zip(written, every_kind(), strict=True):
        head, row = map(json.loads, block.split("\n"))
        assert head["id"] == row["id"] == result.case.id
        assert row == json.loads(msgspec.json.encode(row_of(result)))
        assert result_of(row).case.id == result.case.id


def test_the_run_is_there_with_its_totals():
    (block,) = blocks(html_of(report_of(every_kind())), 'type="application/json" id="run"')
    run = json.loads(block)
    assert run["start"]["agent_id"] == "assistants.expense"
    assert run["summary"]["total"] == len(every_kind())


def test_nothing_in_the_data_can_end_its_block():
    html = html_of(report_of([hostile(), plain("</script><script>alert(1)</script><!--")]))
    for block in blocks(html, 'type="application/json" class="case"'):
        assert "<" not in block
        json.loads(block.split("\n")[1])
    assert html.count("<script") == html.count("</script>") == 4


def test_lone_surrogates_do_not_keep_a_report_from_being_written():
    info = run_info(1)
    report = structs.replace(report_of([plain("half \ud83d")]), info=structs.replace(info, agent_id="agent \udc00"))
    html_of(report).encode("utf-8")


def test_the_title_is_text():
    report = report_of([plain()])
    report = structs.replace(report, info=structs.replace(report.info, agent_id="</title><script>"))
    assert "<title>&lt;/title&gt;&lt;script&gt; · 1/1 passed · viva</title>" in html_of(report)


def test_the_policy_lets_only_this_script_and_these_styles_be_used():
    html = html_of(report_of([with_history()]))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    rules = dict(rule.strip().split(" ", 1) for rule in unescape(policy).split(";"))
    (script,), (style,) = blocks(html, 'type="module"'), re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == hash_of(script)
    assert rules["style-src"] == hash_of(style)
    assert rules["require-trusted-types-for"] == "'script'"


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_results_are_written_one_by_one():
    written: list[int] = []

    class Watched(io.StringIO):
        def write(self, text: str) -> int:
            written.append(text.count('class="case"'))
            return super().write(text)

    taken: list[int] = []

    def rows() -> Iterator[bytes]:
        for number in range(5):
            taken.append(sum(written))
            yield row_line(plain(f"T{number}")).rstrip()

    report = structs.replace(report_of([plain()]), rows=rows)
    write_html(report, Watched())
    assert taken == [0, 1, 2, 3, 4], "each is on paper before the next is read"
