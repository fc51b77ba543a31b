"""Documentation pages as something that runs: files to write, commands to try.

A fence whose info string names a path (```jsonl tests/cases.jsonl) is written to that file. Every line of a `bash`
fence that begins with `viva` is run, in order, in the same folder; `# exits N` at its end says what it must exit with.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w+)(?: +(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class File:
    name: str
    content: str


@dataclass(frozen=True)
class Command:
    arguments: list[str]
    exits: int


def steps_of(page: Path) -> Iterator[File | Command]:
    """What a reader would do, from top to bottom."""
    for language, name, content in _FENCE.findall(page.read_text()):
        if name:
            yield File(name, content)
        elif language == "bash":
            yield from (_command(line) for line in content.splitlines() if line.startswith("viva "))


def _command(line: str) -> Command:
    exits = re.search(r"#.*\bexits (\d+)", line)
    return Command(shlex.split(line, comments=True)[1:], int(exits[1]) if exits else 0)
