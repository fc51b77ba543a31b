"""What viva writes is what its published schemas say."""

import json

import jsonschema
import pytest
from tests.cli.conftest import VivaProject


@pytest.fixture
def written(project: VivaProject) -> VivaProject:
    project.cases(
        {"id": "passes", "input": "tool", "assert": {"type": "tool_called", "value": "charge_card"}},
        {"id": "fails", "input": "hi", "assert": {"type": "contains", "value": "zzz"}},
        {"id": "raises", "input": "raise"},
        {"id": "skipped", "input": "hi", "skip": "not now"},
        {"id": "talks", "turns": [{"input": "a"}, {"input": "b"}], "runs": 2},
    )
    project.viva("test", "-i", "cases.jsonl", "-o", "r.json", "-o", "r.jsonl")
    return project


def test_the_json_report_is_valid_under_its_schema(written: VivaProject):
    schema = json.loads(written.viva("schema", "report").out)
    report = json.loads((written.root / "r.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(report)
    assert len(report["results"]) == 5
    del report["results"][0]["status"]
    assert not jsonschema.Draft202012Validator(schema).is_valid(report)


def test_every_line_of_a_result_file_is_valid_under_its_schema(written: VivaProject):
    validator = jsonschema.Draft202012Validator(json.loads(written.viva("schema", "result").out))
    for row in written.rows("r.jsonl"):
        validator.validate(row)
    assert not validator.is_valid({"type": "result", "status": "passed"})
