"""The mutation score: what counts and what does not."""

from vivavoce.insight.mutants.score import CaseScore, Counts, MutationReport, summed
from vivavoce.model.mutant_kinds import MutantKind

CUT, SLOW = MutantKind.REPLY_CUT, MutantKind.TURN_SLOWER


def scored(**kinds: Counts) -> CaseScore:
    return CaseScore(key="a::T", id="T", file="a", run=1, kinds={MutantKind[name]: one for name, one in kinds.items()})


def test_allowed_and_unlimited_mutants_do_not_count():
    counts = Counts(noticed=3, survived=1, allowed=5, unlimited=7)
    assert counts.counted == 4
    assert counts.percent == 75.0


def test_where_nothing_counts_there_is_no_score():
    assert Counts(allowed=2, unlimited=1).percent is None


def test_all_four_numbers_are_summed():
    assert summed([Counts(1, 2, 3, 4), Counts(10, 20, 30, 40)]) == Counts(11, 22, 33, 44)
    assert summed([]) == Counts()


def test_kinds_come_in_the_order_of_their_declaration_and_empty_ones_are_left_out():
    report = MutationReport(
        cases=(scored(TURN_SLOWER=Counts(unlimited=1), REPLY_EMPTIED=Counts()), scored(REPLY_CUT=Counts(1, 1)))
    )
    assert set(report.kinds) == {CUT, SLOW}
    assert list(report.kinds) == [kind for kind in MutantKind if kind in (CUT, SLOW)]
    assert report.counts == Counts(1, 1, 0, 1)
