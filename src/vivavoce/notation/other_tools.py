"""What people who come from other tools write, and what viva calls it."""

_JUDGE = '{"type": "agent", "value": "what must hold"}'
_SAME_MEANING = '{"type": "agent", "criteria": "same_meaning", "reference": "…"}'
_MANY = '{"type": "contains", "value": […], "%s": true}'
_SIMILAR = '{"type": "similar", "method": "%s", "value": "…"}'
_ASSERTION_TYPES = {
    "icontains": '{"type": "contains", "value": "…", "ignore_case": true}',
    "contains-any": _MANY % "any",
    "contains-all": _MANY % "all",
    "icontains-any": _MANY % 'ignore_case": true, "any',
    "icontains-all": _MANY % 'ignore_case": true, "all',
    "starts-with": '{"type": "regex", "value": "^…"}',
    "contains-json": '{"type": "json_schema", "schema": {…}}',
    "python": '{"type": "script", "use": "checks.py:function"}',
    "levenshtein": _SIMILAR % "levenshtein",
    "rouge-n": _SIMILAR % "rouge",
    "llm-rubric": _JUDGE,
    "llm-judge": _JUDGE,
    "g-eval": _JUDGE,
    "geval": _JUDGE,
    "judge": _JUDGE,
    "rubric": _JUDGE,
    "model-graded-closedqa": _JUDGE,
    "factuality": _SAME_MEANING,
    "model-graded-factuality": _SAME_MEANING,
    "answer-relevance": '{"type": "agent", "criteria": "relevant"}',
    "answer-relevancy": '{"type": "agent", "criteria": "relevant"}',
    "context-faithfulness": '{"type": "agent", "criteria": "grounded", "context": […]}',
    "faithfulness": '{"type": "agent", "criteria": "grounded", "context": […]}',
    "is-refusal": '{"type": "agent", "criteria": "refusal"}',
    "tool-correctness": '{"type": "tool_called", "value": {"name": "…", "arguments": {…}}}',
    "exact-match": '{"type": "equals", "value": "…"}',
}


def written_here(assertion_type: str) -> str | None:
    """A hint how viva writes an assertion type of promptfoo or DeepEval; None for any other word."""
    name = assertion_type.lower().replace("_", "-")
    if (same := _ASSERTION_TYPES.get(name)) is not None:
        return f"write {same}"
    same = _ASSERTION_TYPES.get(name.removeprefix("not-"))
    return f'write {same[:-1]}, "negate": true}}' if same is not None else None
