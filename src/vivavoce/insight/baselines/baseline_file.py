"""Baselines as files that can be committed: `baselines/NAME.jsonl`, a head line and one line per case and agent."""

import re
from pathlib import Path

import msgspec
from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.insight.baselines.baseline import Baseline, BaselineCase, BaselineRun
from vivavoce.model.case import Origin
from vivavoce.project.project import Project

FOLDER = "baselines"
VERSION = 1
_NAME = re.compile(r"[\w.-]+")


class _Head(Struct, frozen=True, kw_only=True, tag_field="type", tag="baseline", omit_defaults=True):
    version: int
    name: str
    runs: tuple[BaselineRun, ...] = ()


class _Line(BaselineCase, frozen=True, kw_only=True, tag_field="type", tag="case", omit_defaults=True):
    """A case of a baseline as a line of its file."""


_decode_head = msgspec.json.Decoder(_Head).decode
_decode_line = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


def baseline_path(name: str, project: Project) -> Path:
    """Where a baseline of this name lies. Raises UsageError for a name that cannot be a file's."""
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise UsageError(f"{name!r} cannot name a baseline", hint="use letters, digits, - and _")
    return project.root / FOLDER / f"{name}.jsonl"


def baseline_names(project: Project) -> list[str]:
    return sorted(path.stem for path in (project.root / FOLDER).glob("*.jsonl"))


def is_baseline(path: Path) -> bool:
    """Whether a file begins as a baseline does."""
    try:
        with path.open("rb") as file:
            _decode_head(file.readline())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True


def read_baseline(path: Path) -> Baseline:
    """Raises UsageError for a file that is no baseline, or one that a newer viva wrote."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as problem:
        raise UsageError(f"cannot read it: {problem.strerror or problem}", at=str(path)) from None
    cases: list[BaselineCase] = []
    head: _Head | None = None
    for number, line in enumerate(lines, 1):
        try:
            if head is None:
                head = _decode_head(line)
                if head.version > VERSION:
                    raise UsageError(
                        f"a newer viva wrote it (version {head.version})", at=str(path), hint="update viva"
                    )
            elif line.strip():
                cases.append(_decode_line(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            what = "not a baseline" if head is None else "this line of the baseline cannot be read"
            hint = "`viva baseline set NAME` writes one" if head is None else "restore it from version control"
            raise UsageError(f"{what}: {problem}", at=Origin(str(path), number), hint=hint) from None
    if head is None:
        raise UsageError("not a baseline: it is empty", at=str(path), hint="`viva baseline set NAME` writes one")
    return Baseline(name=head.name, runs=head.runs, cases=tuple(cases))


def baseline_text(baseline: Baseline) -> str:
    """Returns the content of its file, cases sorted so that version control shows only what changed."""
    lines = [_encode(_Head(version=VERSION, name=baseline.name, runs=baseline.runs))]
    for case in sorted(baseline.cases, key=lambda one: (one.key, one.agent)):
        lines.append(_encode(_Line(**{name: getattr(case, name) for name in BaselineCase.__struct_fields__})))
    return b"\n".join(lines).decode() + "\n"
