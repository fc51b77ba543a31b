"""A comparison of agents at the end of a run: as wide as the terminal is, and no wider."""

import pytest
from tests.unit.results.contest.test_contest import collected, duel

from vivavoce.reporters.terminal.contest import MOST_ROWS, contest_lines
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.terminal_text import columns


def shown(cases: int, ahead: int, width: int = 100) -> list[str]:
    return contest_lines(collected(duel(cases, ahead)), Look(width=width))


def test_it_has_the_standings_the_differences_and_the_cases_that_differ():
    lines = shown(12, 12)
    assert "  Comparison (12 cases × 2 agents)" in lines
    assert any(line.split()[:3] == ["Agent", "Passed", "Rate"] for line in lines)
    assert any(line.startswith("  • a passes more than b") for line in lines)
    assert "  Cases that came out differently (12)" in lines
    assert any("b did not pass 12 of 12 cases" in line for line in lines)


def test_cases_that_came_out_alike_are_counted_not_drawn():
    lines = shown(3, 0)
    assert "  Cases that came out differently (0)" in lines
    assert not any(line.lstrip().startswith("Case ") for line in lines)
    assert not any("did not pass" in line for line in lines)


def test_many_rows_are_cut_and_the_line_says_where_they_all_are():
    lines = shown(MOST_ROWS + 5, MOST_ROWS + 5)
    assert "  … and 5 more (-o FILE.html shows all of them)" in lines


def test_where_columns_do_not_fit_an_agent_is_a_block_of_its_own():
    narrow = shown(12, 12, width=50)
    assert not any(line.split()[:3] == ["Agent", "Passed", "Rate"] for line in narrow)
    assert any(line.startswith("    Passed:") for line in narrow)


@pytest.mark.parametrize("width", [50, 80, 120])
def test_nothing_is_wider_than_the_terminal(width: int):
    assert max(map(columns, shown(12, 6, width=width))) <= width


def test_colour_marks_what_is_real_only():
    plain = contest_lines(collected(duel(12, 12)), Look(width=100))
    painted = contest_lines(collected(duel(12, 12)), Look(width=100, color=True))
    bold = [line for line in painted if "\x1b[1m" in line and "•" in line]
    assert (len(plain), len(bold) >= 1) == (len(painted), True)
