"""promptfoo's assertions → viva's."""

import csv
import re
from math import floor
from pathlib import Path

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.imports.case_pieces import finite_number
from vivavoce.imports.foreign_files import FILE_PREFIX, inside, list_in, read_json, read_yaml
from vivavoce.imports.found import Checks
from vivavoce.imports.promptfoo import trajectories
from vivavoce.imports.promptfoo.foreign_assertion import AssertionContext, ForeignAssertion, Handler, Taken
from vivavoce.imports.promptfoo.python_checks import CodeProblem
from vivavoce.imports.promptfoo.sets import AssertSet
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_array, is_number, is_object, text_of
from vivavoce.notation.patterns import compile_regex
from vivavoce.notation.yaml_reader import read_yaml_documents

_PATHS = (
    re.compile(r"^\s*(?:\(?output\)?|JSON\.parse\(output\))(?P<path>(?:\.\w+|\[\d+\])+);?\s*$"),
    re.compile(r"^\s*(?:\(?output\)?|o|x)\s*=>\s*(?:\w+|JSON\.parse\(\w+\))(?P<path>(?:\.\w+|\[\d+\])+);?\s*$"),
)
_LETTERS = (
    "compares letters, promptfoo compares meanings; for meanings add `method: embedding` and a `connector` of the "
    "type embeddings"
)
_NO_COUNTERPART = "has no counterpart in viva; a script can check it"
_WITHOUT_COUNTERPART = frozenset(
    (
        *("bleu", "classifier", "contains-html", "contains-sql", "contains-xml", "context-recall"),
        *("context-relevance", "finish-reason", "gleu", "guardrails", "human", "is-html", "is-sql"),
        *("is-valid-function-call", "is-valid-openai-function-call", "is-valid-openai-tools-call", "is-xml"),
        *("max-score", "meteor", "perplexity", "perplexity-score", "pi", "ruby", "select-best", "skill-used"),
        *("trace-error-spans", "trace-span-count", "trace-span-duration", "webhook"),
    )
)
"""Types of promptfoo without a counterpart. Any other unknown type may be misspelt."""


def take_set(entry: JsonObject, around: AssertionContext, checks: Checks) -> AssertSet:
    """Adds the assertions of an `assert-set`, and returns how they count together."""
    before = len(checks.assertions)
    for inner in list_in(entry, "assert"):
        if is_object(inner):
            take_assertion(inner, around, checks)
        else:
            checks.leave_out(f"an assertion must be an object: {text_of(inner)}")
    weight = finite_number(entry.get("weight"))
    return AssertSet(
        assertions=tuple(checks.assertions[before:]),
        threshold=finite_number(entry.get("threshold")),
        weight=1 if weight is None else weight,
    )


def take_assertion(entry: JsonObject, around: AssertionContext, checks: Checks) -> None:
    """Adds the assertions that replace one of promptfoo's, or records why there are none."""
    kind = text_of(entry.get("type"))
    if is_number(entry.get("weight")) and not entry["weight"]:
        checks.take(differs=f"{kind}: left out, since its weight is 0 and it decides nothing")
        return
    negate = kind.startswith("not-")
    if kind == "not-contains-json":
        checks.leave_out(f"{kind}: `json_schema` wants JSON also when it is negated; write the check as a script")
        return
    theirs = ForeignAssertion(
        type=kind.removeprefix("not-"),
        value=entry.get("value"),
        threshold=finite_number(entry.get("threshold")),
        config=entry.get("config"),
        has_path=bool(entry.get("transform")),
        around=around,
    )
    taken = _translated(theirs)
    if isinstance(taken, str):
        checks.leave_out(f"{kind}: {taken}")
        return
    assertions, differs = taken
    path = _path(entry.get("transform"))
    if path is None:
        checks.leave_out(f"{kind}: its transform {text_of(entry['transform'])!r} is code; write the check as a script")
        return
    checks.take(
        *(_completed(one, entry, path, negate=negate) for one in assertions), differs=_differences(kind, differs, entry)
    )


def _translated(theirs: ForeignAssertion) -> tuple[list[JsonObject], str] | str:
    """Returns the assertions and how they differ from promptfoo's; or why there are none."""
    handler = TYPES.get(theirs.type)
    if handler is None:
        meant = None if theirs.type in _WITHOUT_COUNTERPART else did_you_mean(theirs.type, list(TYPES))
        return meant or _NO_COUNTERPART
    taken = handler(theirs)
    if isinstance(taken, str):
        return taken
    return taken if isinstance(taken, tuple) else ([taken], "")


