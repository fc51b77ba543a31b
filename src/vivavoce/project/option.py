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
_UNUSABLE = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")
"""NUL, and halves of characters. Those from DC80 to DCFF stand for bytes of names that are no UTF-8."""
_LONGEST_SHOWN = 80
_NO_LISTS = (bytes, dict)
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
    """What the help shows as the default, where that is decided elsewhere."""
    variable: str | None = None
    """The environment variable; None when there is none."""
    setting: str | None = None
    """The field of `run:` in viva.yaml; None when there is none."""
    setting_help: str | None = None
    """What the JSON schema says of that field; None: the help of the flag."""
    pytest: str | None = None
    """pytest's flag; None where pytest has its own way or nobody sits at a terminal."""
    decides_result: bool = False
    """Whether running one case again needs it to get the same result."""
    completion: str | None = None
    """What a shell completes for it."""
    once: str | None = None
    """The hint for those who give it twice; None: the last one counts."""
    takes_objects: bool = False
    """Whether Python may give something else than a text: an agent, a context."""
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
    """A field of an option group. `True` for variable, setting or pytest: named after the main flag; False: none."""
    words = next(flag for flag in flags if flag.startswith("--")).removeprefix("--")

    def named(said: str | bool, form: str) -> str | None:
        return said if isinstance(said, str) else form if said else None

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
    """A group of options as the fields of a class: frozen data, made from keywords.

    A dataclass would do the same; to make nine of them costs more than all the rest of reading a command line.
    """

    declared: ClassVar[tuple[Option, ...]] = ()
    """The options of the group, those of its bases included."""

    def __init_subclass__(cls, *, kw_only: bool = True) -> None:
        """`kw_only=False`: the group's own fields may be given by position. Only type checkers need to know."""
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
    """The value a variable or pytest's flag stands for. Raises UsageError; `at` says where the text stands."""
    match declared.kind:
        case "switch" | "off switch":
            if text.lower() not in (*_YES, *_NO):
                raise _bad(f"bad value {text!r}", at, "use 1 or 0")
            said = text.lower() in _YES
            return said if declared.kind == "switch" else (False if said else None)
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
    """The value, if the option can have it; a path from Python as text. Raises UsageError otherwise."""
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
        # Taken for an option that was left out, it would examine another agent, or all cases, and be green.
        hint = "leave the option out, or give it a value: a variable of the shell may be unset"
        raise _bad("the value is empty", declared.main_flag if at == declared.name else at, hint)
    if _UNUSABLE.search(value):
        raise _bad(f"{at} has a character that no file, name or message can have: {shown_value(value)}")


def _checked_texts(declared: Option, value: Any, at: str) -> "JsonValue":
    """Several texts as a tuple: what can be read only once is read here."""
    if isinstance(value, str):
        _check_text(declared, value, at)
        return value
    if issubclass(type(value), (type, *_NO_LISTS)) or not hasattr(value, "__iter__"):
        raise _bad(f"{at} must be a text or a list of texts, not {shown_value(value)}")
    texts = tuple(str(one) if isinstance(one, Path) else one for one in value)
    for one in texts:
        _check_text(declared, one, at)
    return tuple(map(str, texts))


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
    """Raises UsageError for what is no length of time."""
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
        raise _bad(f"bad duration {duration!r}: it must be longer than zero, and end", at)
    return seconds


def texts_of(given: Texts) -> tuple[str, ...]:
    """One text is a list of one."""
    return (str(given),) if isinstance(given, str | Path) else tuple(str(one) for one in given)


def _bad(what: str, at: str | None = None, hint: str | None = None) -> "UsageError":
    from vivavoce.errors import UsageError

    return UsageError(what, at=at, hint=hint)
