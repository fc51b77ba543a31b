"""A mutation score in words."""

import pytest
from msgspec import structs

from vivavoce.insight.mutants.score import CaseScore, Counts, LeftOut, MutationReport, Survivor
from vivavoce.insight.mutants.words import agent_lines, by_suggestion, diff_lines, percent_words, report_lines
from vivavoce.model.mutant_kinds import MutantKind

CUT = Survivor(kind=MutantKind.REPLY_CUT, turn=1, element="reply", change="cut", before="a b", after="a")
KINDS = {MutantKind.REPLY_CUT: Counts(1, 1, 2), MutantKind.TURN_SLOWER: Counts(unlimited=1)}
SLOW = structs.replace(CUT, kind=MutantKind.TURN_SLOWER, change="slow")
CASE = CaseScore(key="a::T", id="T", file="a", run=2, kinds=KINDS, survivors=(CUT,), unlimited=(SLOW,))


@pytest.mark.parametrize(
    ("counts", "words"),
    [(Counts(), "–"), (Counts(3), "100 %"), (Counts(2, 1), "66.7 %"), (Counts(99_999, 1), "99.9 %")],
)
def test_percent(counts: Counts, words: str):
    assert percent_words(counts) == words


def test_the_terminal_tells_of_limits_and_a_coding_agent_of_work_only():
    report = MutationReport(cases=(CASE, structs.replace(CASE, key="a::fine", survivors=())))
    told, brief = "\n".join(report_lines(report)), "\n".join(agent_lines(report))
    assert "a::T (run 2): 50.0 %, 1 of 2 noticed" in told
    assert "  not counted, as no check limits it: turn-slower" in told
    assert "4 allowed" in told
    assert "no check limits it" not in brief
    assert "a::fine" not in brief


def test_many_cases_that_were_left_out_are_counted():
    report = MutationReport(cases=(), left_out=tuple(LeftOut(f"a::{n}", "it failed") for n in range(25)))
    told = list(report_lines(report))
    assert "25 cases left out of the score:" in told
    assert "  … and 5 more" in told


def test_survivors_of_one_check_stand_together_and_those_without_come_last():
    check = {"type": "contains", "value": "b"}
    with_check = structs.replace(CUT, suggestion=check)
    other_turn = structs.replace(with_check, turn=2)
    groups = by_suggestion([CUT, with_check, other_turn, with_check])
    assert [(found, len(members)) for found, members in groups] == [(check, 2), (check, 1), (None, 1)]


def test_a_long_text_is_shown_around_its_first_difference():
    before, after = "x" * 200 + "old", "x" * 200 + "new"
    minus, plus = diff_lines(structs.replace(CUT, before=before, after=after))
    assert minus == "- …" + "x" * 30 + "old"
    assert plus == "+ …" + "x" * 30 + "new"
    assert list(diff_lines(structs.replace(CUT, before="same", after="same"))) == []
    assert list(diff_lines(structs.replace(CUT, before="gone", after=""))) == ["- gone", "+ (nothing)"]
