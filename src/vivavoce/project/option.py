"""What a run option is: one entry gives its flag, VIVA_ variable, `run:` field, Python keyword and help.

Loaded with every pytest run, so nothing heavy is imported here.
"""

import re
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from vivavoce.errors import UsageError
    from vivavoce.model.json_value import JsonValue

T = TypeVar("T")

Duration: TypeAlias = str | float
"""Seconds, or `2m30s`."""
Texts: TypeAlias = str | Path | Sequence[str | Path]
"""One text or path, or several."""
Kind = Literal["text", "texts", "switch", "off switch", "number", "duration", "choice", "optional text"]
_UNUSABLE = "[\0\ud800-\udc7f\udd00-\udfff]"
"""NUL and half surrogate pairs. Those from DC80 to DCFF are allowed: they are bytes of names that are not UTF-8."""
_LONGEST_SHOWN = 80
_YES, _NO = ("1", "true", "yes", "on", "y", "t"), ("", "0", "false", "no", "off", "n", "f")


class Option(NamedTuple):
    """One option of a run, as declared in run_options.py."""

    flags: tuple[str, ...]
    """As written on the command line: `-j`, `--parallel`. The first long one is the main one."""
    help: str
    kind: Kind = "text"
    metavar: str | None = None
    least: int | None = None
    """The smallest number allowed."""
    choices: tuple[str, ...] = ()
    shown_default: str | None = None
    """The default in the help, if it is decided elsewhere."""
    variable: str | None = None
    """The environment variable, if there is one."""
    setting: str | None = None
    """The field of `run:` in viva.yaml, if there is one."""
    setting_help: str | None = None
    """The description of that field in the JSON schema; None for the help of the flag."""
    pytest: str | None = None
    """The flag of pytest; None if pytest has its own option, or if the option needs a terminal."""
    decides_result: bool = False
    """Whether the option can change the result of a case: the "run again" command then repeats it."""
    completion: str | None = None
    """What the shell completes: `agents`, `sources` or `tags`."""
    once: str | None = None
    """The hint if the option is given twice; None if the last value counts."""
    takes_objects: bool = False
    """Whether Python code may pass an object instead of a text: an agent, a context."""
    name: str = ""
    """The Python keyword and the field of the request."""
    default: "JsonValue" = None

    @property
    def main_flag(self) -> str:
        return next(flag for flag in self.flags if flag.startswith("--"))

    @property
    def help_with_default(self) -> str:
        default = self.shown_default
        if default is None and not isinstance(self.default, bool | tuple | None):
            default = str(self.default)
        return self.help if default is None else f"{self.help.removesuffix('.')} [{default}]."


