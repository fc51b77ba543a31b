"""`viva`: one file per command; only the one that runs is imported."""

import gc
import os
import re
import sys
from collections.abc import Callable
from errno import EBADF, ENAMETOOLONG
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource

from vivavoce.cli.help_page import COMMANDS, HELP_LINES, help_page
from vivavoce.containment.early_interrupt import leave_on_ctrl_c, raise_on_ctrl_c
from vivavoce.containment.guard_process import sign_off
from vivavoce.containment.own_streams import own_streams
from vivavoce.containment.silent_exit import no_silent_exit
from vivavoce.containment.taken_python import taken_so_far, watch_what_is_taken
from vivavoce.version import __version__

_PIPE_CLOSED = 141
_INTERRUPTED = 130
_PLAINER = {
    r" \(env var: '\w+'\)": "",
    r"is not a valid integer(?: range)?": "is not a whole number",
    r"is not a valid float range": "is not a number",
    r"is not in the range x>=(\S+?)\.?$": r"is too small: at least \1",
    r"is not in the range (\S+?)<=x<=(\S+?)\.?$": r"is not between \1 and \2",
}
"""Words of click that say less than plain ones, as patterns."""


class LazyGroup(click.Group):
    """Knows every command by name; imports only the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_help(self, ctx: click.Context) -> str:
        return help_page()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module: Any = import_module(f"vivavoce.cli.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        command.short_help = HELP_LINES[cmd_name]  # which shell completion shows too
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of our output is gone (`viva test | head`): that is no error. click would answer 1.
            raise click.exceptions.Exit(_PIPE_CLOSED) from None
        except EOFError as error:
            # click would take it for Ctrl-D and say nothing. Python raises it for bytecode that a full disk cut.
            from vivavoce.errors import VivaError

            hint = "is bytecode damaged? remove the __pycache__ folders"
            raise VivaError(f"something that was read ends too early: {error}", hint=hint) from None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[:1] == ["help"]:  # as git, cargo and npm have it
            if len(args) == 1:
                click.echo(ctx.get_help())
                ctx.exit(0)
            args = [*args[1:], "--help"]
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from vivavoce.errors import UsageError, did_you_mean

            hint = did_you_mean(args[0], list(COMMANDS)) or "viva --help lists them"
            raise UsageError(f"no such command {args[0]!r}", hint=hint)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", message="viva %(version)s")
@click.pass_context
def viva(ctx: click.Context) -> None:
    """viva: the oral exam for AI agents."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def main(work: Callable[[], Any] | None = None) -> None:
    """The whole command: whatever goes wrong ends in one line and the right exit code.

    `work` replaces what the command line asks for; it returns an exit code.
    """
    with own_streams():
        try:
            code = _exit_code(work or _by_command_line)
            leave_on_ctrl_c()
        except KeyboardInterrupt:  # the second one, or while it was told what is wrong
            code = _INTERRUPTED
            leave_on_ctrl_c()
    sign_off(code)
    # What is left is not collected any more: msgspec 0.22 frees the types of a schema twice then, and crashes.
    gc.freeze()
    # Not sys.exit: the code under test may have replaced it.
    raise SystemExit(code)


def _by_command_line() -> Any:
    return viva.main(prog_name="viva", standalone_mode=False)


def _exit_code(work: Callable[[], Any]) -> int:
    try:
        raise_on_ctrl_c()
        with no_silent_exit():
            code: Any = work()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # which click 8.1 does not have
            click.echo(error.format_message(), err=True)
            return 2
        _complain(error.format_message() if not isinstance(error, click.UsageError) else _usage_text(error))
        return 2
    except click.Abort:
        return _INTERRUPTED
    except BrokenPipeError:
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - the last line: nobody should meet a traceback
        watch_what_is_taken()
        return _last_words(error)


def _last_words(error: BaseException) -> int:
    from vivavoce.errors import EXIT_BROKEN, EXIT_USAGE, ManyProblems, VivaError
    from vivavoce.wording.plurals import counted

    if isinstance(error, ManyProblems):
        for problem in error.problems[:200]:
            _complain(str(problem))
        more = len(error.problems) - 200
        if more > 0:
            _complain(f"… and {more} more")
        _complain(f"{counted(len(error.problems), 'problem')}; nothing was run")
        return error.exit_code
    if isinstance(error, VivaError):
        _complain(str(error))
        return error.exit_code
    if isinstance(error, OSError):
        what = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        hint = " (does the code under test close what it did not open?)" if error.errno == EBADF else ""
        _complain(what + hint)
        # No file can have such a name: the user wrote it.
        return EXIT_USAGE if error.errno == ENAMETOOLONG else EXIT_BROKEN
    if names := taken_so_far():
        _complain(f"the code under test replaced or removed {names} of Python itself: the run is not complete")
        return EXIT_BROKEN
    if "VIVA_DEBUG" in os.environ:
        from traceback import print_exception

        print_exception(error, file=sys.stderr)
    _complain(f"viva itself broke: {type(error).__name__}: {error} (set VIVA_DEBUG=1 for the traceback)")
    return EXIT_BROKEN


def _usage_text(error: click.UsageError) -> str:
    command = error.ctx.command_path if error.ctx else "viva"
    what = error.format_message().removesuffix(".")
    for jargon, plain in _PLAINER.items():
        what = re.sub(jargon, plain, what)
    hint = _as_flag(error, what) or f"{command} --help shows the flags"
    return f"{what}{_from_variable(error)} ({hint})"


def _as_flag(error: click.UsageError, what: str) -> str:
    """How an agent is named where a command takes no arguments: people write `viva chat shop`."""
    extra = re.fullmatch(r"Got unexpected extra argument \((\S+)\)", what)
    takes_agent = error.ctx is not None and any("-n" in param.opts for param in error.ctx.command.params)
    return f"an agent is named with -n {extra[1]}" if extra and takes_agent else ""


def _from_variable(error: click.UsageError) -> str:
    """Where a bad value came from, when nobody typed it."""
    if not isinstance(error, click.BadParameter) or error.ctx is None or error.param is None or not error.param.name:
        return ""
    source = error.ctx.get_parameter_source(error.param.name)
    return f"; the value comes from {error.param.envvar}" if source is ParameterSource.ENVIRONMENT else ""


def _hide_secrets() -> None:
    """What is wrong may be said before the command has opened its project, and quote a secret of it."""
    from vivavoce.containment.safe_stream import secrets_are_known

    if not secrets_are_known():
        from vivavoce.app.opening import hide_secrets_around

        hide_secrets_around()


def _complain(text: str) -> None:
    _hide_secrets()
    try:
        print(f"viva: {text}", file=sys.stderr)
    except (OSError, ValueError):
        # The code under test closed it: one more may be left.
        print(f"viva: {text}", file=sys.__stderr__)
