"""Coverage as one page: no script, nothing from elsewhere, names as they are."""

import io
import re

from tests.unit.reporters.coverage.sample import COVERAGE, item

from vivavoce.model.coverage import Coverage, Group
from vivavoce.reporters.coverage.page import write_html


def page_of(coverage: Coverage) -> str:
    out = io.StringIO()
    write_html(coverage, out)
    return out.getvalue()


def test_it_has_no_script_and_asks_nobody():
    page = page_of(COVERAGE)
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=[\"']?https?:", page)


def test_names_are_text_whatever_they_hold():
    hostile = item(Group.PAIR, "<find> '\"& \ud800\x1b[2J", "seen", 1)
    page = page_of(Coverage(items=(hostile,), cases=1, conversations=1))
    assert "&lt;find&gt; &#x27;&quot;&amp; " in page
    assert "\x1b" not in page
    page.encode()


def test_each_state_has_its_colour_and_says_where():
    page = page_of(COVERAGE)
    assert "<span class='state checked' title='checked by a.yaml::T1'>checked</span>" in page
    assert "<span class='state unchecked' title='happens in a.yaml::T1'>unchecked</span>" in page
    assert "<span class='state never' title='it happened in no conversation'>never</span>" in page


def test_every_row_and_the_totals_are_on_it():
    many = Coverage(items=tuple(item(Group.PAIR, f"a → {at}", "seen", 1) for at in range(60)), cases=1, conversations=1)
    assert "a → 59" in page_of(many)
    assert "<b>28.6 %</b>exercised: 4 of 14" in page_of(COVERAGE)
    assert "<p class='muted'>1 case, 2 conversations</p>" in page_of(COVERAGE)
