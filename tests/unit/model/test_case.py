"""A case's own small rules: its key, its title, and options laid over options."""

from vivavoce.model.case import CallOptions, Case, Origin, ScriptedTurn


def test_an_origin_names_its_line_when_it_has_one():
    assert str(Origin("a.jsonl", 3)) == "a.jsonl:3"
    assert str(Origin("a.jsonl")) == "a.jsonl"


def test_the_key_tells_cases_with_one_id_in_two_files_apart():
    one, two = (Case(id="T1", origin=Origin(path, 1)) for path in ("a.jsonl", "b.jsonl"))
    assert (one.key, two.key) == ("a.jsonl::T1", "b.jsonl::T1")


def test_a_case_is_called_by_its_name_else_by_its_id():
    assert Case(id="T1", name="Pays").title == "Pays"
    assert Case(id="T1").title == "T1"


def test_the_first_input_is_that_of_the_first_turn():
    assert Case(id="T1").first_input == ""
    assert Case(id="T1", turns=(ScriptedTurn(content="a"), ScriptedTurn(content="b"))).first_input == "a"


def test_options_on_top_win_and_metadata_and_skip_merge():
    below = CallOptions(connector="a", mode="chat", skip={"history": True}, metadata={"x": 1, "y": 1})
    above = CallOptions(connector="b", skip={"trace": True}, metadata={"y": 2})
    both = below.overridden_by(above)
    assert (both.connector, both.mode) == ("b", "chat")
    assert both.skip == {"history": True, "trace": True}
    assert both.metadata == {"x": 1, "y": 2}
    assert below.overridden_by(None) is below


def test_a_search_that_is_false_is_set_and_one_that_is_missing_is_not():
    assert CallOptions(search=True).overridden_by(CallOptions(search=False)).search is False
    assert CallOptions(search=True).overridden_by(CallOptions()).search is True
