"""Coverage as tables: which there are, their columns, rows and totals."""

from tests.unit.reporters.coverage.sample import COVERAGE, item

from vivavoce.model.coverage import Coverage, Group
from vivavoce.reporters.coverage.sections import Section, cell_words, sections, total_words


def tables(*items: object) -> dict[str, Section]:
    return {section.title: section for section in sections(Coverage(items=items, cases=1, conversations=1))}


def test_only_groups_that_have_something_in_them_are_shown():
    assert [section.title for section in sections(COVERAGE)] == ["Tools", "Parameters", "Checkpoints", "Tool pairs"]
    assert tables() == {}


def test_a_row_has_a_cell_for_each_column_empty_where_nothing_belongs():
    tools = tables(item(Group.TOOL, "pay", "called", 1), item(Group.TOOL, "ship", "failed"))["Tools"]
    assert tools.columns == ("called", "returned", "failed")
    assert [(row.name, [len(cell) for cell in row.cells]) for row in tools.rows] == [
        ("pay", [1, 0, 0]),
        ("ship", [0, 0, 1]),
    ]


def test_values_of_a_parameter_stand_together_and_without_any_the_column_is_left_out():
    given = item(Group.PARAMETER, "pay.how", "given", 1)
    assert tables(given)["Parameters"].columns == ("given",)
    both = tables(given, item(Group.PARAMETER, "pay.how", "= cash"), item(Group.PARAMETER, "pay.how", "= card", 1))
    [row] = both["Parameters"].rows
    assert [[cell_words(one) for one in cell] for cell in row.cells] == [
        ["unchecked"],
        ["cash never", "card unchecked"],
    ]


def test_what_was_only_seen_is_no_part_of_the_totals():
    shown = {section.title: section.totals for section in sections(COVERAGE)}
    assert shown["Tools"] == "2 of 3 exercised, 1 checked"
    assert shown["Tool pairs"] == "seen; not part of the totals"


def test_the_totals_in_words():
    assert total_words(COVERAGE) == "exercised: 28.6 % (4 of 14)   checked: 14.3 % (2 of 14)"


def test_nothing_to_cover_is_no_hundred_percent():
    empty = Coverage(items=(), cases=1, conversations=1)
    assert total_words(empty) == "exercised: nothing (0 of 0)   checked: nothing (0 of 0)"
