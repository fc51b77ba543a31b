import pytest

from vivavoce.assertions.containing import Contains
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec, Origin
from vivavoce.notation.place import Place
from vivavoce.plugins.assertion_building import build_check, validated

AT = Place(Origin("cases.jsonl", 7))


def test_a_spec_becomes_its_check():
    assert build_check(AssertionSpec(type="contains", fields={"value": "x"})) == Contains(value="x")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (AssertionSpec(type="contians"), "unknown assertion type 'contians' (did you mean 'contains'?)"),
        (
            AssertionSpec(type="contains"),
            """the assertion 'contains' needs 'value' (for example {"type":"contains","value":"…"})""",
        ),
        (
            AssertionSpec(type="contains", fields={"valeu": "x"}),
            "unknown field 'valeu' in the assertion 'contains' (did you mean 'value'?)",
        ),
        (
            AssertionSpec(type="regex", fields={"value": 1}),
            "in the assertion 'regex': value: wanted text, found 1 (put it in quotes)",
        ),
        (
            AssertionSpec(type="number", fields={"min": "ten", "max": "five"}),
            """in the assertion 'number': min: wanted a number, found "ten"; max: wanted a number, found "five\"""",
        ),
        (
            AssertionSpec(type="length", fields={"max": 5, "unit": "word"}),
            "in the assertion 'length': unit: wanted chars or items or words, found \"word\" (did you mean 'words'?)",
        ),
        (
            AssertionSpec(type="length", fields={"max": 5.5}),
            "in the assertion 'length': max: wanted a whole number, found 5.5",
        ),
        (
            AssertionSpec(type="similar", fields={"value": "x", "threshold": 60}),
            "in the assertion 'similar': threshold: wanted a number above 0 and 1 or less, found 60",
        ),
        (
            AssertionSpec(type="sequence", fields={"calls": []}),
            "in the assertion 'sequence': calls: wanted a list that is not empty, found an empty list",
        ),
        (
            AssertionSpec(type="latency", fields={"max": "soon"}),
            "in the assertion 'latency': bad duration 'soon': write it like 500ms, 30s, 2m30s or 1h",
        ),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(spec: AssertionSpec, message: str):
    with pytest.raises(UsageError) as error:
        build_check(spec)
    assert str(error.value) == message


def test_an_error_at_load_names_its_place():
    with pytest.raises(UsageError, match=r"^cases\.jsonl:7: unknown assertion type") as error:
        validated(AssertionSpec(type="contians"), AT)
    assert error.value.hint == "did you mean 'contains'?"


def test_a_variable_is_checked_only_once_it_has_a_value():
    spec = AssertionSpec(type="latency", fields={"max": "${LIMIT}"})
    assert validated(spec, AT) is spec
    with pytest.raises(UsageError):
        validated(AssertionSpec(type="latency", fields={"max": "${LIMIT}", "mx": 1}), AT)
    with pytest.raises(UsageError):
        validated(AssertionSpec(type="latensy", fields={"max": "${LIMIT}"}), AT)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            AssertionSpec(type="require", fields={"name": "x", "count": {"exactly": 1}}),
            "cases.jsonl:7: count: unknown field 'exactly' (did you mean 'exact'?)",
        ),
    ],
)
def test_what_is_wrong_inside_a_field_is_said_in_plain_words(spec: AssertionSpec, message: str):
    with pytest.raises(UsageError) as error:
        validated(spec, AT)
    assert str(error.value) == message
