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


LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
BOMBS = {
    "loops in loops": (LOOPS, "its loops take more than 100,000 steps"),
    "loops without a step": ("{% for a in range(99999) %}{% for b in range(0) %}{% endfor %}{% endfor %}", "steps"),
    "output of a loop": ("{% for a in range(999) %}{{ w }}{% endfor %}", "more than 67,108,864 characters"),
    "very many expressions": ("{{ w }}" * 2_000, "more than 67,108,864 characters"),
    "a power": ("{{ 10 ** 10 ** 9 }}", "a power may have numbers up to 67,108,864 and 1,000"),
    "a product": ("{{ 'x' * 10 ** 9 }}", "more than 67,108,864 characters"),
    "a product, turned round": ("{{ 10 ** 9 * [1] }}", "more than 67,108,864 characters"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_template_that_becomes_too_much_names_the_limit(bomb: str):
    text, told = BOMBS[bomb]
    with pytest.raises(TemplateProblem, match=told):
        fill(text, {"w": "w" * 100_000})
    with pytest.raises(TemplateProblem, match=told):
        fill_value({"a": [text]}, {"w": "w" * 100_000})


def test_loops_and_products_of_a_usual_size_work():
    assert fill("{% for n in range(3) %}{{ n * 2 }}{{ 2 ** n }}{% endfor %}{{ 'ab' * 2 }}", {}) == "012244abab"
    assert fill("{% for n in range %}{{ n }}{% endfor %}", {"range": [7]}) == "7"
