"""Which tools there are, and that each describes itself."""

from pathlib import Path

from vivavoce.cli.help_page import COMMANDS
from vivavoce.mcp_server.tools import Tools


def test_tools_of_commands_that_are_not_there_are_not_offered(tmp_path: Path):
    assert set(Tools(tmp_path).offered(("list", "test", "show"))) == {"list", "run", "show"}


def test_every_tool_says_what_it_does_and_what_each_argument_means(tmp_path: Path):
    for name, tool in Tools(tmp_path).offered(COMMANDS).items():
        text = tool.__doc__ or ""
        assert len(text.strip().splitlines()[0]) > 40, name
        for argument in tool.__annotations__.keys() - {"return"}:
            assert argument in text, f"{name}: {argument}"
