"""One finished case on the console: its title, its details, what stands behind a failure."""

import re
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.result_builders import attempt, call, case, failed, passed, result, spec, turn

from vivavoce.engine.stability import stability_of
from vivavoce.model.result import CaseResult, Quarantine, Status
from vivavoce.reporters.terminal.case_block import case_lines, is_conversation
from vivavoce.reporters.terminal.style import Look

GREETS, PAYS = spec("contains", value="hello"), spec("contains", value="paid")


def lines(one: CaseResult, *, compact: bool = False, width: int = 80, **look: Any) -> list[str]:
    return case_lines(one, Look(width=width, **look), compact=compact)


def simple(status: Status = Status.PASSED, *verdicts: Any, answer: str = "hello", **fields: Any) -> CaseResult:
    one = attempt(turn(1, "hi", answer, verdicts=verdicts), status=status, **fields)
    return result(case("T1", "hi"), one)


def test_a_case_that_passed_is_its_title_and_its_counts():
    title, counts = lines(simple(Status.PASSED, passed(GREETS)))
    assert title == '✓ [T1] "hi" (1s)'
    assert counts == "  Messages: 1, Assertions: 1/1 passed"


def test_in_a_long_suite_only_what_did_not_pass_has_details():
    assert lines(simple(), compact=True) == ['✓ [T1] "hi" (1s)']
    assert len(lines(simple(Status.FAILED, failed(PAYS, "not paid")), compact=True)) > 1
    assert len(lines(simple(), compact=True, verbose=True)) > 1


def test_what_the_agent_printed_is_shown_with_every_message():
    said = turn(1, "hi", "hello", verdicts=(passed(GREETS),))
    said = structs.replace(said, reply=structs.replace(said.reply, logs="debug: step 1\nstep 2\n"))
    printed = result(case("T1", "hi"), attempt(said, status=Status.PASSED))
    assert not any("step" in line for line in lines(printed))
    shown = lines(printed, verbose=True)
    assert shown[shown.index("  Log:   debug: step 1") + 1] == "         step 2"
    talk = result(case("T1", "hi", "more"), attempt(said, turn(2, "more", "yes"), status=Status.PASSED))
    assert any(line.endswith("Log:   debug: step 1") for line in lines(talk, verbose=True))


@pytest.mark.parametrize(
    ("status", "fields", "ends"),
    [
        (Status.TIMEOUT, {}, " (1s) — timeout"),
        (Status.ERROR, {"fault": "judge"}, " (1s) — error (judge)"),
        (Status.SKIPPED, {"error": "later"}, " — skipped"),
        (Status.PASSED, {"replayed": True}, " (1s, replayed)"),
    ],
)
def test_the_title_says_how_it_ended_when_it_did_not_simply_pass_or_fail(
    status: Status, fields: dict[str, Any], ends: str
):
    assert lines(simple(status, **fields))[0].endswith(ends)


def test_a_skipped_case_says_why():
    assert lines(simple(Status.SKIPPED, error="later"))[1:] == ["  Reason: later"]


def test_a_failure_shows_where_it_is_what_was_wanted_and_what_the_agent_did():
    one = attempt(
        turn(1, "hi", "no", calls=(call("pay", {"amount": 5}, error="refused"),), verdicts=(failed(PAYS, "not paid"),)),
        status=Status.FAILED,
    )
    text = "\n".join(lines(result(case("T1", "hi", at="a.jsonl:7"), one)))
    for piece in ("a.jsonl:7", "not paid", "Tools: pay(", "→ ", "refused", 'Agent: "no"'):
        assert piece in text


def test_a_reply_that_a_check_quotes_is_not_shown_twice():
    verdict = failed(PAYS, "output does not contain 'paid': 'no'", actual="no")
    assert not any("Agent:" in line for line in lines(simple(Status.FAILED, verdict, answer="no")))


def test_at_most_ten_calls_are_listed_and_the_rest_counted():
    calls = tuple(call("pay", {"n": n}) for n in range(14))
    one = attempt(turn(1, "hi", "no", calls=calls, verdicts=(failed(PAYS, "not paid"),)), status=Status.FAILED)
    text = "\n".join(lines(result(case("T1", "hi"), one)))
    assert (text.count("pay("), "… and 4 more" in text) == (10, True)


def test_several_runs_are_drawn_with_what_was_needed():
    tried = [attempt(turn(1, "hi", "x"), status=s, run=n) for n, s in enumerate([Status.PASSED, Status.FAILED] * 25, 1)]
    stability = stability_of(tried)
    text = "\n".join(lines(result(case("T1", "hi", min_pass=40), *tried, status=Status.FAILED, stability=stability)))
    assert f"25/50 {'✓✗' * 20}… " in text
    assert ", 40 needed" in text
    assert "(run " in text


def test_warnings_and_new_tries_are_told():
    shown = lines(simple(warnings=("slow",), retries=("turn 1: 503, waited 1s",)))
    assert shown[-2:] == ["  warning: slow", "  tried again: turn 1: 503, waited 1s"]


def test_a_case_in_quarantine_says_so():
    one = result(
        case("T1", "hi"),
        attempt(turn(1, "hi", "x"), status=Status.FAILED),
        quarantine=Quarantine(why="known", until="2099-01-01"),
    )
    assert lines(one)[1].startswith("  ! ")
    assert "known" in lines(one)[1]


def test_turns_make_a_tree():
    two = attempt(turn(1, "hi", "x"), turn(2, "ho", "y"))
    assert is_conversation(case("T1", "hi", "ho"), two)
    assert not is_conversation(case("T1", "hi"), attempt(turn(1, "hi", "x")))
    assert any("├─ Turn 2" in line for line in lines(result(case("T1", "hi", "ho"), two)))


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_title_fits_the_terminal(width: int):
    one = result(case("T1", "x" * 500), attempt(turn(1, "x" * 500, "y")))
    assert len(lines(one, width=width)[0]) <= width


def test_colour_adds_nothing_but_colour():
    one = simple(Status.FAILED, failed(PAYS, "not paid"))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(lines(one, color=True)))
    assert plain == "\n".join(lines(one))
