"""An `expected` that assertions hide is told in every run."""

import pytest

pytestmark = pytest.mark.process


def test_an_expected_beside_assertions_is_a_warning_unless_a_script_is_given_it(project):
    project.write("scripts/same.py", "def main(output, input, expected):\n    return output == expected\n")
    contains = {"type": "contains", "value": "hi"}
    project.cases(
        {"id": "hidden", "input": "hi", "expected": "other", "assert": contains},
        {"id": "given", "input": "hi", "expected": "echo: hi", "assert": {"type": "script", "script": "scripts:same"}},
        {"id": "judged", "input": "hi", "expected": "echo: hi", "assert": []},
    )
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert done.code == 0, done.text
    warned = [row["id"] for row in project.rows() if "`expected` is not judged" in str(row.get("warnings"))]
    assert warned == ["hidden"]
