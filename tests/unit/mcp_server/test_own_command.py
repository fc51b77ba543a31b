"""A tool call as a process of its own."""

from pathlib import Path

import pytest

from vivavoce.errors import VivaError
from vivavoce.mcp_server.own_command import run_viva, shortened


async def test_the_answer_is_what_the_command_prints(tmp_path: Path):
    assert (await run_viva(["--version"], tmp_path)).startswith("viva ")


async def test_an_error_is_told_in_the_words_of_the_command(tmp_path: Path):
    with pytest.raises(VivaError, match=r"^no such command 'tset' \(did you mean 'test'\?\)"):
        await run_viva(["tset"], tmp_path)


def test_a_long_answer_keeps_its_beginning_and_its_end():
    text = shortened("begin" + "x" * 100_000 + "end")
    assert len(text) < 21_000
    assert text.startswith("begin")
    assert text.endswith("end")
    assert "characters left out" in text
