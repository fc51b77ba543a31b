"""Annotations and the step's page in GitHub Actions."""

import io
from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes import results

from vivavoce.errors import VivaError
from vivavoce.model.case import Origin
from vivavoce.reporters.github import (
    AgainstBaseline,
    annotation,
    append_step_summary,
    step_summary,
    write_annotations,
)


def test_an_annotation_names_file_line_and_reason():
    assert annotation(results.timed_out(), {}) == (
        "::error file=tests/expense.jsonl,line=11,title=[slow] Answers at all timeout::timeout after 30s"
    )


def test_an_annotation_cannot_be_broken_by_what_it_says():
    evil = results.hostile()
    attempt = structs.replace(evil.attempts[0], error="100%\n::error::fake ##[error]x")
    case = structs.replace(evil.case, id="a,b:c%##[add-mask]y", name=None, origin=Origin("a,b.jsonl", 3))
    said = annotation(structs.replace(evil, case=case, attempts=(attempt,)), {})
    assert said.startswith("::error file=a%2Cb.jsonl,line=3,title=[a%2Cb%3Ac%25## [add-mask]y] ")
    assert said.endswith(" failed::100%25%0A::error::fake ## [error]x")
    assert "\n" not in said


def test_paths_start_at_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert "file=sub/tests/pay.jsonl," in annotation(results.wrong_argument(), {"GITHUB_WORKSPACE": str(tmp_path)})


def test_more_failures_than_github_shows_end_in_a_notice():
    out = io.StringIO()
    write_annotations(results.report_of([results.plain(), *[results.wrong_argument()] * 12]), out, {})
    lines = out.getvalue().splitlines()
    assert len(lines) == 11
    assert lines[-1] == "::notice title=viva::2 more failures are in the step summary"


def test_the_step_summary_is_appended(tmp_path: Path):
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    append_step_summary(results.report_of(results.every_kind()), {"GITHUB_STEP_SUMMARY": str(page)})
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n## ❌ viva: assistants.expense\n")
    assert "<summary>❌ [pay-1] Charges the card once tests/pay.jsonl:12</summary>" in text
    assert "expense-turn1" not in text, "what passed is in the numbers only"
    assert "<script>" not in text.replace("<script>alert(1)</script> | `x` ```", "")


def test_without_a_page_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for env in ({}, {"GITHUB_STEP_SUMMARY": ""}):
        append_step_summary(results.report_of([results.plain()]), env)
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path):
    with pytest.raises(VivaError, match="step summary"):
        append_step_summary(results.report_of([]), {"GITHUB_STEP_SUMMARY": str(tmp_path / "no" / "page.md")})


def test_the_step_summary_stays_below_githubs_limit():
    huge = results.wrong_argument()
    turn = huge.attempts[0].transcript.turns[0]
    turn = structs.replace(turn, reply=structs.replace(turn.reply, text="é" * 1_000_000))
    transcript = structs.replace(huge.attempts[0].transcript, turns=(turn,))
    huge = structs.replace(huge, attempts=(structs.replace(huge.attempts[0], transcript=transcript),))
    text = step_summary(results.report_of([huge] * 100))
    assert len(text.encode()) < 1024 * 1024
    assert "more failures." in text


def test_the_step_summary_says_once_where_a_case_stands():
    assert step_summary(results.report_of([results.wrong_argument()])).count("tests/pay.jsonl:12") == 1


def test_with_a_baseline_only_what_changed_is_shown():
    report = results.report_of(results.every_kind())
    red = [one for one in report.results() if one.is_red]
    against = AgainstBaseline(frozenset([red[0].case.key]), ("no regression: 3 cases compared",), is_red=False)
    out = io.StringIO()
    write_annotations(report, out, {}, against)
    assert len(red) > 1
    assert out.getvalue().count("::error") == 1
    page = step_summary(report, against)
    assert page.count("<details>") == 1
    assert "- no regression: 3 cases compared" in page
    assert page.startswith("## ✅")
    assert f"- {len(red) - 1} cases do not pass, but no worse than in the baseline: not shown here" in page
