"""What people who come from other tools write, and what viva calls it."""

_JUDGE = '{"type": "agent", "value": "what must hold"}'
_SAME_MEANING = '{"type": "agent", "criteria": "same_meaning", "reference": "…"}'
_RELEVANT = '{"type": "agent", "criteria": "relevant"}'
_GROUNDED = '{"type": "agent", "criteria": "grounded", "context": […]}'
_ASSERTION_TYPES = {
    "icontains": '{"type": "contains", "value": "…", "ignore_case": true}',
    "contains-any": '{"type": "contains", "value": […], "any": true}',
    "contains-all": '{"type": "contains", "value": […], "all": true}',
    "icontains-any": '{"type": "contains", "value": […], "any": true, "ignore_case": true}',
    "icontains-all": '{"type": "contains", "value": […], "all": true, "ignore_case": true}',
    "starts-with": '{"type": "regex", "value": "^…"}',
    "contains-json": '{"type": "json_schema", "schema": {…}}',
    "python": '{"type": "script", "use": "checks.py:function"}',
    "levenshtein": '{"type": "similar", "method": "levenshtein", "value": "…"}',
    "rouge-n": '{"type": "similar", "method": "rouge", "value": "…"}',
    "llm-rubric": _JUDGE,
    "llm-judge": _JUDGE,
    "g-eval": _JUDGE,
    "geval": _JUDGE,
    "judge": _JUDGE,
    "rubric": _JUDGE,
    "model-graded-closedqa": _JUDGE,
    "factuality": _SAME_MEANING,
    "model-graded-factuality": _SAME_MEANING,
    "answer-relevance": _RELEVANT,
    "answer-relevancy": _RELEVANT,
    "context-faithfulness": _GROUNDED,
    "faithfulness": _GROUNDED,
    "is-refusal": '{"type": "agent", "criteria": "refusal"}',
    "tool-correctness": '{"type": "tool_called", "value": {"name": "…", "arguments": {…}}}',
    "exact-match": '{"type": "equals", "value": "…"}',
}
"""Assertion types of promptfoo and DeepEval, with the assertion of viva that somebody would write instead. An import
(imports/promptfoo/assertions) translates whole assertions, with their values."""


def hint_for_foreign_type(assertion_type: str) -> str | None:
    """A hint how viva writes an assertion type of promptfoo or DeepEval; None for any other word."""
    name = assertion_type.lower().replace("_", "-")
    if (same := _ASSERTION_TYPES.get(name)) is not None:
        return f"write {same}"
    same = _ASSERTION_TYPES.get(name.removeprefix("not-"))
    return f'write {same[:-1]}, "negate": true}}' if same is not None else None
