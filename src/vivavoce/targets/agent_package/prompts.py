"""An agent's prompts: `prompts.yml`, and how `$SYS.X`, `$ENV.X`, `$CTX.X` and `{{metadata}}` are filled in."""

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.errors import CallFailed, UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.json_value import is_array, text_of
from vivavoce.model.message import Message
from vivavoce.notation.templates import TemplateProblem, check_template, fill
from vivavoce.notation.validation_errors import split_validation_error
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.project.files import read_text
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import expand_yao_env_if_set
from vivavoce.targets.call_payload import Context

FILE_NAMES = ("prompts.yml", "prompts.yaml")
ROLES = ("system", "developer", "user", "assistant")
_CLOCK = {
    "DATETIME": "%Y-%m-%d %H:%M:%S",
    "DATE": "%Y-%m-%d",
    "TIME": "%H:%M:%S",
    "TIMEZONE": "%Z",
    "WEEKDAY": "%A",
    "YEAR": "%Y",
    "MONTH": "%m",
    "DAY": "%d",
    "HOUR": "%H",
    "MINUTE": "%M",
    "SECOND": "%S",
}
_SYSTEM_NAME = re.compile(r"\$SYS\.(\w+)")
_CONTEXT_NAME = re.compile(r"\$CTX\.(\w+)")


class _Written(Struct, frozen=True, forbid_unknown_fields=True):
    role: str
    content: str
    name: str | None = None


class Prompt(Struct, frozen=True):
    role: str
    content: str
    name: str | None = None
    place: str = ""


def read_prompts(folder: Path, shown: str) -> tuple[Prompt, ...]:
    """The prompts of a package's own file; none when it has no such file."""
    path = next((folder / name for name in FILE_NAMES if (folder / name).is_file()), None)
    if path is None:
        return ()
    where = f"{shown}/{path.name}"
    document = next(iter(read_yaml_documents(read_text(path), where)), None)
    if document is None or document.value is None:
        return ()
    if not is_array(document.value):
        raise UsageError("a list of prompts is expected", at=Origin(where, document.line))
    return tuple(
        checked_prompt(entry, Origin(where, document.line_of((at,)))) for at, entry in enumerate(document.value)
    )


def checked_prompt(value: Any, at: Origin) -> Prompt:
    """One entry of a list of prompts."""
    try:
        written = msgspec.convert(value, _Written)
        check_template(written.content)
    except msgspec.ValidationError as error:
        raise UsageError(f"bad prompt: {split_validation_error(str(error))[0]}", at=at) from None
    except TemplateProblem as error:
        raise UsageError(str(error), at=at, hint="put {% raw %} … {% endraw %} around braces meant as text") from None
    if written.role not in ROLES:
        raise UsageError(
            f"unknown role {written.role!r}",
            at=at,
            hint=did_you_mean(written.role, list(ROLES)) or f"known: {', '.join(ROLES)}",
        )
    return Prompt(written.role, written.content, written.name, str(at))


def filled_prompts(prompts: Sequence[Prompt], ctx: Context, secrets: Secrets) -> list[Message]:
    """The prompts as messages of this call. Names nobody knows stay as they are written."""
    return [Message(role=prompt.role, name=prompt.name, content=filled(prompt, ctx, secrets)) for prompt in prompts]


def filled(prompt: Prompt, ctx: Mapping[str, Any], secrets: Secrets) -> str:
    """One prompt's text."""
    text = prompt.content
    # The author's own `$` names come first: what metadata brings in is data, and never looked up.
    if "$ENV." in text:
        text = expand_yao_env_if_set(text, secrets)
    if "$SYS." in text:
        text = _SYSTEM_NAME.sub(_of_the_clock, text)
    metadata: Any = ctx.get("metadata") or {}
    names = {"locale": ctx.get("locale"), "user": ctx.get("user_id"), "team": ctx.get("team_id"), "ctx": ctx}
    try:
        text = fill(text, {**names, **metadata, "metadata": metadata}, keep_unknown=True)
    except TemplateProblem as error:
        raise CallFailed(f"{prompt.place}: {error}", fault="agent") from None
    if "$CTX." in text:
        text = _CONTEXT_NAME.sub(lambda found: _of_the_call(found, ctx, metadata), text)
    return text


def _of_the_clock(found: re.Match[str]) -> str:
    form = _CLOCK.get(found[1])
    return found[0] if form is None else time.strftime(form)


def _of_the_call(found: re.Match[str], ctx: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    name = found[1]
    for known in (metadata, ctx):
        for spelling in (name, name.lower()):
            if spelling in known:
                return text_of(known[spelling])
    return found[0]
