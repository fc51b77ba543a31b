"""The declared run options as pytest's: `--viva-NAME`."""

from typing import TYPE_CHECKING, Any

import pytest

from vivavoce.project.option import Option, parse
from vivavoce.project.run_options import RUN_OPTIONS

if TYPE_CHECKING:
    from vivavoce.errors import VivaError

_OFFERED = [one for one in RUN_OPTIONS if one.pytest is not None]
"""pytest has its own ways to select, to order, to spread and to show tests."""


def add_options(group: pytest.OptionGroup) -> None:
    """Adds every option that makes sense under pytest."""
    for one in _OFFERED:
        assert one.pytest is not None
        settings: dict[str, Any] = {}
        match one.kind:
            case "switch":
                settings.update(action="store_const", const=True)
            case "off switch":
                settings.update(action="store_const", const=False)
            case "texts":
                settings.update(action="append", metavar=one.metavar)
            case "optional text":
                settings.update(nargs="?", const="", metavar=one.metavar)
            case "choice":
                settings.update(choices=one.choices)
            case _:
                settings.update(metavar=one.metavar or one.kind.upper())
        help_text = one.help_with_default.replace("%", "%%")
        group.addoption(one.pytest, dest=_key(one), default=None, help=help_text, **settings)


def given_to(config: pytest.Config) -> dict[str, object]:
    """The options given on pytest's command line, by name. Raises pytest.UsageError for a bad value."""
    given: dict[str, object] = {}
    for one in _OFFERED:
        value: Any = config.getoption(_key(one))
        if isinstance(value, str) and one.pytest is not None:
            value = _parsed(one, value, one.pytest)
        if value is not None:
            given[one.name] = value
    return given


def _parsed(one: Option, value: str, flag: str) -> object:
    from vivavoce.errors import UsageError

    try:
        return parse(one, value, flag)
    except UsageError as problem:
        raise pytest.UsageError(str(problem)) from None


def in_pytest(problem: "VivaError") -> "VivaError":
    """The problem with pytest's flags instead of viva's."""
    from vivavoce.app.flag_words import reworded
    from vivavoce.errors import UsageError

    words = {flag: one.pytest for one in _OFFERED if one.pytest is not None for flag in one.flags}
    return reworded(problem, words) if isinstance(problem, UsageError) else problem


def _key(one: Option) -> str:
    return f"viva_{one.name}"
