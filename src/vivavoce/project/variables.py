"""Replaces `${VAR}` and `${ENV.NAME}` in cases and configuration."""

import os
import re
from collections.abc import Mapping

import msgspec

from vivavoce.containment.written_secrets import is_named_like_a_key
from vivavoce.errors import BrokenEnvironment, UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, map_texts
from vivavoce.notation.template_limits import MOST_CHARACTERS
from vivavoce.project.redaction import Secrets

_REFERENCE = r"\$?\$\{([^{}]*)\}"
_YAO_REFERENCE = r"\$ENV\.(\w+)"
_FOLDERS = ("PWD", "OLDPWD")
"""Variables of the shell that hold a folder, not a password."""
_encode = msgspec.json.Encoder().encode
(_DOLLAR,) = b"$"


class UndefinedVariable(ValueError):
    """A `${NAME}` without a value. The caller adds the place."""

    def __init__(self, written: str) -> None:
        super().__init__(f"undefined variable {written}")
        self.written = written


def environment_value(name: str) -> str | None:
    """The value of an environment variable, None when it is not set. Raises BrokenEnvironment when it is not UTF-8."""
    found = os.environ.get(name)
    if found is not None and not found.isascii() and any("\ud800" <= letter <= "\udfff" for letter in found):
        raise BrokenEnvironment(f"{name} in the environment is not UTF-8", hint=f"set it anew, or unset {name}")
    return found


def environment_keys() -> list[str]:
    """The values of the environment variables that are named like keys."""
    return [value for name, value in os.environ.items() if name not in _FOLDERS and is_named_like_a_key(name)]


def interpolate(text: str, variables: Mapping[str, JsonValue], secrets: Secrets) -> str:
    """Replaces `${VAR}`, `${ENV.NAME}` and `${NAME:-default}`; `$${` is a literal `${`."""
    if "${" not in text:
        return text

    size = 0

    def value_of(match: re.Match[str]) -> str:
        nonlocal size
        value = found_for(match)
        size += len(value)
        if size > MOST_CHARACTERS:
            raise UsageError(f"its variables make a text of more than {MOST_CHARACTERS:,} characters, the limit")
        return value

    def found_for(match: re.Match[str]) -> str:
        if match[0].startswith("$$"):
            return match[0][1:]
        name, has_default, default = match[1].partition(":-")
        found = _look_up(name.strip(), variables, secrets)
        if found is None and has_default:
            return default
        if found is None:
            raise UndefinedVariable(f"${{{name}}}")
        return found

    return re.sub(_REFERENCE, value_of, text)


def interpolate_deep(value: JsonValue, variables: Mapping[str, JsonValue], secrets: Secrets) -> JsonValue:
    """The same for every string inside a JSON value."""
    return map_texts(value, lambda text: interpolate(text, variables, secrets))


def expand_yao_env(text: str, secrets: Secrets) -> str:
    """Replaces Yao's `$ENV.NAME`. Raises UndefinedVariable for a name that is not set."""

    def value_of(match: re.Match[str]) -> str:
        found = environment_value(match[1])
        if found is None:
            raise UndefinedVariable(match[0])
        return secrets.add(found)

    return re.sub(_YAO_REFERENCE, value_of, text)


def in_braces(value: JsonValue) -> JsonValue:
    """The value with each `$ENV.NAME` inside it written `${ENV.NAME}`, so that both mean the same to every reader."""
    return map_texts(value, lambda text: text if "${" in text else re.sub(_YAO_REFERENCE, r"${ENV.\1}", text))


def expand_yao_env_if_set(text: str, secrets: Secrets) -> str:
    """The same for prompts, where a name that is not set becomes empty, as in Yao."""
    return re.sub(_YAO_REFERENCE, lambda match: secrets.add(environment_value(match[1]) or ""), text)


def _look_up(name: str, variables: Mapping[str, JsonValue], secrets: Secrets) -> str | None:
    if name.startswith("ENV."):
        found = environment_value(name[4:])
        return None if found is None else secrets.add(found)
    if name not in variables:
        return None
    value = variables[name]
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def may_hold_variables(value: JsonValue) -> bool:
    """Whether a value may contain a `${NAME}`; False is certain."""
    try:
        written = _encode(value)
    except UnicodeEncodeError:
        return True  # a text is not UTF-8: the caller has to search each text
    # Searching for one character is many times faster than for two.
    return _DOLLAR in written and b"${" in written


class AnyName(JsonObject):
    """A mapping that contains every name, with an empty value: for variables that hooks define later."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return ""
