"""Every assertion of promptfoo that has a counterpart, and how those without one are told."""

from typing import Any

import pytest
from tests.fakes.promptfoo_checks import taken, why_left_out

from vivavoce.imports.promptfoo.assertions import TYPES
from vivavoce.model.case import AssertionSpec
from vivavoce.plugins.assertion_building import build_check
from vivavoce.plugins.catalog import ASSERTIONS


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"type": "equals", "value": "x"}, {"type": "equals", "value": "x"}),
        ({"type": "equals", "value": 4}, {"type": "equals", "value": "4"}),
        ({"type": "not-equals", "value": "x"}, {"type": "equals", "value": "x", "negate": True}),
        ({"type": "contains", "value": "x"}, {"type": "contains", "value": "x"}),
        ({"type": "not-contains", "value": "x"}, {"type": "not_contains", "value": "x"}),
        ({"type": "icontains", "value": "x"}, {"type": "contains", "value": "x", "ignore_case": True}),
        ({"type": "contains-any", "value": "a, b"}, {"type": "contains", "value": ["a", "b"], "any": True}),
        ({"type": "contains-any", "value": '"a, b", c'}, {"type": "contains", "value": ["a, b", "c"], "any": True}),
        ({"type": "contains-all", "value": ["a", 1]}, {"type": "contains", "value": ["a", "1"], "all": True}),
        (
            {"type": "not-icontains-any", "value": ["a"]},
            {"type": "not_contains", "value": ["a"], "any": True, "ignore_case": True},
        ),
        ({"type": "starts-with", "value": "a.b"}, {"type": "regex", "value": r"^(?:a\.b)"}),
        ({"type": "regex", "value": r"\d+"}, {"type": "regex", "value": r"\d+"}),
        ({"type": "regex", "value": "/x/"}, {"type": "regex", "value": "(?:/x/)"}),
        ({"type": "regex", "value": "(?=x)y"}, {"type": "javascript", "value": 'new RegExp("(?=x)y").test(output)'}),
        ({"type": "is-json"}, {"type": "is_json"}),
        ({"type": "is-json", "value": {"type": "array"}}, {"type": "is_json", "schema": {"type": "array"}}),
        (
            {"type": "is-json", "value": '{"type": "array"}'},
            {"type": "is_json", "schema": {"type": "array"}},
        ),
        (
            {"type": "python", "value": "len(output) > 3", "weight": 2},
            {"type": "script", "use": "out/promptfooconfig_checks.py:check_1", "weight": 2},
        ),
        ({"type": "contains-json"}, {"type": "json_schema", "schema": {}}),
        ({"type": "latency", "threshold": 500}, {"type": "latency", "max": 500}),
        ({"type": "cost", "threshold": 0.01}, {"type": "cost", "max": 0.01}),
        ({"type": "word-count", "value": {"min": 2}}, {"type": "length", "unit": "words", "min": 2}),
        ({"type": "llm-rubric", "value": "kind"}, {"type": "agent", "value": "kind"}),
        ({"type": "g-eval", "value": ["a", "b"]}, {"type": "agent", "value": "a\nb", "threshold": 0.7}),
        ({"type": "javascript", "value": "output > 1 "}, {"type": "javascript", "value": "output > 1"}),
        (
            {"type": "javascript", "value": "file://a.js:check", "threshold": 0.5},
            {"type": "javascript", "value": "file://../configs/a.js:check", "threshold": 0.5},
        ),
        (
            {"type": "equals", "value": 1, "transform": "JSON.parse(output).total"},
            {"type": "equals", "value": 1, "path": "$.total"},
        ),
        (
            {"type": "contains", "value": "x", "metric": "Accuracy", "weight": 2},
            {"type": "contains", "value": "x", "message": "Accuracy", "weight": 2},
        ),
        (
            {"type": "levenshtein", "value": "kitten", "threshold": 2},
            {"type": "similar", "method": "levenshtein", "value": "kitten", "max_edits": 2},
        ),
        ({"type": "rouge-n", "value": "x"}, {"type": "similar", "value": "x", "threshold": 0.75, "method": "rouge"}),
    ],
)
def test_an_assertion_becomes_its_counterpart(theirs: dict[str, Any], ours: dict[str, Any]):
    checks = taken(theirs)
    assert checks.assertions == [ours]
    assert [remark.outcome for remark in checks.remarks] == ["exact"]


@pytest.mark.parametrize(
    ("theirs", "differs"),
    [
        ({"type": "similar", "value": "x"}, "letters"),
        ({"type": "factuality", "value": "x"}, "only part of it"),
        ({"type": "is-refusal"}, "list of phrases"),
        ({"type": "equals", "value": {"a": 1}}, "code fence"),
        ({"type": "contains-json", "value": {"type": "object"}}, "tries all of them"),
        ({"type": "contains", "value": "x", "weight": 0}, "its weight is 0"),
        ({"type": "llm-rubric", "value": "x", "provider": "openai:gpt"}, "name a judge"),
    ],
)
def test_what_differs_is_told(theirs: dict[str, Any], differs: str):
    (remark,) = taken(theirs).remarks
    assert remark.outcome == "different"
    assert differs in remark.what


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ({"type": "bleu", "value": "x"}, "no counterpart"),
        ({"type": "contians", "value": "x"}, "did you mean 'contains'?"),
        ({"type": "context-relevance"}, "no counterpart"),
        ({"type": "not-trace-span-count"}, "no counterpart"),
        ({"type": "python", "value": "len(output"}, "it is not Python"),
        ({"type": "python", "value": "file://check.rb"}, "not a Python file"),
        ({"type": "python", "value": 'x = """a\nb"""\nreturn x == output'}, "several lines"),
        ({"type": "context-faithfulness"}, "variable `context`"),
        ({"type": "is-json", "value": "file://schema.json"}, "its schema cannot be read"),
        ({"type": "latency"}, "no threshold"),
        ({"type": "not-contains-json"}, "wants JSON also when it is negated"),
        ({"type": "javascript", "value": "file://a.ts"}, "not JavaScript"),
        ({"type": "contains", "value": "x", "transform": "output.split(' ').length"}, "is code"),
        ({"type": ""}, "no counterpart"),
    ],
)
def test_what_has_no_counterpart_is_left_out_by_name(theirs: dict[str, Any], why: str):
    assert why in why_left_out(theirs)


def test_everything_written_is_an_assertion_that_viva_builds():
    """Whatever is taken over can be built, so that an imported file is never refused."""
    for kind in TYPES:
        value = {"is-json": None, "contains-json": None, "word-count": 3, "trajectory:step-count": 3}.get(kind, "x")
        if kind.startswith("trajectory:tool-args"):
            value = {"name": "pay", "args": {"n": 1}}
        elif kind == "trajectory:tool-sequence":
            value = ["pay"]
        checks = taken({"type": kind, "value": value, "threshold": 0.5}, context="facts")
        assert checks.assertions, kind
        for assertion in checks.assertions:
            fields = {key: inner for key, inner in assertion.items() if key not in ("type", "weight", "negate")}
            assert assertion["type"] in ASSERTIONS
            build_check(AssertionSpec(type=assertion["type"], fields=fields))
