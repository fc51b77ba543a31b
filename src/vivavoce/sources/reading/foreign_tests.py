"""Recognises test files of other tools, so that the error names the command that imports them."""

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonValue, is_array, is_object

_FIELDS = {
    "promptfoo": ({"prompts", "providers"}, {"prompts", "tests"}, {"providers", "tests"}),
    "skills": ({"skill_name", "evals"},),
    "adk": ({"eval_set_id", "eval_cases"}, {"query", "expected_tool_use"}, {"evalSetId", "evalCases"}),
    "deepeval": ({"input", "expected_output"}, {"scenario", "expected_outcome"}),
    "evalview": ({"adapter", "endpoint"}, {"input", "expected", "thresholds"}),
    "pydantic-evals": ({"cases", "evaluators"},),
    "openai-api": ({"testing_criteria", "data_source_config"},),
    "agenteval": ({"evaluator", "target", "tests"},),
    "tau2": ({"user_scenario", "evaluation_criteria"},),
}
"""Fields that only files of this kind have together; the kinds are those of `viva import`."""


def kind_of_import(value: JsonValue) -> str | None:
    """The kind of `viva import` that reads such a value, or a list of such values; None for anything else."""
    first = value[0] if is_array(value) and value else value
    if not is_object(first):
        return None
    fits = (kind for kind, several in _FIELDS.items() if any(fields <= first.keys() for fields in several))
    return next(fits, None)


def foreign_file(value: JsonValue, shown: str) -> UsageError | None:
    """The error for a file of another tool; None for any other value."""
    kind = kind_of_import(value)
    if kind is None:
        return None
    hint = f"viva import {kind} {shown} -o tests"
    return UsageError(f"these are tests of another tool ({kind})", at=shown, hint=hint)
