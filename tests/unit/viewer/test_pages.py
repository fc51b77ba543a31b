"""The viewer's front end keeps to the report's rules."""

import re
from collections import Counter

import pytest

from vivavoce.reporters.html.front_end import ASSETS, asset, bundled
from vivavoce.viewer.pages import VIEWER_ASSETS, VIEWER_STYLES
from vivavoce.viewer.search import SEARCHED_FIELDS

OWN = sorted(entry.name for entry in VIEWER_ASSETS.iterdir() if entry.name.endswith(".js"))
REPORT = sorted(entry.name for entry in ASSETS.iterdir() if entry.name.endswith(".js"))
ENTRIES = (
    "runs_page.js",
    "served_run.js",
    "served_comparison.js",
    "cases_page.js",
    "case_page.js",
    "coverage_page.js",
    "mutants_page.js",
    "talk_page.js",
    "review_page.js",
)


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_two_modules_have_one_name_or_declare_one_name(entry: str):
    assert set(OWN).isdisjoint(REPORT)
    declared = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
    names = Counter(declared.findall(bundled(entry, VIEWER_ASSETS)))
    assert [name for name, times in names.items() if times > 1] == []


def test_every_module_and_style_is_used():
    bundles = "\n".join(bundled(entry, VIEWER_ASSETS) for entry in ENTRIES)
    assert [name for name in OWN if asset(name, VIEWER_ASSETS).partition("\n")[0] not in bundles] == []
    assert sorted(VIEWER_STYLES) == sorted(e.name for e in VIEWER_ASSETS.iterdir() if e.name.endswith(".css"))


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize(
    "forbidden",
    ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "</script", "http://"],
)
def test_no_module_has_a_way_to_run_text(name: str, forbidden: str):
    assert forbidden not in asset(name, VIEWER_ASSETS)


def test_only_one_module_asks_the_server():
    assert [name for name in OWN if re.search(r"fetch\(|EventSource\(", asset(name, VIEWER_ASSETS))] == ["http.js"]


def test_the_server_searches_the_fields_that_the_report_searches():
    source = asset("case_rows.js")
    listed = source[source.index("SEARCHED_FIELDS = ") : source.index("];", source.index("SEARCHED_FIELDS = "))]
    assert set(re.findall(r'"(\w+)"', listed)) == set(SEARCHED_FIELDS)
