"""Coverage in every format."""

import io
import json

from vivavoce.model.coverage import Coverage, CoverageItem, Element, Group
from vivavoce.reporters.coverage.console import agent_lines, coverage_lines
from vivavoce.reporters.coverage.documents import write_json, write_markdown
from vivavoce.reporters.coverage.page import write_html
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.terminal_text import columns

LONG = "tests/a_folder/with_a_long_name/conversations_of_customers.jsonl::free-conversation › asks-confirmation"


def item(group: Group, name: str, aspect: str, times: int = 0, by: str | None = None) -> CoverageItem:
    example = "a.yaml::T1" if times else None
    return CoverageItem(element=Element(group, name, aspect), conversations=times, example=example, checked_by=by)


COVERAGE = Coverage(
    items=(
        item(Group.TOOL, "refund", "called", 2, "a.yaml::T1"),
        item(Group.TOOL, "refund", "returned", 2),
        item(Group.TOOL, "refund", "failed"),
        item(Group.PARAMETER, "refund.why", "given", 1),
        *(item(Group.PARAMETER, "refund.why", f"= a reason number {at}") for at in range(9)),
        item(Group.CHECKPOINT, LONG, "reached", 1, "a.yaml::T1"),
        item(Group.PAIR, "<find> → refund", "seen", 1),
    ),
    cases=1,
    conversations=2,
    notes=("the agent does not list its tools",),
)


def test_the_console_has_tables_that_fit_into_80_columns():
    lines = list(coverage_lines(COVERAGE, Look(width=10_000)))
    assert max(map(columns, lines)) <= 80
    assert lines[:3] == [
        "Tools  2 of 3 exercised, 1 checked",
        "          called      returned    failed",
        "  refund  checked     unchecked   never",
    ]
    assert "a reason number 8 never" in " ".join(line.strip() for line in lines)
    assert "note: the agent does not list its tools" in lines
    assert lines[-1] == "exercised: 28.6 % (4 of 14)   checked: 14.3 % (2 of 14)"


def test_many_rows_are_cut_in_the_console_only():
    many = Coverage(items=tuple(item(Group.PAIR, f"a → {at}", "seen", 1) for at in range(60)), cases=1, conversations=1)
    assert any("20 more" in line for line in coverage_lines(many, Look(width=80)))
    page = io.StringIO()
    write_html(many, page)
    assert "a → 59" in page.getvalue()


def test_coding_agents_get_the_gaps_only():
    lines = list(agent_lines(COVERAGE))
    assert lines[0] == "never: tool refund failed"
    assert "unchecked: tool refund returned (happens in a.yaml::T1)" in lines
    assert not any("refund called" in line or "find" in line for line in lines)
    assert lines[-1].startswith("exercised: 28.6 %")


def test_markdown_and_page_show_names_as_they_are():
    text, page = io.StringIO(), io.StringIO()
    write_markdown(COVERAGE, text)
    write_html(COVERAGE, page)
    assert "| refund | checked | unchecked | never |" in text.getvalue()
    assert r"\<find\> → refund" in text.getvalue() or r"\<find" in text.getvalue()
    assert "&lt;find&gt; → refund" in page.getvalue()
    assert "<script" not in page.getvalue()


def test_json_has_every_item():
    out = io.StringIO()
    write_json(COVERAGE, out)
    data = json.loads(out.getvalue())
    assert data["exercised"] == {"count": 4, "of": 14, "percent": 28.57}
    assert data["items"][0] == {
        "group": "tool",
        "name": "refund",
        "aspect": "called",
        "state": "checked",
        "conversations": 2,
        "example": "a.yaml::T1",
        "checked_by": "a.yaml::T1",
    }
