from msgspec import structs
from tests.fakes.results import failed_turn, flaky, plain, skipped

from vivavoce.model.result import CaseResult
from vivavoce.results.row_head import SHOWN_CHARS, head_in
from vivavoce.results.rows import row_line


def head_of(result: CaseResult):
    return head_in(row_line(result))


def test_a_head_says_what_the_list_shows():
    assert head_of(failed_turn()) == {
        "id": "cancel",
        "name": "Cancels, never deletes",
        "status": "failed",
        "duration_ms": 4100.0,
        "turns": 2,
        "fault": "agent",
        "error": failed_turn().decisive.error,
        "tools": ["shop__delete_order"],
        "file": "tests/orders.yaml",
        "line": 4,
    }


def test_a_case_without_a_name_is_known_by_what_it_says():
    assert head_of(plain())["name"] == '"I want to submit an expense"'
    assert head_of(plain(name="An expense"))["name"] == "An expense"


def test_a_case_that_ran_often_shows_its_runs_and_an_average():
    head = head_of(flaky())
    assert head["runs"].count("failed") == 2
    assert (head["pass_rate"], head["stability_class"], head["duration_ms"]) == (80.0, "mostly_stable", 255.0)


def test_a_skipped_case_shows_its_reason_and_no_time():
    head = head_of(skipped())
    assert (head["error"], head["duration_ms"], head["turns"]) == ("approvals come in May", 0.0, 0)


def test_a_head_stays_small_whatever_the_agent_said():
    result = plain(name="n" * 5_000_000)
    (attempt,) = result.attempts
    loud = structs.replace(result, attempts=(structs.replace(attempt, error="e" * 5_000_000),))
    head = head_of(loud)
    assert len(head["name"]) == len(head["error"]) == SHOWN_CHARS + 1
