"""What was found, below a check that did not pass."""

import pytest
from msgspec import structs
from tests.fakes.result_builders import spec

from vivavoce.model.verdict import failed
from vivavoce.reporters.terminal.failure import _found, verdict_lines
from vivavoce.reporters.terminal.style import Look


@pytest.mark.parametrize(
    ("actual", "shown"),
    [
        ("hello", '"hello"'),
        ("4", '"4"'),
        ('{\n  "status": "paid"\n}', '{ "status": "paid" }'),
        ('["a"]', '["a"]'),
        ('{"a"', '"{\\"a\\""'),
    ],
)
def test_json_in_a_text_is_shown_without_backslashes(actual: str, shown: str):
    assert _found(actual) == shown


def test_what_must_not_be_there_is_not_shown_as_wanted():
    found = failed("it has 'ell'", expected={"never": "ell"}, actual="hello")
    found = structs.replace(found, spec=spec("not_contains", value="ell"))
    lines = verdict_lines(found, Look(width=80), 0)
    assert [line.strip() for line in lines[-2:]] == ['wanted: not "ell"', 'found:  "hello"']


def test_what_differs_in_a_long_line_is_not_cut_off_where_the_console_is_narrow():
    order = "A-17, which was bought in Rome"
    found, wanted = (f'calls:\n  refund({{order: "{order}", amount: {amount}}})' for amount in (30, 31))
    lines = verdict_lines(failed("no", expected=wanted, actual=found), Look(width=40), 0)
    assert [line[2:] for line in lines[-4:]] == [
        '-   refund({order: "A-17, which was',
        '    bought in Rome", amount: 30})',
        '+   refund({order: "A-17, which was',
        '    bought in Rome", amount: 31})',
    ]
    assert all(len(line) <= 40 for line in lines)
