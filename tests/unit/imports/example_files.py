"""The small file of each tool that the tests import (tests/data/imports), and what is found in it."""

from pathlib import Path
from typing import Any

from vivavoce.app.importing_tests import problem_of
from vivavoce.imports.found import CodeFile, FoundCase, ImportOptions, Note, Refused
from vivavoce.imports.importing import Account, import_files
from vivavoce.imports.known import KINDS
from vivavoce.model.case import Case
from vivavoce.sources.reading.jsonl import JsonlSource

DATA = Path(__file__).parents[2] / "data" / "imports"
FILES = {
    "skills": "agent-skills/evals.json",
    "promptfoo": "promptfoo/promptfooconfig.yaml",
    "adk": "adk/shop.evalset.json",
    "deepeval": "deepeval/goldens.json",
    "agenteval": "aws-agent-evaluation/agenteval.yml",
    "openai": "openai-evals/shop.yaml",
    "openai-api": "openai-evals-api/eval.json",
    "evalview": "evalview/refund.yaml",
    "tau2": "tau2/tasks.json",
    "pydantic-evals": "pydantic-evals/shop.yaml",
    "inspect": "inspect/shop.json",
    "langsmith": "langsmith/dataset.jsonl",
    "table": "table/cases.jsonl",
}


def found_in(kind: str, file: Path, **options: Any) -> list[FoundCase | Refused | Note | CodeFile]:
    """What the reader of a kind finds in a file."""
    return list(KINDS[kind].read()(file, ImportOptions(folder=file.parent / "out", **options)))


def case_in(kind: str, file: Path | None = None, number: int = 0, **options: Any) -> dict[str, Any]:
    """One case of a file, or of the kind's example."""
    cases = [one for one in found_in(kind, file or DATA / FILES[kind], **options) if isinstance(one, FoundCase)]
    return cases[number].case


def left_out(kind: str, file: Path, **options: Any) -> list[str]:
    """What was told to be left out of every case, and what was refused."""
    told = [one.what for one in found_in(kind, file, **options) if isinstance(one, Refused)]
    cases = [one for one in found_in(kind, file, **options) if isinstance(one, FoundCase)]
    return told + [what for one in cases for what in one.left_out]


def imported(tmp_path: Path, kind: str | None, *files: Path, partial: bool = False, **options: Any) -> list[Account]:
    """The accounts of an import into `out`, as the command makes it."""
    given = ImportOptions(folder=tmp_path / "out", **options)
    return import_files(kind, files, given, partial=partial, problem_of=problem_of)


def cases_of(path: Path | None) -> dict[str, Case]:
    """The cases of a written file, all of which viva reads."""
    assert path is not None
    cases = list(JsonlSource(path, path.name).read())
    assert all(isinstance(case, Case) for case in cases), cases
    return {case.id: case for case in cases if isinstance(case, Case)}
