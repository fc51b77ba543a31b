"""The run in a few lines."""

import io

from msgspec import structs
from tests.fakes import results

from vivavoce.reporters.brief import brief_line, write_brief


def test_the_first_line_counts_what_there_was():
    listed = [results.plain("a"), results.plain("b"), results.timed_out(), results.skipped()]
    assert brief_line(results.summary_of(listed)) == "2 of 4 passed, 1 timed out, 1 skipped, in 32.4s"


def test_a_run_of_skips_does_not_look_green():
    assert "everything was skipped, nothing was tested" in brief_line(results.summary_of([results.skipped()]))


def test_failures_are_listed_but_never_without_end():
    wrong = results.wrong_argument()
    listed = [structs.replace(wrong, case=structs.replace(wrong.case, id=f"p{n}")) for n in range(25)]
    out = io.StringIO()
    write_brief(results.report_of(listed), out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 22
    assert lines[1].startswith("- tests/pay.jsonl:12 [p0] Charges the card once: charge_card")
    assert lines[-1] == "- … and 5 more"


def test_warnings_come_first():
    out = io.StringIO()
    report = results.report_of([results.plain("a")])
    warned = structs.replace(report, summary=structs.replace(report.summary, warnings=("mind the gap",)))
    write_brief(warned, out)
    assert out.getvalue().splitlines()[1] == "! mind the gap"
