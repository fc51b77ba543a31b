"""What an agent wrote may be said to an agent, but must not be run: no commands, no code of its choosing."""

import re

from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object

_RUN_SOMETHING = ("hooks", "before", "after", "agent")
_NAME_SOMEONE = frozenset({"use", "script", "simulator"})
_OF_THIS_PROJECT = re.compile(r"(?:agents:|scripts[:.])?[\w.-]+")
"""An agent or script the project has, by its plain id: never `cmd:…`, `python:…`, `module:function` or a path."""


def refuse_foreign_code(raw: JsonObject) -> None:
    """Raises UsageError when running the case would run what only its writer chose."""
    for field in _RUN_SOMETHING:
        if raw.get(field):
            raise _refused(f"{field!r}")
    _refuse_below(raw)


def _refuse_below(value: JsonValue) -> None:
    if is_object(value):
        for key, inner in value.items():
            if key in _NAME_SOMEONE and isinstance(inner, str) and not _OF_THIS_PROJECT.fullmatch(inner):
                raise _refused(f"{key!r}: {inner!r}")
            _refuse_below(inner)
    elif is_array(value):
        for inner in value:
            _refuse_below(inner)


def _refused(what: str) -> UsageError:
    return UsageError(
        f"a case that an agent wrote may not say {what}: it would run code of the agent's choosing",
        hint="write such cases into a file yourself",
    )
