"""A run for coding agents: short blocks, nothing but plain text, the verdict last."""

import io
from collections.abc import Iterable

from msgspec import structs
from tests.fakes import results

from vivavoce.model.events import Event
from vivavoce.model.result import CaseResult
from vivavoce.reporters.agent_format import AgentFormatReporter, block_lines, case_in_full, write_agent_format


def told(events: Iterable[Event], *, again: str | None = None, left_out: str = "", files: tuple[str, ...] = ()) -> str:
    out = io.StringIO()
    reporter = AgentFormatReporter(out, again=again, left_out=left_out)
    for event in events:
        reporter.handle(event)
    for path in files:
        reporter.note_output(path)
    reporter.close()
    return out.getvalue()


def numbered(result: CaseResult, count: int) -> list[CaseResult]:
    return [structs.replace(result, case=structs.replace(result.case, id=f"p{n}")) for n in range(count)]


def test_a_failure_says_what_where_expected_actual_and_how_to_run_it_again():
    lines = block_lines(results.wrong_argument(), None)
    assert lines == [
        "FAILED tests/pay.jsonl:12 [pay-1] Charges the card once",
        '  check: require "charge_card" {args_match: {amount: "^250$"}}',
        '  amount: expected "/^250$/", actual 300',
        '  nearest call: charge_card({amount: 300, card: "visa"}) → "ok"',
        "  why: charge_card with amount /^250$/ called 0 times, wanted at least 1; nearest: amount was 300",
        '  check: contains "receipt"',
        '  expected: "receipt"',
        '  actual: "I charged your card."',
        "  why: output does not contain 'receipt'",
        '  check: $.status = "paid"',
        '  expected: "paid"',
        '  actual: "open"',
        '  why: $.status is "open"',
        '  user: "Pay the invoice"',
        '  tool: charge_card({amount: 300, card: "visa"}) → ok',
        "  again: viva test -i tests/pay.jsonl::pay-1 --format agent",
    ]


def test_cases_that_passed_are_only_counted():
    text = told(results.events_of([results.plain("a"), results.conversation()]))
    assert text.splitlines() == ["PASS: 2 of 2 passed, in 8.3s"]


def test_the_verdict_is_the_last_line_and_the_files_stand_before_it():
    text = told(
        results.events_of([results.plain("a"), results.wrong_argument()]), files=("out.jsonl",), left_out="3 left out"
    )
    assert text.splitlines()[-2:] == ["results: out.jsonl", "FAIL: 1 of 2 passed, 1 failed, in 2s; 3 left out"]


def test_the_same_failure_is_explained_once():
    text = told(results.events_of(numbered(results.wrong_argument(), 3)), again="viva test --lf")
    assert text.count("check: ") == 3
    assert "FAILED tests/pay.jsonl:12 [p2] Charges the card once: same as p0" in text
    assert "all failed again: viva test --lf --format agent" in text


def test_a_command_that_asks_for_this_format_is_not_asked_twice():
    text = told(results.events_of(numbered(results.wrong_argument(), 2)), again="viva test tests --format agent --lf")
    assert "all failed again: viva test tests --format agent --lf\n" in text


def test_there_is_an_end_to_the_blocks():
    wrong = results.wrong_argument()
    many = [
        structs.replace(one, attempts=(structs.replace(wrong.attempts[0], error=f"reason {n}"),))
        for n, one in enumerate(numbered(wrong, 25))
    ]
    text = told(results.events_of(many))
    assert text.count("  again: ") == 20
    assert "… and 5 more failures not shown here" in text


def test_hostile_text_cannot_break_out_of_its_line():
    text = "\n".join(block_lines(results.hostile(), None))
    assert "\x1b" not in text
    assert all(line.startswith("  ") for line in text.splitlines()[1:])


def test_an_error_tells_its_fault():
    lines = block_lines(results.timed_out(), None)
    assert lines[0].startswith("TIMEOUT ")
    assert any(line.startswith("  why: ") for line in lines)


def test_a_case_in_full_holds_the_whole_conversation():
    text = "\n".join(case_in_full(results.conversation(), None))
    assert text.startswith("PASSED tests/expense-flow.jsonl:1 [T001] Expense Reimbursement Flow")
    for said in ("I want to submit an expense", "create_expense(", "Expense submitted. Reference: EXP-2025-001"):
        assert said in text


def test_a_finished_run_is_written_in_the_same_form():
    out = io.StringIO()
    write_agent_format(results.report_of([results.plain("a"), results.wrong_argument()]), out)
    assert out.getvalue().startswith("FAILED tests/pay.jsonl:12")
    assert out.getvalue().splitlines()[-1].startswith("FAIL: 1 of 2 passed")


def test_with_a_baseline_the_comparison_decides_the_verdict():
    out = io.StringIO()
    reporter = AgentFormatReporter(out)
    for event in results.events_of([results.plain("a"), results.wrong_argument()]):
        reporter.handle(event)
    reporter.note_baseline(("no regression: 2 cases compared",), 0)
    reporter.close()
    assert out.getvalue().splitlines()[-2:] == [
        "baseline: no regression: 2 cases compared",
        "PASS: 1 of 2 passed, 1 failed, in 2s; compared with the baseline",
    ]
