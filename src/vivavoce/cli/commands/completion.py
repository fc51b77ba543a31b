"""`viva completion`: the script a shell needs to complete viva's flags and commands."""

import sys

import click
from click.shell_completion import get_completion_class

from vivavoce.containment.safe_stream import write_data

EPILOG = """\b
Examples:
  viva completion bash >> ~/.bashrc
  viva completion zsh  > ~/.zfunc/_viva
  viva completion fish > ~/.config/fish/completions/viva.fish
"""


@click.command("completion", epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the shell completion script."""
    from vivavoce.cli.main import viva

    completion = get_completion_class(shell)
    assert completion is not None
    write_data(sys.stdout, completion(viva, {}, "viva", "_VIVA_COMPLETE").source() + "\n")
    return 0
