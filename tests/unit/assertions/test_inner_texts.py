from vivavoce.assertions.inner_texts import inner_texts


def test_the_texts_inside_data_come_as_they_are():
    assert list(inner_texts({"a": ['say "x"', 5, {"b": "line\nbreak"}], "c": None})) == ['say "x"', "line\nbreak"]


def test_a_text_that_is_json_is_looked_into():
    assert list(inner_texts('```json\n{"a": "say \\"x\\""}\n```')) == ['say "x"']


def test_other_texts_have_nothing_inside():
    assert list(inner_texts('I say {"a": "b"}')) == []
    assert list(inner_texts(None)) == []
