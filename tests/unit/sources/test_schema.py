from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from tests.fakes.assertion_table import smallest_fields

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.project.settings import Config
from vivavoce.sources.decoding.assertion_decoder import decode_assertions
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.scanning.object_reader import Found, ObjectReader
from vivavoce.sources.schema import case_schema, config_schema

SEEDS = Path(__file__).parents[2] / "data" / "seeds"
CASE = Draft202012Validator(case_schema())
ASSERTION = Draft202012Validator({**case_schema(), "$ref": "#/$defs/Assertions"})
CONFIG = Draft202012Validator(config_schema())
CONTAINS = {"type": "contains", "value": "x"}


def seed_cases() -> list[Any]:
    cases: list[Any] = [yaml.safe_load((SEEDS / "001_checkout.yaml").read_text())]
    for path in sorted(SEEDS.glob("*.jsonl")):
        if "results" not in path.name:
            with path.open("rb") as file:
                cases += [found.value for found in ObjectReader(file) if isinstance(found, Found)]
    return cases


def test_both_schemas_are_sound():
    Draft202012Validator.check_schema(case_schema())
    Draft202012Validator.check_schema(config_schema())


@pytest.mark.parametrize("case", seed_cases(), ids=lambda case: case.get("id", "yaml"))
def test_every_case_of_the_seeds_is_valid(case: Any):
    assert list(CASE.iter_errors(case)) == []


@pytest.mark.parametrize(
    "case",
    [
        {"assrt": []},
        {"turns": [{"input": "a", "asert": []}]},
        {"simulator": {"use": "s", "goal": "g"}},
        {"checkpoints": [{"id": "c", "assert": CONTAINS, "affter": []}]},
        {"interactive": {"enable": True}},
        {"hooks": [{"cmd": ["x"], "timeout": 5}]},
        {"options": {"conector": "x"}},
        {"turns": [{"input": "a", "options": {"conector": "x"}}]},
        {"turns": [{"input": "a", "resume": {"aproved": True}}]},
        {"messages": [{"rle": "user", "content": "x"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "x", "txt": "y"}]}]},
        {"tools": [{"name": "t", "anwser": 1}]},
        {"assert": {"type": "contains", "value": "x", "vlaue": "y"}},
        {"assert": [{"type": "contains", "value": "x", "vlaue": "y"}]},
        {"assert": {"tools": {"forbdi": []}}},
        {"assert": {"tools": {"require": [{"name": "x", "cnt": 1}]}}},
        {"final_assertions": [{"type": "contians", "value": 1}]},
    ],
)
def test_an_unknown_field_is_rejected_by_decoder_and_schema_alike(case: dict[str, Any]):
    case = {"id": "T", "input": "a", **case}
    with pytest.raises(UsageError, match="unknown"):
        decode_case(case, Origin("a.jsonl", 1))
    assert not CASE.is_valid(case)


@pytest.mark.parametrize(
    "case", [{"input": "a"}, {"id": "T"}, {"id": "T", "turns": [{"input": 5}]}, {"id": "T", "input": "a", "runs": 0}]
)
def test_other_mistakes_are_seen_too(case: dict[str, Any]):
    assert not CASE.is_valid(case)


def accepted_by_decoder(assertion: dict[str, Any]) -> bool:
    try:
        decode_assertions(assertion, Origin())
    except UsageError:
        return False
    return True


@pytest.mark.parametrize("name", sorted(ASSERTIONS))
def test_decoder_and_schema_know_the_same_fields_and_spellings(name: str):
    # A type that needs no field is given the one that every type may have.
    fields = smallest_fields(name) or {"message": "shown when it fails"}
    sample = {"type": name, **fields}
    assert accepted_by_decoder(sample)
    assert ASSERTION.is_valid(sample)
    (field, value), *rest = fields.items()
    for spelling in ("pattern", "value", "name", "script", "use", "max", "schema", "tool", "vlaue"):
        respelled = {"type": name, **dict(rest), spelling: value}
        assert ASSERTION.is_valid(respelled) == accepted_by_decoder(respelled), (field, spelling)


def test_every_field_of_a_case_is_in_its_schema():
    assert list(case_schema()["$defs"]["CaseFields"]["properties"]) == list(CaseFields.__struct_encode_fields__)


def test_a_configuration_is_checked_and_explained():
    assert CONFIG.is_valid({"tests": "tests", "agents": {"shop": {"agui": "http://localhost"}}})
    assert not CONFIG.is_valid({"tests": "tests", "agnt": "x"})
    fields = config_schema()["$defs"]["Config"]["properties"]
    assert list(fields) == list(Config.__struct_fields__)
    assert fields["allow_outside"]["description"] == "Whether attachments may lie outside the project."


def test_defaults_of_the_configuration_take_the_fields_that_cases_share():
    assert CONFIG.is_valid({"defaults": {"tags": ["a"], "timeout": "30s", "assert": CONTAINS}})
    assert not CONFIG.is_valid({"defaults": {"input": "hello"}})
    assert not CONFIG.is_valid({"defaults": {"assert": {"type": "contains", "vlaue": "x"}}})
