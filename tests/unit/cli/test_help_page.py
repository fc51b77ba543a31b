"""The page of `viva --help` says what the command line parser knows."""

import click

from vivavoce.cli.help_page import COMMANDS, help_page
from vivavoce.cli.main import viva

LONGEST_LINE = 78
"""What fits into a terminal of 80 columns; the examples may be longer."""


def test_every_option_of_viva_itself_is_named_with_its_help():
    with click.Context(viva, info_name="viva", **viva.context_settings) as context:
        records = [one.get_help_record(context) for one in viva.get_params(context)]
        usage = viva.get_usage(context)
    page = help_page()
    assert page.startswith(usage)
    assert len(records) == 2
    lines = [line.split(maxsplit=2) for line in page.partition("Options:\n")[2].splitlines()[:2]]
    assert [(" ".join(line[:2]), line[2]) for line in lines] == records


def test_the_parser_shows_the_same_page():
    with click.Context(viva, info_name="viva") as context:
        assert viva.get_help(context) == help_page()
        assert viva.list_commands(context) == list(COMMANDS)


def test_every_line_fits_into_a_small_terminal():
    lines = help_page().partition("Examples:")[0].splitlines()
    assert [line for line in lines if len(line) > LONGEST_LINE] == []