def _completed(assertion: JsonObject, entry: JsonObject, path: str, *, negate: bool) -> JsonObject:
    completed = {**assertion}
    if path:
        completed["path"] = path
    if negate:
        completed["negate"] = not assertion.get("negate", False)
        if assertion["type"] == "contains":
            completed = {**assertion, "type": "not_contains", **({"path": path} if path else {})}
    metric: JsonValue = entry.get("metric")
    if isinstance(metric, str) and metric:
        completed["message"] = metric
    weight = finite_number(entry.get("weight"))
    if weight is not None and weight != 1:
        completed["weight"] = entry["weight"]
    return completed


def _differences(kind: str, differs: str, entry: JsonObject) -> str:
    differences = [differs] if differs else []
    if entry.get("provider") or entry.get("rubricPrompt"):
        differences.append("its own grader was not taken over: name a judge with `use`")
    return f"{kind}: {'; '.join(differences)}" if differences else ""


def _path(transform: JsonValue) -> str | None:
    """The JSON path that a transform reads; empty without a transform; None for other code."""
    if not transform:
        return ""
    for pattern in _PATHS:
        if (found := pattern.match(text_of(transform))) is not None:
            return f"${found['path']}"
    return None


def _contains(*, ignore_case: bool, several: str = "") -> Handler:
    def handle(theirs: ForeignAssertion) -> Taken:
        folded: JsonObject = {"ignore_case": True} if ignore_case else {}
        if not several:
            return {"type": "contains", "value": text_of(theirs.value), **folded}
        texts = list(theirs.value) if is_array(theirs.value) else _between_commas(text_of(theirs.value))
        return {"type": "contains", "value": [text_of(text) for text in texts if text != ""], several: True, **folded}

    return handle


def _between_commas(text: str) -> list[str]:
    """Splits a text at its commas, except at those in quotes."""
    return [part.strip() for row in csv.reader([text], skipinitialspace=True) for part in row]


def _equals(theirs: ForeignAssertion) -> Taken:
    value = theirs.value
    if is_object(value) or is_array(value):
        return [{"type": "equals", "value": value}], "viva also reads JSON in a code fence, promptfoo does not"
    # The output is a text, and promptfoo compares a number with it as text.
    return {"type": "equals", "value": value if theirs.has_path else text_of(value)}


def _regex(theirs: ForeignAssertion) -> Taken:
    pattern = text_of(theirs.value)
    try:
        compile_regex(pattern)
    except ValueError:
        return _javascript_code(f"new RegExp({compact_json(pattern)}).test(output)")
    # viva reads `/…/i` as a pattern with flags; for promptfoo the slashes are letters.
    return {"type": "regex", "value": f"(?:{pattern})" if pattern.startswith("/") else pattern}


def _json_kind(kind: str) -> Handler:
    def handle(theirs: ForeignAssertion) -> Taken:
        schema = _schema(theirs)
        if isinstance(schema, str) and schema:
            return schema
        if kind == "is_json":
            return {"type": "is_json", **({"schema": schema} if is_object(schema) else {})}
        differs = "viva reads one JSON value of the text, promptfoo tries all of them" if is_object(schema) else ""
        return [{"type": "json_schema", "schema": schema if is_object(schema) else {}}], differs

    return handle


def _schema(theirs: ForeignAssertion) -> JsonValue:
    """The schema, which may be JSON or YAML in a text or in a file. Returns a text that says why when it has none."""
    given = theirs.value
    if not isinstance(given, str) or not given:
        return given
    try:
        if not given.startswith(FILE_PREFIX):
            documents = list(read_yaml_documents(given, "its schema"))
            schema: JsonValue = documents[0].value if documents else None
        else:
            file = inside(theirs.around.folder, given.removeprefix(FILE_PREFIX))
            schema = (read_json(file) if file.suffix == ".json" else read_yaml(file)).value
    except UsageError as problem:
        return f"its schema cannot be read: {problem}"
    return schema if is_object(schema) else "its schema is not an object"


def _judge(criteria: str = "", *, differs: str = "", threshold: float | None = None) -> Handler:
    def handle(theirs: ForeignAssertion) -> Taken:
        judged: JsonObject = {"type": "agent"}
        if criteria:
            judged["criteria"] = criteria
        if criteria == "same_meaning":
            judged["reference"] = text_of(theirs.value)
        elif criteria == "grounded":
            if not theirs.around.context:
                return "it needs the variable `context`"
            judged["context"] = theirs.around.context
        elif theirs.value:
            words = list(map(text_of, theirs.value)) if is_array(theirs.value) else [text_of(theirs.value)]
            judged["value"] = "\n".join(words)
        elif not criteria:
            return "it has no criteria"
        limit = theirs.threshold if theirs.threshold is not None else threshold
        if limit is not None:
            judged["threshold"] = limit
        return [judged], differs

    return handle


