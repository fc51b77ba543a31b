"""Compares every report with the golden file that somebody has checked."""

import io
import json
from collections.abc import Callable

from tests.fakes import results

from vivavoce.plugins.catalog import REPORTS
from vivavoce.results.rows import row_of

Golden = Callable[[str, str], None]


def document(kind: str) -> str:
    out = io.StringIO()
    REPORTS.load(kind).writer(results.report_of(results.every_kind()), out)
    return out.getvalue()


def test_markdown(golden: Golden):
    golden("report.md", document("markdown"))


def test_junit(golden: Golden):
    golden("junit.xml", document("xml"))


def test_brief(golden: Golden):
    golden("brief.txt", document("summary"))


def test_json(golden: Golden):
    golden("report.json", document("json"))


def test_rows(golden: Golden):
    rows = [json.dumps(row_of(result), indent=1, ensure_ascii=False) for result in results.every_kind()]
    golden("rows.json", "\n".join(rows) + "\n")
