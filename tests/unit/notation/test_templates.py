import pytest

from vivavoce.notation.templates import TemplateProblem, check_template, fill, fill_value, names_used


def test_values_read_as_json_not_as_python():
    assert fill("{{ a }} {{ b }} {{ c }}", {"a": {"k": [1]}, "b": None, "c": True}) == '{"k":[1]} null true'


def test_an_unknown_name_is_an_error_or_stays_as_written():
    with pytest.raises(TemplateProblem, match="'who' is undefined"):
        fill("hi {{ who }}", {})
    assert fill("hi {{ who }}", {}, keep_unknown=True) == "hi {{ who }}"


def test_a_single_expression_keeps_its_type():
    values = {"n": 2, "l": [1]}
    assert fill_value({"a": "{{ n + 1 }}", "b": ["{{ l }}"], "c": "n={{ n }}", "d": 4}, values) == {
        "a": 3,
        "b": [[1]],
        "c": "n=2",
        "d": 4,
    }


def test_two_expressions_in_one_string_are_text():
    assert fill_value("{{ a }}{{ b }}", {"a": 1, "b": 2}) == "12"


def test_braces_that_are_no_template_stay():
    assert fill('{"a": {"b": 1}} {# kept #}', {}) == '{"a": {"b": 1}} {# kept #}'


def test_a_syntax_error_names_its_line():
    with pytest.raises(TemplateProblem) as caught:
        check_template({"deep": ["fine", "one\ntwo {{ }}"]})
    assert caught.value.line == 2


def test_whatever_a_template_does_wrong_is_one_kind_of_error():
    with pytest.raises(TemplateProblem, match="division by zero"):
        fill("{{ 1 / 0 }}", {})


def test_the_names_a_template_needs_are_those_it_does_not_guard():
    needed = "{{ a }} {{ b.c }} {% for x in d %}{{ x }}{% endfor %} {{ e | upper }} {% set f = 1 %}{{ f }}"
    guarded = "{{ g | default(1) }} {% if h %}{{ h }}{% endif %} {{ i or 1 }} {{ 1 if j else 2 }} {{ k is defined }}"
    assert names_used(needed + guarded) == {"a", "b", "d", "e"}
    assert names_used("no template") == set()
