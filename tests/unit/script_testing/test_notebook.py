"""What a test notes while it runs: its checks with their lines, its log, why it was skipped."""

import inspect

from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.script_testing.notebook import Notebook, Stopped, line_of_the_test


def test_a_check_has_its_outcome_its_reason_and_the_line_of_the_users_code():
    notes = Notebook("test_it")
    here = inspect.currentframe()
    assert here is not None
    line = here.f_lineno + 1
    assert (notes.check("equal", True, "unused"), notes.check("equal", False, "1 is not 2")) == (True, False)
    first, second = notes.record().checks
    assert (first.outcome, first.reason, first.line) == (Outcome.PASSED, "", line)
    assert (second.outcome, second.reason, second.line) == (Outcome.FAILED, "1 is not 2", line)


def test_a_message_stands_before_what_was_seen_and_alone_when_it_holds():
    notes = Notebook("test_it")
    notes.check("equal", True, "unused", "the sum")
    notes.check("equal", False, "1 is not 2", "the sum")
    assert [check.reason for check in notes.record().checks] == ["the sum", "the sum: 1 is not 2"]


def test_a_check_that_could_not_be_made_is_no_pass_and_the_tests_fault():
    notes = Notebook("test_it")
    assert notes.broken("json", "no such path") is False
    [check] = notes.record().checks
    assert (check.outcome, check.fault) == (Outcome.BROKEN, "test")


def test_an_ordinary_assertion_keeps_its_details_and_blames_only_when_it_broke():
    notes = Notebook("test_it")
    assert not notes.verdict(
        "Agent", Verdict(outcome=Outcome.FAILED, reason="no", details={"score": 1}), "", 7, "judge"
    )
    assert not notes.verdict("Agent", Verdict(outcome=Outcome.BROKEN, reason="gone"), "polite", 8, "judge")
    failed, broken = notes.record().checks
    assert (failed.fault, failed.details, failed.line) == (None, {"score": 1}, 7)
    assert (broken.fault, broken.reason) == ("judge", "polite: gone")


def test_the_record_has_everything_whatever_the_test_did_next():
    notes = Notebook("test_it")
    notes.log("one\x1b[2J")
    notes.skip("not here")
    notes.failure("Fatal", "no way on", 3)
    record = notes.record("ValueError: boom\x1b[2J", "test")
    assert (record.test, record.skipped, record.fault) == ("test_it", "not here", "test")
    assert "\x1b" not in f"{record.logs}{record.error}"
    assert [check.check for check in record.checks] == ["Fatal"]


def test_no_except_exception_swallows_the_end():
    assert not issubclass(Stopped, Exception)


def test_the_line_is_that_of_the_nearest_frame_that_is_not_ours():
    here = inspect.currentframe()
    assert here is not None
    assert line_of_the_test() == here.f_lineno
