import re
from collections import Counter

import pytest

from vivavoce.reporters.html.front_end import ASSETS, asset, bundled, stylesheet

MODULES = sorted(entry.name for entry in ASSETS.iterdir() if entry.name.endswith(".js"))
STYLESHEETS = sorted(entry.name for entry in ASSETS.iterdir() if entry.name.endswith(".css"))


def test_what_is_imported_comes_first_and_once():
    bundle = bundled("report.js")
    assert bundle.count("function el(") == 1
    assert bundle.index("function el(") < bundle.index("function openRunPage(") < bundle.index("openRunPage(embedded")


def test_the_bundle_is_one_module_without_imports():
    assert re.findall(r"^\s*(?:import|export)\b.*", bundled("report.js"), re.MULTILINE) == []


def test_every_module_and_stylesheet_is_used():
    bundle = bundled("report.js") + bundled("comparison_file.js") + bundled("contest_file.js")
    styles = stylesheet() + asset("comparison.css") + asset("contest.css")
    assert [name for name in MODULES if asset(name).partition("\n")[0] not in bundle] == []
    assert [name for name in STYLESHEETS if asset(name) not in styles] == []


def test_no_two_modules_declare_the_same_name():
    declared = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
    names = Counter(name for module in MODULES for name in declared.findall(asset(module)))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize(
    "forbidden",
    [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "</script",
        "<!--",
        "fetch(",
    ],
)
def test_the_front_end_has_no_way_to_run_text_or_to_reach_out(forbidden: str):
    assert forbidden not in bundled("report.js")


def test_nothing_refers_to_another_place():
    addresses = re.findall(r"https?://[^\s\"'`]+|url\([^)]*\)|@import", bundled("report.js") + stylesheet())
    assert addresses == ["http://www.w3.org/2000/svg"]