def _javascript(theirs: ForeignAssertion) -> Taken:
    code = text_of(theirs.value)
    if not code.startswith(FILE_PREFIX):
        return {**_javascript_code(code), **_threshold(theirs)}
    path, _, name = code.removeprefix(FILE_PREFIX).partition(":")
    if Path(path).suffix not in (".js", ".cjs", ".mjs"):
        return f"{path} is not JavaScript that Node.js can run"
    try:
        named = theirs.around.options.named(inside(theirs.around.folder, path))
    except UsageError as problem:
        return problem.what
    return {"type": "javascript", "value": f"file://{named}{':' + name if name else ''}", **_threshold(theirs)}


def _python(theirs: ForeignAssertion) -> Taken:
    try:
        return theirs.around.python.add(text_of(theirs.value), theirs.threshold, theirs.config, theirs.around.folder)
    except CodeProblem as problem:
        return str(problem)


def _javascript_code(code: str) -> JsonObject:
    return {"type": "javascript", "value": code.strip()}


def _similar(method: str, default: float, differs: str = "") -> Handler:
    def handle(theirs: ForeignAssertion) -> Taken:
        wanted = theirs.value[0] if is_array(theirs.value) and theirs.value else theirs.value
        said: JsonObject = {"type": "similar", "value": text_of(wanted)}
        said["threshold"] = default if theirs.threshold is None else theirs.threshold
        if method != "ratio":
            said["method"] = method
        return [said], differs

    return handle


def _levenshtein(theirs: ForeignAssertion) -> Taken:
    most = 5 if theirs.threshold is None else max(0, floor(theirs.threshold))
    return {"type": "similar", "method": "levenshtein", "value": text_of(theirs.value), "max_edits": most}


def _word_count(theirs: ForeignAssertion) -> Taken:
    limits = theirs.value if is_object(theirs.value) else {"exact": theirs.value}
    kept = {
        name: int(limit) for name in ("min", "max", "exact") if (limit := finite_number(limits.get(name))) is not None
    }
    return {"type": "length", "unit": "words", **kept} if kept else "it has no number of words"


def _limit(kind: str, field: str) -> Handler:
    def handle(theirs: ForeignAssertion) -> Taken:
        limit = theirs.threshold
        if limit is None:
            return "it has no threshold"
        return {"type": kind, field: int(limit) if limit == int(limit) else limit}

    return handle


def _threshold(theirs: ForeignAssertion) -> JsonObject:
    return {} if theirs.threshold is None else {"threshold": theirs.threshold}


TYPES: dict[str, Handler] = {
    "equals": _equals,
    "contains": _contains(ignore_case=False),
    "icontains": _contains(ignore_case=True),
    "contains-any": _contains(ignore_case=False, several="any"),
    "contains-all": _contains(ignore_case=False, several="all"),
    "icontains-any": _contains(ignore_case=True, several="any"),
    "icontains-all": _contains(ignore_case=True, several="all"),
    "starts-with": lambda theirs: {"type": "regex", "value": f"^(?:{re.escape(text_of(theirs.value))})"},
    "regex": _regex,
    "is-json": _json_kind("is_json"),
    "contains-json": _json_kind("json_schema"),
    "javascript": _javascript,
    "python": _python,
    "latency": _limit("latency", "max"),
    "cost": _limit("cost", "max"),
    "word-count": _word_count,
    "llm-rubric": _judge(),
    "g-eval": _judge(threshold=0.7),
    "model-graded-closedqa": _judge(),
    "search-rubric": _judge(differs="the judge has no search"),
    "factuality": _judge("same_meaning", differs="promptfoo also takes an answer that says only part of it"),
    "model-graded-factuality": _judge(
        "same_meaning", differs="promptfoo also takes an answer that says only part of it"
    ),
    "answer-relevance": _judge("relevant", differs="a judge instead of embeddings"),
    "conversation-relevance": _judge("relevant"),
    "context-faithfulness": _judge("grounded"),
    "is-refusal": _judge("refusal", differs="a judge instead of a list of phrases"),
    "moderation": _judge("safe", differs="a judge instead of a moderation service"),
    "similar": _similar("ratio", 0.75, _LETTERS),
    "rouge-n": _similar("rouge", 0.75),
    "levenshtein": _levenshtein,
    "trajectory:tool-used": trajectories.tool_used,
    "trajectory:tool-sequence": trajectories.tool_sequence,
    "trajectory:tool-args-match": trajectories.tool_arguments,
    "trajectory:step-count": trajectories.step_count,
    "trajectory:goal-success": _judge(),
    "tool-call-f1": trajectories.tool_used,
}
