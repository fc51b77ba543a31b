"""viva run as a user would, in the virtualenv of a framework; and its results read back."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.live.environments import IN_EVERY_RUN, environment, python_of


@dataclass(frozen=True)
class Ran:
    code: int
    text: str
    rows: dict[str, dict[str, Any]]
    """Results by the case's id."""

    def turns(self, case: str) -> list[dict[str, Any]]:
        row = self.rows[case]
        return row.get("turns") or [row]

    def calls(self, case: str) -> list[dict[str, Any]]:
        return [call for turn in self.turns(case) for call in turn.get("tool_calls", [])]

    def statuses(self) -> dict[str, str]:
        return {name: row["status"] for name, row in self.rows.items()}


def interpreter(name: str, *, everything: bool) -> Path:
    """The framework's interpreter. Skips the test, and says so, where it is not to be built."""
    python = python_of(name, build=everything or name in IN_EVERY_RUN)
    if python is None:
        pytest.skip(f"LIVE TESTS OF {name} NOT RUN: its virtualenv is not built; `make live` builds and runs all")
    return python


def viva_in(python: Path, folder: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> Ran:
    """`viva test ARGUMENTS` in a folder; `variables` are added to the environment."""
    results = folder / "results.jsonl"
    results.unlink(missing_ok=True)
    command = [str(python), "-m", "vivavoce", "test", *arguments, "-o", results.name]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment(), "COLUMNS": "400", **(variables or {})},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    return Ran(
        done.returncode,
        done.stdout + done.stderr,
        {row["id"]: row for row in rows if row["type"] == "result"},
    )
