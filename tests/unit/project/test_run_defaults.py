"""`run:` in viva.yaml takes what the options take, and nothing else."""

import pickle
from typing import Any

import msgspec
import pytest

from vivavoce.project.option import Option
from vivavoce.project.run_defaults import RunDefaults
from vivavoce.project.run_options import RUN_OPTIONS

SETTABLE = {one.setting: one for one in RUN_OPTIONS if one.setting is not None}
BESIDE_OPTIONS = {"connector"}
"""The model of packages that name none, which is not what `-c` overrides."""
JSON_TYPES = {"switch": {"boolean"}, "off switch": {"boolean"}, "number": {"integer"}, "texts": {"string", "array"}}


def schema_of(setting: str) -> dict[str, Any]:
    _, components = msgspec.json.schema_components([RunDefaults])
    return components["RunDefaults"]["properties"][setting]


def test_every_setting_is_a_field_and_the_other_way_round():
    assert set(SETTABLE) == set(RunDefaults.__struct_fields__) - BESIDE_OPTIONS


@pytest.mark.parametrize("one", SETTABLE.values(), ids=lambda one: one.name)
def test_the_field_takes_what_the_option_takes(one: Option):
    field = schema_of(one.setting or "")
    kinds = {kind.get("type") for kind in field.get("anyOf", [field])} - {"null"}
    if one.choices:
        assert set(one.choices) == {choice for kind in field["anyOf"] for choice in kind.get("enum", ()) if choice}
    else:
        assert kinds == JSON_TYPES.get(one.kind, {"string"})
        assert {kind["minimum"] for kind in field.get("anyOf", ()) if "minimum" in kind} == (
            set[int]() if one.least is None else {one.least}
        )


def test_the_schema_describes_each_field():
    assert schema_of("keep")["description"] == "Runs kept in the history."
    assert schema_of("history")["description"] == "False: runs are not kept."


def test_what_is_no_setting_is_refused():
    with pytest.raises(msgspec.ValidationError, match="unknown field `inputs`"):
        msgspec.json.decode(b'{"inputs": "a"}', type=RunDefaults)
    with pytest.raises(msgspec.ValidationError, match=">= 1"):
        msgspec.json.decode(b'{"parallel": 0}', type=RunDefaults)


def test_they_travel_to_other_processes():
    defaults = RunDefaults(runs=3, connector="c")
    assert pickle.loads(pickle.dumps(defaults)) == defaults
    assert msgspec.json.encode(defaults) == b'{"connector":"c","runs":3}'
