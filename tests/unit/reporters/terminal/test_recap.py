"""The closing list of failures: one block for each reason, and how to run them again."""

from typing import Any

from msgspec import structs
from tests.fakes.result_builders import attempt, case, result
from tests.fakes.results import run_info

from vivavoce.model.result import CaseResult, Status
from vivavoce.reporters.terminal.recap import MOST_BLOCKS, Recap
from vivavoce.reporters.terminal.style import Look

INFO = structs.replace(run_info(3), command="viva test -i tests")


def failure(name: str, why: str, at: str = "a.jsonl:1") -> CaseResult:
    return result(case(name, "hi", at=at), attempt(status=Status.ERROR, error=why))


def recap(*results: CaseResult, again: str | None = None, width: int = 80, **more: Any) -> list[str]:
    made = Recap()
    for one in results:
        made.add(one, "✗", INFO)
    return made.lines(Look(width=width), again, **more)


def test_nothing_is_said_when_nothing_failed():
    assert recap(again="viva test --lf") == []


def test_a_failure_alone_has_its_place_its_reason_and_its_command():
    shown = recap(failure("T1", "boom"), again="viva test --lf")
    assert "  Failures (1)" in shown
    at = shown.index('✗ a.jsonl:1 [T1] "hi"')
    assert shown[at + 1] == "  boom"
    assert "a.jsonl::T1" in shown[at + 2]
    assert shown[-1] == "Run it again: viva test --lf"


def test_cases_that_failed_alike_are_one_block_by_file():
    shown = recap(
        failure("T1", "boom"), failure("T2", "boom"), failure("T3", "boom", at="b.jsonl:4"), failure("T4", "other")
    )
    at = shown.index("✗ 3 cases: boom")
    assert shown[at + 1 : at + 3] == ["  a.jsonl: T1, T2", "  b.jsonl: T3"]
    assert shown[at + 3].startswith("  the first: ")
    assert any("[T4]" in line for line in shown)


def test_many_reasons_are_cut_and_the_rest_counted():
    shown = recap(*(failure(f"T{n}", f"reason {n}") for n in range(MOST_BLOCKS + 7)), again="viva test --lf")
    assert f"  Failures ({MOST_BLOCKS + 7})" in shown
    assert "  … and 7 more" in shown
    assert shown[-1].startswith("Run all of them again: ")


def test_many_cases_of_one_reason_are_cut_and_the_rest_counted():
    shown = recap(*(failure(f"T{n}", "boom") for n in range(205)))
    assert "  … and 5 more" in shown
    assert not any("T204" in line for line in shown)


def test_a_title_may_be_another():
    assert "  In quarantine (1)" in recap(failure("T1", "boom"), title="In quarantine")


def test_an_id_or_a_command_cannot_move_the_cursor():
    shown = "\n".join(
        recap(failure("T\x1b[2J1", "bo\x1b[2Jom"), failure("T\x1b[2J2", "bo\x1b[2Jom"), again="viva \x1b[2J")
    )
    assert "\x1b" not in shown
