"""What a coding agent may name: files of the project, its runs, its agents by name. Nothing else."""

import re
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.project.inside import refuse_outside

_CASE = re.compile(r"(::.*|:\d+)$", re.DOTALL)
"""What may follow a path: `::ID`, `:LINE`."""
_REFERENCE = re.compile(r"(agents|scripts)[:.]")
_RUN = re.compile(r"last(~\d+)?|[0-9a-f]{4,40}")


def project_path(text: str, root: Path) -> str:
    """The path of case files as it was given. Raises UsageError when it lies outside the project."""
    bare = _CASE.sub("", text)
    if not bare.strip() or bare == "-" or _REFERENCE.match(bare):
        raise UsageError(f"not a path: {text!r}", hint="give files or folders of the project, like tests/a.jsonl::T1")
    refuse_outside(bare, root)
    return text


def recorded_run(text: str, root: Path) -> str:
    """`last`, `last~1`, a run id, or a result file inside the project; `::CASE` may follow. Raises UsageError."""
    run = text.partition("::")[0]
    if not _RUN.fullmatch(run):
        refuse_outside(run, root)
    return text


def agent_name(text: str) -> str:
    """The name of an agent of the project. Raises UsageError for a reference, which could run any code."""
    if not re.fullmatch(r"[\w][\w .-]*", text):
        raise UsageError(f"not the name of an agent: {text!r}", hint="give a name from viva.yaml or below assistants/")
    return text
