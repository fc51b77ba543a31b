"""The console's first lines, and what it says of a baseline."""

from msgspec import structs
from tests.fakes.results import plain, report_of

from vivavoce.model.result import Summary
from vivavoce.reporters.terminal.style import Look
from vivavoce.reporters.terminal.summary import baseline_lines, opening_lines, summary_lines

NARROW = Look(width=60, color=False, verbose=False)


def test_the_head_tells_the_run_from_others_only_where_something_is_known():
    info = report_of([plain("a")]).info
    assert not any("About" in line for line in opening_lines(info, NARROW))
    known = structs.replace(info, title="nightly", revision="3f2a90c1b7de", branch="main", dirty=True)
    assert "ℹ About: nightly · 3f2a90c* on main" in opening_lines(known, NARROW)


def test_a_comparison_with_a_baseline_is_wrapped_below_its_heading():
    lines = baseline_lines(["✗ worse: T1", "word " * 30], NARROW)
    assert lines[2:5] == ["  Compared with the baseline", "─" * 60, "  ✗ worse: T1"]
    assert max(map(len, lines)) <= 60
    assert lines[6].startswith("    word")
    assert baseline_lines([], NARROW) == []


def test_a_repeated_case_is_as_many_conversations():
    summary = Summary(total=3, passed=3, total_turns=20, total_runs=15, passed_runs=15, stable_cases=3)
    assert any("Avg turns/test: 1.3" in line for line in summary_lines(summary, NARROW, conversations=True))
