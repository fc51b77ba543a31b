"""promptfoo's templates."""

import pytest

from vivavoce.imports.case_files import environment_variable
from vivavoce.imports.promptfoo.filling import filled
from vivavoce.notation.templates import TemplateProblem


def test_every_text_inside_is_filled_in():
    assert filled([{"content": "Hi {{x}}"}, 1], {"x": "A"}) == [{"content": "Hi A"}, 1]


def test_an_environment_variable_is_left_for_the_run():
    assert filled("Bearer {{ env.KEY }}", {}) == f"Bearer {environment_variable('KEY')}"


def test_a_loop_with_two_names_goes_over_the_pairs_of_an_object():
    template = "{% for role, content in said %}{{role}}: {{content}};{% endfor %}"
    assert filled(template, {"said": {"user": "Hi", "assistant": "Ho"}}) == "user: Hi;assistant: Ho;"


def test_dump_writes_json():
    assert filled('{"content": {{ q | dump }}}', {"q": 'a "quoted" <word>'}) == '{"content": "a \\"quoted\\" <word>"}'


def test_an_unknown_name_is_a_problem():
    with pytest.raises(TemplateProblem, match="'x' is undefined"):
        filled("Hi {{x}}", {})
