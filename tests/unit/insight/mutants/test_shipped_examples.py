"""The tests of the shipped examples are strong, and every weakening of them lowers their score."""

import os
import sys
from pathlib import Path

import pytest
from tests.fakes.weakening import weakness_of

from vivavoce.cli.commands.init import KINDS

pytestmark = pytest.mark.process

LIVE = {"openai_agents"}
"""Needs a framework that is not installed beside viva: tests/live/test_example_scores.py."""


@pytest.mark.parametrize("example", sorted({kind.folder for kind in KINDS.values()} - LIVE))
async def test_the_score_is_high_and_every_weakening_lowers_it(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # The servers of examples are started as `python3`.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    found = await weakness_of(example, tmp_path)
    assert found.tried >= 5
    assert found.score >= 90
    assert found.harmless == []
