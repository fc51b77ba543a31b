"""Coverage in the console, and the gaps alone for coding agents."""

from tests.unit.reporters.coverage.sample import COVERAGE, item

from vivavoce.model.coverage import Coverage, Group
from vivavoce.reporters.coverage.console import agent_lines, coverage_lines
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.terminal_text import columns


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


def test_a_narrow_terminal_has_a_line_for_each_cell():
    lines = list(coverage_lines(COVERAGE, Look(width=40)))
    assert max(map(columns, lines)) <= 40
    assert lines[:5] == [
        "Tools  2 of 3 exercised, 1 checked",
        "  refund",
        "    called      checked",
        "    returned    unchecked",
        "    failed      never",
    ]
    assert "no check would notice if it did not" in " ".join(lines)


def test_a_long_name_and_long_totals_fit_into_40_columns_too():
    named = item(Group.PAIR, "a_tool_with_a_very_long_name_indeed → another_tool", "seen", 1)
    many = Coverage(items=(named,) * 41, cases=1, conversations=1)
    assert max(map(columns, coverage_lines(many, Look(width=40)))) <= 40


def test_many_rows_are_cut_and_the_line_says_where_they_all_are():
    many = Coverage(items=tuple(item(Group.PAIR, f"a → {at}", "seen", 1) for at in range(60)), cases=1, conversations=1)
    assert "  … and 20 more: -o coverage.html has them all" in list(coverage_lines(many, Look(width=80)))


def test_coding_agents_get_the_gaps_only():
    lines = list(agent_lines(COVERAGE))
    assert lines[0] == "never: tool refund failed"
    assert "unchecked: tool refund returned (happens in a.yaml::T1)" in lines
    assert not any("refund called" in line or "find" in line for line in lines)
    assert lines[-1].startswith("exercised: 28.6 %")
