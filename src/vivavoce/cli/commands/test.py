"""`viva test`: the main job."""

from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import GROUPS, CaseOptions

EPILOG = """\b
Examples:
  viva test                                       the project's own tests (viva.yaml)
  viva test tests/ more/cases.jsonl               these files and folders; the same as -i tests/ -i more/cases.jsonl
  viva test -i tests/cases.jsonl -n shop          a file against a named agent
  viva test -i tests/cases.jsonl::T003 -v         one case, with every message
  viva test -i "Where is my order?" -n shop       a direct message
  viva test -i tests/ -j 8 --runs 5 -o out.html   stability, in parallel
  viva test --last-failed                         only what did not pass
"""


@click.command("test", cls=options.SectionedCommand, epilog=EPILOG, context_settings={"max_content_width": 110})
@options.source_options
@options.groups(*(group for group in GROUPS if group is not CaseOptions))
def command(**flags: Any) -> int:
    """Examine an agent with test cases and answer PASS (0) or FAIL (1).

    Exit codes: 0 all passed, 1 some did not, 2 your input or configuration is wrong, 3 viva or the environment
    broke, 130 interrupted.
    """
    from vivavoce.cli.examining import examine_at_terminal

    if flags.pop("watch"):
        from vivavoce.cli.watching.at_terminal import watch_at_terminal

        return watch_at_terminal(flags)
    return examine_at_terminal(flags)
