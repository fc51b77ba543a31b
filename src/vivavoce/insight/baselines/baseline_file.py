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
MOST_RUNS = 1_000_000
LARGEST = 1e15
"""The limit for milliseconds, tokens and dollars."""
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
    """The path of the baseline of this name. Raises UsageError for a name that no file can have."""
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise UsageError(f"{name!r} cannot name a baseline", hint="use letters, digits, - and _")
    return project.root / FOLDER / f"{name}.jsonl"


def baseline_names(project: Project) -> list[str]:
    return sorted(path.stem for path in (project.root / FOLDER).glob("*.jsonl"))


def is_baseline(path: Path) -> bool:
    """Whether the first line of a file is that of a baseline."""
    try:
        with path.open("rb") as file:
            _decode_head(file.readline())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True


def read_baseline(path: Path) -> Baseline:
    """Raises UsageError for a file that is not a baseline, and for one that a newer viva wrote."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as problem:
        raise UsageError(f"cannot read it: {problem.strerror or problem}", at=str(path)) from None
    cases: list[BaselineCase] = []
    seen = set[tuple[str, str]]()
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
                cases.append(_possible(_decode_line(line), seen))
        except (msgspec.MsgspecError, UnicodeDecodeError, _Impossible) as problem:
            what = "not a baseline" if head is None else "this line of the baseline cannot be read"
            hint = "`viva baseline set NAME` writes one" if head is None else "restore it from version control"
            raise UsageError(f"{what}: {problem}", at=Origin(str(path), number), hint=hint) from None
    if head is None:
        raise UsageError("not a baseline: it is empty", at=str(path), hint="`viva baseline set NAME` writes one")
    return Baseline(name=head.name, runs=head.runs, cases=tuple(cases))


class _Impossible(ValueError):
    """Counts that no run can have, or a second line for the same case."""


def _possible(case: BaselineCase, seen: set[tuple[str, str]]) -> BaselineCase:
    if (case.key, case.agent) in seen:
        raise _Impossible(f"{case.key} with {case.agent} stands above already")
    seen.add((case.key, case.agent))
    if not 0 <= case.passed <= case.runs <= MOST_RUNS or not 0 <= case.broken <= MOST_RUNS:
        counts = f"passed {case.passed}, runs {case.runs}, broken {case.broken}"
        raise _Impossible(f"{counts}: no case can have passed so often (at most {MOST_RUNS:,} runs count)")
    if not all(0 <= value < LARGEST for value in (*case.durations_ms, *case.tokens, *case.costs)):
        raise _Impossible("a duration, a number of tokens or a cost is below zero or absurdly large")
    return case


def baseline_text(baseline: Baseline) -> str:
    """Returns the content of its file, cases sorted so that version control shows only what changed."""
    lines = [_encode(_Head(version=VERSION, name=baseline.name, runs=baseline.runs))]
    for case in sorted(baseline.cases, key=lambda one: (one.key, one.agent)):
        lines.append(_encode(_Line(**{name: getattr(case, name) for name in BaselineCase.__struct_fields__})))
    return b"\n".join(lines).decode() + "\n"
