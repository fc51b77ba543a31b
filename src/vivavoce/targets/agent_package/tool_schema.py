"""A typed Python function → the JSON Schema a model sees, and the check of what the model sends."""

import inspect
import re
import typing
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, UnsetType

from vivavoce.containment.user_functions import CONTEXT_NAMES
from vivavoce.errors import UsageError

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Returns|Raises|Yields|Examples?|Notes?):\s*$")
_DESCRIBED = re.compile(r"^\s+(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")
_DIRECTIVE = re.compile(r"^\s*:param (?:\w+ )?(\w+):\s*(.*)$")


class FunctionSchema:
    """What a function takes; `arguments` turns a model's JSON into keyword arguments."""

    def __init__(self, function: Callable[..., Any], at: str) -> None:
        self.name = function.__name__
        self.description, described = split_docstring(inspect.getdoc(function) or "")
        parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in CONTEXT_NAMES]
        if any(p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL) for p in parameters):
            raise UsageError(f"tool {self.name}: models call by name, so `/` and `*args` cannot be used", at=at)
        self._open = any(p.kind is p.VAR_KEYWORD for p in parameters)
        named = [p for p in parameters if p.kind is not p.VAR_KEYWORD]
        hints = _hints_of(function, at)
        fields = [_field(p, hints.get(p.name, Any), described.get(p.name)) for p in named]
        try:
            self._struct: Any = msgspec.defstruct(self.name, fields, kw_only=True, forbid_unknown_fields=not self._open)
            self.parameters = _inlined(msgspec.json.schema(self._struct), self.name)
        except (TypeError, NotImplementedError) as error:
            raise UsageError(f"tool {self.name}: its parameters have no JSON form: {error}", at=at) from None
        for parameter in named:
            _note_default(self.parameters["properties"].get(parameter.name), parameter.default)

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """Keyword arguments of the declared types. Raises msgspec.ValidationError with what is wrong."""
        # Lax: models write numbers as strings, and what can only mean one thing should work.
        taken = msgspec.convert(given, self._struct, strict=False)
        known = {name: getattr(taken, name) for name in self._struct.__struct_fields__}
        extra = {name: value for name, value in given.items() if name not in known} if self._open else {}
        return {name: value for name, value in known.items() if value is not UNSET} | extra


def split_docstring(text: str) -> tuple[str, dict[str, str]]:
    """What a docstring says about the function, and about each parameter (`Args:` or `:param x:`)."""
    summary: list[str] = []
    described: dict[str, str] = {}
    section, latest = "", ""
    for line in text.splitlines():
        if heading := _SECTION.match(line):
            section = heading[1]
        elif directive := _DIRECTIVE.match(line):
            described[directive[1]] = directive[2].strip()
        elif line.lstrip().startswith(":"):
            continue
        elif section in ("Args", "Arguments", "Parameters"):
            if found := _DESCRIBED.match(line):
                latest = found[1]
                described[latest] = found[2].strip()
            elif latest and line.strip():
                described[latest] = f"{described[latest]} {line.strip()}".strip()
        elif not section:
            summary.append(line)
    return "\n".join(summary).strip(), described


def _hints_of(function: Callable[..., Any], at: str) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, AttributeError, TypeError) as error:
        raise UsageError(f"tool {function.__name__}: its type hints cannot be read: {error}", at=at) from None


def _field(parameter: inspect.Parameter, hint: Any, description: str | None) -> tuple[str, Any] | tuple[str, Any, Any]:
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        description = next((note for note in notes if isinstance(note, str)), description)
        metas = [note for note in notes if isinstance(note, Meta)]
        hint = Annotated[(hint, *metas)] if metas else hint
    if description:
        hint = Annotated[hint, Meta(description=description)]
    if parameter.default is parameter.empty:
        return parameter.name, hint
    return parameter.name, typing.Union[hint, UnsetType], UNSET  # noqa: UP007 - the hint is a value here


def _inlined(schema: dict[str, Any], name: str) -> dict[str, Any]:
    definitions: dict[str, Any] = dict(schema.get("$defs", {}))
    own: dict[str, Any] = {"type": "object", **definitions.pop(name)}
    own.pop("title", None)
    return {**own, "$defs": definitions} if definitions else own


def _note_default(property_schema: Any, default: Any) -> None:
    if isinstance(property_schema, dict) and isinstance(default, str | int | float | bool):
        property_schema["default"] = default
