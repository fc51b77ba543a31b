"""JSON in what a model says."""

from vivavoce.notation.json_text import find_json, mend_json


def test_slips_of_a_model_are_mended():
    assert mend_json('so: {"passed": true, "why": "fine",') == {"passed": True, "why": "fine"}


def test_what_the_mender_gives_up_on_is_no_json():
    # Found by fuzzing: it asserts instead of raising.
    assert mend_json('{"a": 1, {"```json{```') is None
    assert find_json('{"a": 1, {"```json{```') is None
