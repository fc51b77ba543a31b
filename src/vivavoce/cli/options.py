"""The declared options as click's: what a command asks for by group or by name."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

import click

from vivavoce.cli.completing import COMPLETIONS, complete_source
from vivavoce.project.option import Option, OptionGroup
from vivavoce.project.run_options import GROUPS, CaseOptions, ProjectOptions
from vivavoce.project.selecting_options import ContestOptions

F = TypeVar("F", bound=Callable[..., Any])
WHERE_THE_CASES_ARE = "Where the cases are now: file, directory or glob. Repeatable. Default: where they were then."
"""`-i` of commands over recorded runs."""
_FLAGS_COLUMNS = 28
NEWEST = ""
"""`--resume` without a file."""


class _OnceOption(click.Option):
    """An option that may be given once only. Its variable has one value."""

    def value_from_envvar(self, ctx: click.Context) -> Any:
        value = self.resolve_envvar_value(ctx)
        return None if value is None else (value,)


class SectionedCommand(click.Command):
    """Lists its options in its help under what their group is about."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        left = {param.name: record for param in listed if (record := param.get_help_record(ctx)) is not None}
        for group in (ContestOptions, *GROUPS):
            title = (group.__doc__ or "Options").rstrip(".").partition(":")[0]
            _write_section(formatter, title, [left.pop(one.name) for one in group.declared if one.name in left])
        _write_section(formatter, "Other options", list(left.values()))


def _write_section(formatter: click.HelpFormatter, title: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):  # every section with columns of the same width
            formatter.write_dl([(names.ljust(_FLAGS_COLUMNS), line) for names, line in rows], col_max=_FLAGS_COLUMNS)


def groups(*wanted: type[OptionGroup], said: Mapping[str, str] | None = None) -> Callable[[F], F]:
    """All options of these groups. `said` has the help of those that mean something more special to a command."""
    helps = said or {}
    return _stacked(*(click_option(one, helps.get(one.name)) for group in wanted for one in group.declared))


def each(wanted: Iterable[Option]) -> Callable[[F], F]:
    """These options."""
    return _stacked(*map(click_option, wanted))


def named(group: type[OptionGroup], name: str, said: str | None = None) -> Callable[[F], F]:
    """One option of a group; `said` is its help where it means something more special to a command."""
    return click_option(next(one for one in group.declared if one.name == name), said)


def click_option(declared: Option, said: str | None = None) -> Callable[[F], F]:
    """The option as click wants it; what is not given is None."""
    settings: dict[str, Any] = {}
    match declared.kind:
        case "switch":
            settings.update(is_flag=True)
        case "off switch":
            settings.update(is_flag=True, callback=_switched_off)
        case "texts":
            settings.update(multiple=True, callback=_none_if_empty)
        case "number":
            settings.update(type=int if declared.least is None else click.IntRange(min=declared.least))
        case "duration":
            settings.update(callback=_duration, metavar="DURATION")
        case "choice":
            settings.update(type=click.Choice(list(declared.choices)))
        case "optional text":
            settings.update(is_flag=False, flag_value=NEWEST)
        case "text":
            pass
    if declared.once is not None:
        settings.update(cls=_OnceOption, multiple=True, callback=_once(declared.once))
    if declared.metavar is not None:
        settings["metavar"] = declared.metavar
    if declared.completion is not None:
        settings["shell_complete"] = COMPLETIONS[declared.completion]
    return click.option(
        *declared.flags,
        declared.name,
        default=None,
        help=said or declared.help_with_default,
        envvar=declared.variable,
        show_envvar=declared.variable is not None,
        **settings,
    )


def _named_without_a_flag(function: F) -> F:
    """`viva test tests/` is `viva test -i tests/`, but an argument without `-i` is never a message."""

    @wraps(function)
    def with_all_inputs(*, inputs: tuple[str, ...] | None, more_inputs: tuple[str, ...], **flags: Any) -> Any:
        if more_inputs:
            from vivavoce.sources.discover import refuse_message

            for text in more_inputs:
                refuse_message(text)
        return function(inputs=(*(inputs or ()), *more_inputs), **flags)

    wrapped: Any = with_all_inputs
    return wrapped


def _stacked(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        wrapped: Any = function
        for decorator in reversed(options):
            wrapped = decorator(wrapped)
        return wrapped

    return decorate


def _duration(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A Go-style duration (500ms, 30s, 2m30s, 1h)."""
    from vivavoce.notation.durations import parse_duration

    if value is not None:
        try:
            parse_duration(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None
    return value


def _switched_off(_ctx: click.Context, _param: click.Parameter, value: bool | None) -> bool | None:
    return False if value else None


def _none_if_empty(_ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    return value or None


def _once(hint: str) -> Callable[[click.Context, click.Parameter, tuple[str, ...] | None], str | None]:
    def only_one(ctx: click.Context, param: click.Parameter, value: tuple[str, ...] | None) -> str | None:
        if value and len(value) > 1:
            raise click.BadParameter(f"given {len(value)} times ({hint})", ctx, param)
        return value[0] if value else None

    return only_one


project_options = groups(ProjectOptions)

source_options = _stacked(
    click.argument("more_inputs", nargs=-1, metavar="[SOURCE]...", shell_complete=complete_source),
    groups(CaseOptions),
    _named_without_a_flag,
)
