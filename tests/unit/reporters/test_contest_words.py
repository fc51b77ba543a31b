"""A comparison in words: what is real, what is not, and what could not have been seen."""

from tests.unit.results.contest.test_contest import attempt, collected, duel, result

from vivavoce.model.result import Status
from vivavoce.reporters.contest_words import cell_text, difference_texts, standing_table, unsuccessful_line


def test_real_differences_come_first_and_name_who_is_ahead():
    texts = difference_texts(collected(duel(12, 12)))
    assert texts[0] == ("a passes more than b: ahead in 12 cases, behind in 0 (p = 0.002)", True)
    assert [text.split(" (")[0] for text, real in texts if real][1].startswith("b is 2")
    assert texts[-1] == ("a and b: no real difference in tokens and cost", False)


def test_what_could_not_have_been_seen_is_said_when_passing_shows_nothing():
    texts = [text for text, _ in difference_texts(collected(duel(4, 0)))]
    assert texts[-1] == (
        "With 1 run each, one agent must be ahead in at least 8 cases to be called better for real; "
        "with --runs 3, in at least 2"
    )


def test_columns_without_figures_are_left_out():
    heads, rows = standing_table(collected([result("a", 1, attempt(Status.PASSED))]))
    assert heads == ["Agent", "Passed", "Rate", "95 % CI", "p50", "p95"]
    assert rows[1][:3] == ["b", "0/0", "–"]


def test_who_did_not_pass_is_named():
    assert unsuccessful_line(collected(duel(3, 1))) == "b did not pass 1 of 3 cases"
    assert unsuccessful_line(collected(duel(3, 0))) == ""


def test_cells_tell_status_and_runs():
    [row] = collected([result("a", 1, attempt(Status.PASSED), attempt(Status.FAILED, run=2))]).rows()
    assert [cell_text(cell) for cell in row.cells] == ["✗ 1/2", "–"]
