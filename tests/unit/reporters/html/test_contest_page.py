"""The page of a comparison holds every row, in the order that the matrix names."""

import io
import json
import re

from tests.unit.results.contest.test_contest import INFO, duel

from vivavoce.model.result import RunReport, Summary
from vivavoce.reporters.html.page import write_html
from vivavoce.reporters.json_report import write_json
from vivavoce.reporters.markdown import write_markdown
from vivavoce.results.rows import row_line

RESULTS = duel(3, 1)
REPORT = RunReport(
    info=INFO, summary=Summary(total=6), rows=lambda: map(row_line, RESULTS), results=lambda: iter(RESULTS)
)


def test_each_cell_names_the_row_of_its_conversation():
    out = io.StringIO()
    write_html(REPORT, out)
    blocks = re.findall(r'<script type="application/json" ([^>]*)>(.*?)</script>', out.getvalue(), re.DOTALL)
    data = json.loads(next(text for attributes, text in blocks if 'id="contest"' in attributes))
    rows = [json.loads(text) for attributes, text in blocks if 'class="row"' in attributes]
    for line in data["matrix"]:
        for cell, contender in zip(line["cells"], data["contenders"], strict=True):
            row = rows[cell["position"]]
            assert (row["id"], row["case"]["agent"]) == (line["id"], contender["label"])


def test_no_two_modules_of_the_page_declare_the_same_name():
    from vivavoce.reporters.html.front_end import bundled

    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", bundled("contest_file.js"), re.MULTILINE)
    assert len(names) == len(set(names))


def test_markdown_and_json_branch_on_a_comparison():
    markdown, document = io.StringIO(), io.StringIO()
    write_markdown(REPORT, markdown)
    write_json(REPORT, document)
    assert "# Comparison of a vs b" in markdown.getvalue()
    assert "| T0   | ≠       | ✅ | ❌ |" in markdown.getvalue()
    assert [one["label"] for one in json.loads(document.getvalue())["contest"]["contenders"]] == ["a", "b"]
