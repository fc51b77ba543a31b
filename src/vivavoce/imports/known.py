"""The kinds of files that can be imported, and how they are recognised."""

from importlib import import_module

from msgspec import Struct

from vivavoce.imports.found import Reader


class ImportKind(Struct, frozen=True, kw_only=True):
    """A kind of foreign test file."""

    name: str
    tool: str
    """The name in messages."""
    reader: str
    """`module:function` in this folder."""
    files: tuple[str, ...]
    """The usual names of its files, as patterns."""
    marks: tuple[frozenset[str], ...] = ()
    """Sets of field names, as `recognising.marks_in` writes them: a file with all names of one set is of this kind."""
    takes: frozenset[str] = frozenset()
    """The options of the command line that it accepts."""

    def read(self) -> Reader:
        module, _, name = self.reader.partition(":")
        return getattr(import_module(f"vivavoce.imports.{module}"), name)


def _all(*names: str) -> frozenset[str]:
    return frozenset(names)


COLUMNS = _all("id", "name", "input", "judge", "equals", "contains", "not-contains", "tools", "forbid", "tag")
"""Options that name a column of a table."""
KINDS = {
    kind.name: kind
    for kind in (
        ImportKind(
            name="skills",
            tool="Agent Skills",
            reader="agent_skills:read",
            files=("evals.json",),
            marks=(_all("evals", "*[].prompt"),),
        ),
        ImportKind(
            name="promptfoo",
            tool="promptfoo",
            reader="promptfoo.config:read",
            files=("promptfooconfig.*", "*promptfoo*.yaml", "*promptfoo*.yml"),
            marks=(_all("prompts", "tests"), _all("prompts", "providers"), _all("providers", "tests")),
            takes=_all("run-code"),
        ),
        ImportKind(
            name="adk",
            tool="Google ADK",
            reader="google_adk:read",
            files=("*.evalset.json", "*.test.json", "*evalset*.json"),
            marks=(_all("eval_cases"), _all("evalCases"), _all("[].query", "[].expected_tool_use")),
        ),
        ImportKind(
            name="deepeval",
            tool="DeepEval",
            reader="deepeval:read",
            files=("*goldens*.json", "*goldens*.csv"),
            marks=(
                _all("goldens"),
                _all("[].input", "[].retrieval_context"),
                _all("[].input", "[].expected_output", "[].context"),
                _all("[].scenario", "[].expected_outcome"),
            ),
            takes=_all("delimiter", "metric"),
        ),
        ImportKind(
            name="agenteval",
            tool="AWS Agent Evaluation",
            reader="agenteval:read",
            files=("agenteval.y*ml",),
            marks=(_all("evaluator", "target", "tests"),),
        ),
        ImportKind(
            name="openai",
            tool="OpenAI Evals",
            reader="openai_evals:read",
            files=("samples.jsonl",),
            marks=(_all("*.class", "*.args"), _all("[].input", "[].ideal")),
            takes=_all("check"),
        ),
        ImportKind(
            name="openai-api",
            tool="the OpenAI eval API",
            reader="openai_eval_api:read",
            files=("eval.json",),
            marks=(_all("testing_criteria"),),
        ),
        ImportKind(
            name="evalview",
            tool="EvalView",
            reader="evalview:read",
            files=(),
            marks=(_all("input", "*.query", "expected"), _all("turns", "expected", "thresholds")),
        ),
        ImportKind(
            name="tau2",
            tool="τ²-bench",
            reader="tau2:read",
            files=("tasks.json",),
            marks=(_all("[].user_scenario", "[].evaluation_criteria"),),
        ),
        ImportKind(
            name="pydantic-evals",
            tool="pydantic-evals",
            reader="pydantic_evals:read",
            files=(),
            marks=(_all("cases", "*[].inputs"),),
        ),
        ImportKind(
            name="inspect",
            tool="Inspect",
            reader="inspect_ai:read",
            files=(),
            marks=(_all("[].input", "[].target"),),
            takes=_all("check"),
        ),
        ImportKind(
            name="langsmith",
            tool="LangSmith",
            reader="langsmith:read",
            files=(),
            marks=(_all("[].inputs", "[].outputs"),),
            takes=_all("input"),
        ),
        ImportKind(
            name="table",
            tool="a table",
            reader="table:read",
            files=("*.csv", "*.tsv", "*.jsonl"),
            takes=COLUMNS | {"delimiter"},
        ),
    )
}
"""By name. A file is compared with them in this order."""
