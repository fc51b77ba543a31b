"""Cases listed or written instead of run."""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from vivavoce.app.outputs import check_writable
from vivavoce.containment.safe_stream import without_secrets
from vivavoce.engine.agent_files import environment_named_in
from vivavoce.engine.plan.plan import Plan
from vivavoce.errors import UsageError, VivaError
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.written_files import note_written, refuse_foreign
from vivavoce.results.encoding import encoded
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import name_beside_id


def list_cases(plan: Plan, outputs: Sequence[str], project: Project) -> int:
    """One line per case; with an output file the cases themselves go there."""
    for path in outputs:
        if not path.endswith(".jsonl"):
            raise UsageError(f"--dry-run writes cases, not a report: {path}", at="-o", hint="give a .jsonl file")
        check_writable(Path(path))
        refuse_foreign(Path(path), project, at="-o")
        _write_cases(plan, Path(path))
        note_written(Path(path), project)
    secrets = Secrets()
    for case in plan.cases():
        if b"ENV." in (written := encoded(case)):
            values = environment_named_in(msgspec.json.decode(written)).values()
            secrets.add_all(str(value) for value in values if value)
        skipped = f"  (skipped: {case.skip})" if case.skip is not None else ""
        tags = f"  [{', '.join(case.tags)}]" if case.tags else ""
        name = f"  {name}" if (name := name_beside_id(case.id, case.name)) else ""
        sys.stdout.write(secrets.mask(f"{case.key}{without_secrets(f'{name}{tags}{skipped}')}\n"))
    sys.stdout.write(f"{plan.selected:,} of {counted(plan.found, 'case')} selected\n")
    for path in outputs:
        sys.stdout.write(f"written to {path}\n")
    return 0


def _write_cases(plan: Plan, path: Path) -> None:
    try:
        with path.open("wb") as out:
            for case in plan.cases():
                out.write(msgspec.json.encode(encode_case(case)) + b"\n")
    except OSError as error:
        raise VivaError(f"cannot write {path}: {error.strerror}", at="-o") from None