def option(
    *flags: str,
    default: T,
    help: str,  # noqa: A002 - as click calls it
    kind: Kind = "text",
    metavar: str | None = None,
    least: int | None = None,
    choices: tuple[str, ...] = (),
    shown_default: str | None = None,
    variable: str | bool = True,
    setting: str | bool = True,
    setting_help: str | None = None,
    pytest: str | bool = True,
    decides_result: bool = False,
    completion: str | None = None,
    once: str | None = None,
    takes_objects: bool = False,
) -> T:
    """Declares an option as a field of an option group.

    `True` for variable, setting or pytest: its name is made from the main flag. `False`: there is none.
    """
    words = next(flag for flag in flags if flag.startswith("--")).removeprefix("--")

    def named(given: str | bool, derived: str) -> str | None:
        return given if isinstance(given, str) else derived if given else None

    declared: JsonValue = Option(
        flags=flags,
        help=help,
        kind=kind,
        metavar=metavar,
        least=least,
        choices=choices,
        shown_default=shown_default,
        variable=named(variable, f"VIVA_{words.replace('-', '_').upper()}"),
        setting=named(setting, words.replace("-", "_")),
        setting_help=setting_help,
        pytest=named(pytest, f"--viva-{words}"),
        decides_result=decides_result,
        completion=completion,
        once=once,
        takes_objects=takes_objects,
        default=default,
    )
    return declared


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class OptionGroup:
    """Base of classes whose fields are options: frozen data, created from keywords.

    Not a dataclass, because creating nine of them takes longer than the rest of reading a command line.
    """

    declared: ClassVar[tuple[Option, ...]] = ()
    """The options of the group, those of its bases included."""

    def __init_subclass__(cls, *, kw_only: bool = True) -> None:
        """`kw_only=False` lets callers pass the group's own fields by position; it is only for type checkers."""
        found = {one.name: one for base in cls.__bases__ for one in getattr(base, "declared", ())}
        for name, value in list(vars(cls).items()):
            if isinstance(value, Option):
                found[name] = value._replace(name=name)
                setattr(cls, name, value.default)
        cls.declared = tuple(found.values())

    def __init__(self, **values: object) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(frozenset(vars(self)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def parse(declared: Option, text: str, at: str) -> "JsonValue":
    """Parses the text of a variable or of pytest's flag. Raises UsageError; `at` names the source of the text."""
    match declared.kind:
        case "switch" | "off switch":
            if text.lower() not in (*_YES, *_NO):
                raise _bad(f"bad value {text!r}", at, "use 1 or 0")
            is_yes = text.lower() in _YES
            return is_yes if declared.kind == "switch" else (False if is_yes else None)
        case "texts":
            return tuple(text.split())
        case "number":
            try:
                return checked(declared, int(text), at)
            except ValueError:
                raise _bad(f"{text!r} is not a whole number", at) from None
        case _:
            return checked(declared, text, at)


def checked(declared: Option, value: "JsonValue", at: str) -> "JsonValue":
    """Returns a valid value, a path as text. Raises UsageError for an invalid one."""
    if isinstance(value, Path):
        value = str(value)
    if value is None or (declared.takes_objects and not isinstance(value, str)):
        return value
    match declared.kind:
        case "number":
            _check_number(declared, value, at)
        case "duration":
            seconds_of(value, at)
        case "switch" | "off switch":
            if not isinstance(value, bool):
                # "no" and "false" are true to Python.
                raise _bad(f"{at} must be True or False, not {shown_value(value)}")
        case "texts":
            return _checked_texts(declared, value, at)
        case _:
            _check_text(declared, value, at)
    return value


def _check_text(declared: Option, value: object, at: str) -> None:
    if declared.choices and value not in declared.choices:
        raise _bad(f"bad value {shown_value(value)}", at, f"use {' or '.join(declared.choices)}")
    if not isinstance(value, str):
        raise _bad(f"{at} must be a text, not {shown_value(value)}")
    if value == "" and declared.kind == "text":
        # Treated as a missing option, an empty value would test another agent, or all cases, and might pass.
        hint = "leave the option out, or give it a value: a variable of the shell may be unset"
        raise _bad("the value is empty", declared.main_flag if at == declared.name else at, hint)
    if not value.isprintable() and re.search(_UNUSABLE, value):
        raise _bad(f"{at} has a character that no file, name or message can have: {shown_value(value)}")


def _checked_texts(declared: Option, value: Any, at: str) -> "JsonValue":
    """Returns several texts as a tuple, also those of an iterator."""
    if isinstance(value, str):
        _check_text(declared, value, at)
        return value
    if not is_list_like(value):
        raise _bad(f"{at} must be a text or a list of texts, not {shown_value(value)}")
    texts = tuple(str(one) if isinstance(one, Path) else one for one in value)
    for one in texts:
        _check_text(declared, one, at)
    return tuple(map(str, texts))


def is_list_like(value: object) -> bool:
    """Whether a Python argument may stand for several values: an iterable, but not bytes, a dict or a class."""
    return hasattr(value, "__iter__") and not issubclass(type(value), (bytes, dict, type))


def shown_value(value: object) -> str:
    """A value as an error message quotes it."""
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"


def _check_number(declared: Option, value: object, at: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _bad(f"{at} must be a whole number, not {shown_value(value)}")
    if declared.least is not None and value < declared.least:
        raise _bad(f"{at} must be at least {declared.least}, not {value}")


def seconds_of(duration: Duration, at: str) -> float:
    """Returns the seconds of a duration. Raises UsageError for a bad one."""
    from vivavoce.notation.durations import parse_duration

    try:
        if isinstance(duration, bool):
            raise TypeError
        seconds = parse_duration(duration) if isinstance(duration, str) else float(duration)
    except TypeError:
        raise _bad(f"{at} must be seconds or a text like 2m30s, not {shown_value(duration)}") from None
    except (ValueError, OverflowError) as error:
        raise _bad(str(error), at) from None
    if not 0 < seconds < inf:
        raise _bad(f"bad duration {duration!r}: it must be longer than zero and not infinite", at)
    return seconds


def texts_of(given: Texts) -> tuple[str, ...]:
    """Returns several texts as a tuple; one text becomes a tuple of one."""
    return (str(given),) if isinstance(given, str | Path) else tuple(str(one) for one in given)


def _bad(what: str, at: str | None = None, hint: str | None = None) -> "UsageError":
    from vivavoce.errors import UsageError

    return UsageError(what, at=at, hint=hint)
