"""A changed line as edits."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.insight.fuzzing.edits import edits_between


@given(st.text(), st.text())
def test_all_edits_give_the_new_line_and_none_the_old_one(before, after):
    edits = edits_between(before, after)
    assert edits.only(edits.numbers) == after
    assert edits.only([]) == before


def test_one_of_several_edits():
    edits = edits_between("the mug is red", "the MUG is RED")
    assert edits.only(edits.numbers[:1]) == "the Mug is red"
    longer = edits_between("the mug is red", "the big mug, is red")
    assert longer.only(longer.numbers[:1]) == "the big mug is red"
