"""The kinds of files that can be imported, and how one is recognised."""

from importlib import import_module
from pathlib import Path

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.imports.found import Reader


class ImportKind(Struct, frozen=True, kw_only=True):
    """A kind of foreign test file."""

    name: str
    tool: str
    """As its users call it."""
    reader: str
    """`module:function` in this folder."""
    files: tuple[str, ...]
    """What its files are usually called, as patterns."""

    def read(self) -> Reader:
        module, _, name = self.reader.partition(":")
        return getattr(import_module(f"vivavoce.imports.{module}"), name)


KINDS = {
    kind.name: kind
    for kind in (
        ImportKind(name="skills", tool="Agent Skills", reader="agent_skills:read", files=("evals.json",)),
        ImportKind(
            name="promptfoo",
            tool="promptfoo",
            reader="promptfoo.config:read",
            files=("promptfooconfig.*", "*promptfoo*.yaml", "*promptfoo*.yml"),
        ),
        ImportKind(
            name="adk",
            tool="Google ADK",
            reader="google_adk:read",
            files=("*.evalset.json", "*.test.json", "*evalset*.json"),
        ),
        ImportKind(name="deepeval", tool="DeepEval", reader="deepeval:read", files=("*goldens*.json", "*goldens*.csv")),
        ImportKind(name="agenteval", tool="AWS Agent Evaluation", reader="agenteval:read", files=("agenteval.y*ml",)),
        ImportKind(name="openai", tool="OpenAI Evals", reader="openai_evals:read", files=("samples.jsonl",)),
        ImportKind(name="openai-api", tool="the OpenAI eval API", reader="openai_eval_api:read", files=("eval.json",)),
        ImportKind(name="evalview", tool="EvalView", reader="evalview:read", files=()),
        ImportKind(name="tau2", tool="τ²-bench", reader="tau2:read", files=("tasks.json",)),
        ImportKind(name="pydantic-evals", tool="pydantic-evals", reader="pydantic_evals:read", files=()),
        ImportKind(name="inspect", tool="Inspect", reader="inspect_ai:read", files=()),
        ImportKind(name="langsmith", tool="LangSmith", reader="langsmith:read", files=()),
        ImportKind(name="table", tool="a table", reader="table:read", files=("*.csv", "*.tsv", "*.jsonl")),
    )
}
"""By name, in the order in which a file is tried."""


def kind_of(path: Path) -> ImportKind:
    """The kind that a file's name tells. Raises UsageError when none does."""
    for kind in KINDS.values():
        if any(path.match(pattern) for pattern in kind.files):
            return kind
    known = ", ".join(KINDS)
    raise UsageError(f"{path}: nobody can tell which tool wrote it", hint=f"say so: viva import KIND {path} ({known})")
