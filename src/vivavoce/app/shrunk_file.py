"""The result of shrinking as a case file, and the size of a case in words."""

import re
from pathlib import Path

from msgspec import structs

from vivavoce.app.shrinking import Shrinking
from vivavoce.model.case import Case
from vivavoce.model.message import text_of_content
from vivavoce.sources.freezing import append_case
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import one_line

_FILE_NAME = re.compile(r"[^\w.-]+")


def size_of(case: Case) -> str:
    """`3 turns, 12 words`, and what else the conversation has."""
    words = sum(len(text_of_content(turn.content).split()) for turn in case.turns)
    attached = sum(len(turn.attachments) for turn in case.turns)
    parts = [counted(len(case.turns), "turn"), counted(words, "word")]
    parts += [counted(attached, "attachment")] if attached else []
    parts += [counted(len(case.history), "earlier message")] if case.history else []
    return ", ".join(parts)


def write_shrunk(found: Shrinking, run: str, output: str | None) -> tuple[Path, Case]:
    """Writes the smallest case, with a comment that says how often it failed; returns where, and as what."""
    assert found.smallest is not None
    assert found.counted is not None
    case = found.smallest
    path = Path(output) if output is not None else _free(f"{_FILE_NAME.sub('-', case.id)}-shrunk.jsonl")
    is_flaky = found.counted.failed < len(found.counted.attempts)
    runs = len(found.counted.attempts) if is_flaky else case.runs
    case = structs.replace(case, id=f"{case.id}-shrunk", runs=runs, min_pass=None if is_flaky else case.min_pass)
    early = f"\nStopped early, it may not be the smallest: {found.stopped_by}" if found.stopped_by else ""
    tried = counted(found.tried, "conversation")
    comment = (
        f"Shrunk from {one_line(run)}: {size_of(found.start)} → {size_of(case)} in {tried}.\n"
        f"It failed in {found.counted.words}: {one_line(found.error)}{early}"
    )
    return path, append_case(path, case, comment)


def _free(name: str) -> Path:
    """The name, with a number where it is taken."""
    path, number = Path(name), 1
    while path.exists():
        number += 1
        path = Path(name).with_stem(f"{Path(name).stem}-{number}")
    return path
