"""A template that would make too much of a small text is refused before, with the limit named."""

import json

import pytest
from jinja2.filters import FILTERS

from vivavoce.notation import template_limits
from vivavoce.notation.template_limits import size_of
from vivavoce.notation.templates import TemplateProblem, fill, fill_value

DOUBLED = "{% set n = namespace(x=START) %}{% for a in range(99) %}{% set n.x = STEP %}{% endfor %}{{ n.x | length }}"
WIDTHS = ["'a'|center(W)", "'a'|indent(W, true)", "[1]|tojson(W)", "[1]|batch(W, 0)|list", "[1]|slice(W)|list"]
METHODS = ["center", "ljust", "rjust", "zfill"]
GROWING = {
    **{f"filter {n}": "{{ " + one.replace("W", "10**9") + " }}" for n, one in enumerate(WIDTHS)},
    **{f"method {name}": "{{ 'a'." + name + "(10**9) }}" for name in METHODS},
    "to_bytes": "{{ (1).to_bytes(10**9, 'big') }}",
    "expandtabs": "{{ '\t'.expandtabs(10**9) }}",
    "lipsum": "{{ lipsum(10**9) }}",
    "round": "{{ 1.5|round(10**9, 'ceil') }}",
    "a width in %": "{{ '%1000000000d' % 1 }}",
    "a width beside %": "{{ '%*d' % (10**9, 1) }}",
    "the filter format": "{{ '%1000000000d'|format(1) }}",
    "a width in braces": "{{ '{:1000000000}'.format(1) }}",
    "a width given to braces": "{{ '{:{w}}'.format(1, w=10**9) }}",
    "many fields": "{{ ('{0}' * 1000).format(w) }}",
    "join": "{{ ('a' * 1000)|join(w) }}",
    "the method join": "{{ w.join('a' * 1000) }}",
    "join of what comes one by one": "{{ w.join(range(9999)|map('string')) }}",
    "replace": "{{ ('a' * 1000)|replace('a', w) }}",
    "the method replace": "{{ ('a' * 1000).replace('', w) }}",
    "wordwrap": "{{ ('a ' * 1000)|wordwrap(1, wrapstring=w) }}",
    "translate": "{{ ('a' * 1000).translate({97: w}) }}",
    "lists added up": "{{ ([range(3000)|list] * 3000)|sum(start=[])|length }}",
    "a list written out": "{{ [[w] * 1000] }}",
    "a list in a list": "{{ ([[0] * 10**4] * 10**5)|length }}",
    "each of many": "{{ range(9999)|map('center', 99999)|list|length }}",
    "text doubled by ~": DOUBLED.replace("START", "'x'").replace("STEP", "n.x ~ n.x"),
    "text doubled by +": DOUBLED.replace("START", "'x'").replace("STEP", "n.x + n.x"),
    "a list doubled": DOUBLED.replace("START", "[1]").replace("STEP", "n.x + n.x"),
    "a list in itself, doubled": DOUBLED.replace("START", "[1]").replace("STEP", "[n.x, n.x]"),
    "a number squared": DOUBLED.replace("START", "9**999").replace("STEP", "n.x * n.x"),
    "a list extended by itself": "{% set x = [1] %}{% for a in range(99) %}{{ x.extend(x) }}{% endfor %}",
    "output that is kept": "{% set x %}{% for a in range(9999) %}{{ w }}{% endfor %}{% endset %}{{ x|length }}",
    "text of a loop that is kept": "{% set x %}{% for a in range(99999) %}" + "t" * 9999 + "{% endfor %}{% endset %}",
    "loops over texts": "{% for a in w %}{% for b in w %}{% for c in w %}{% endfor %}{% endfor %}{% endfor %}",
}


@pytest.mark.parametrize("bomb", GROWING)
def test_what_makes_much_of_little_names_the_limit(bomb: str):
    with pytest.raises(TemplateProblem, match="the limit"):
        fill(GROWING[bomb], {"w": "w" * 100_000})
    with pytest.raises(TemplateProblem, match="the limit"):
        fill_value({"a": [GROWING[bomb]]}, {"w": "w" * 100_000})


RECURSIVE = "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}"


def test_calls_without_end_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(template_limits, "_MOST_CALLS", 1_000)
    with pytest.raises(TemplateProblem, match="more than 1,000 calls, the limit"):
        fill(RECURSIVE, {})


def test_time_is_limited_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(template_limits, "_LONGEST_S", -1.0)
    with pytest.raises(TemplateProblem, match="takes longer than -1 s, the limit"):
        fill("{% for a in 'ab' %}{{ a|upper }}{% endfor %}", {})


USUAL = {
    "'a'|center(5)": "  a  ",
    "'a\nb'|indent(2)": "a\n  b",
    "[1, 2, 3]|batch(2)|list": "[[1,2],[3]]",
    "'Order 12345678901: %d%%, %s'|format(5, 'x')": "Order 12345678901: 5%, x",
    "'Total: 98765432109 {} {:>4}'.format(1, 2)": "Total: 98765432109 1    2",
    "'* %s' % 5000000000": "* 5000000000",
    "[1, 2]|join(', ')": "1, 2",
    "', '.join(['a', 'b'])": "a, b",
    "'aXb'|replace('X', 'yy')": "ayyb",
    "'a' ~ 1 ~ none": "a1None",
    "[1, 2]|map('string')|join": "12",
    "2.345|round(1)": "2.3",
    "x|default(1700000000000)": "1700000000000",
    "[[1], [2]]|sum(start=[])": "[1,2]",
    "7 % 4": "3",
    "1 + 2": "3",
    "{'a': [1]}|tojson(2)": json.dumps({"a": [1]}, indent=2),
    "[3, 1]|sort|first": "1",
    "10000 * 10000": "100000000",
}


@pytest.mark.parametrize("expression", USUAL)
def test_what_is_of_a_usual_size_is_as_ever(expression: str):
    assert fill("{{ " + expression + " }}", {}) == USUAL[expression]


def test_a_loop_knows_its_length_and_may_be_left_early():
    inside = "{{ loop.index }}/{{ loop.length }}{{ loop([]) }}{% else %}-"
    assert fill("{% for a in [1, 2] if a > 1 recursive %}" + inside + "{% endfor %}", {}) == "1/1-"


def test_every_filter_of_jinja_is_measured():
    for name in FILTERS:
        with pytest.raises(TemplateProblem, match="the limit"):
            fill("{{ x|" + name + " }}", {"x": [["w" * 100_000] * 1_000] * 2})


def test_the_size_of_a_value_that_contains_itself_or_repeats_is_found_at_once():
    inside: list[object] = []
    inside.append(inside)
    assert size_of(inside) < 100
    twice: object = "x"
    for _ in range(100):
        twice = [twice, twice]
    assert size_of(twice) > 2**100
