"""An agent's prompts: `prompts.yml`, and how `$SYS.X`, `$ENV.X`, `$CTX.X` and `{{metadata}}` are filled in."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.errors import CallFailed, UsageError, did_you_mean
from vivavoce.model.agent_card import WantedName
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonObject, is_array, text_of
from vivavoce.model.message import Message
from vivavoce.notation.templates import TemplateProblem, check_template, fill, names_used
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
_IN_METADATA = re.compile(r"\{\{\s*metadata\.(\w+)\s*\}\}")
_ALWAYS_FILLED = ("locale", "user", "team", "ctx", "metadata")
_YAO_CONTEXT = (
    *("assistant_id", "assistant_name", "assistant_description", "assistant_type", "chat_id", "session_id"),
    *("test_id", "user_id", "team_id", "tenant_id", "workspace_id", "locale", "theme", "route", "referer"),
    *("client_type", "accept", "date", "time", "timezone"),
)
"""What `$CTX.` names in Yao. Those that a test has no value for stay as they are written."""


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


def wanted_names(prompts: Sequence[Prompt], words: Mapping[str, Any]) -> Iterator[WantedName]:
    """The names in the prompts that are neither always filled in nor among the package's own words."""
    known = [*_ALWAYS_FILLED, *words]
    for prompt in prompts:
        for name in sorted(names_used(prompt.content) - set(known)):
            yield WantedName(name, f"{{{{ {name} }}}}", prompt.place, did_you_mean(name, known))
        for name in sorted(set(_IN_METADATA.findall(prompt.content))):
            yield WantedName(name, f"{{{{ metadata.{name} }}}}", prompt.place)
        for name in sorted(set(_CONTEXT_NAME.findall(prompt.content))):
            if name.lower() not in _YAO_CONTEXT:
                hint = did_you_mean(name, [known.upper() for known in _YAO_CONTEXT])
                yield WantedName(name, f"$CTX.{name}", prompt.place, hint)


def filled_prompts(
    prompts: Sequence[Prompt], ctx: Context, secrets: Secrets, words: Mapping[str, Any]
) -> list[Message]:
    """The prompts as messages of this call. Unknown names stay as they are written.

    `words` are the package's own, in the language of the call: its name, its description, what its locale file says.
    """
    return [
        Message(role=prompt.role, name=prompt.name, content=filled(prompt, ctx, secrets, words)) for prompt in prompts
    ]


def filled(prompt: Prompt, ctx: Mapping[str, Any], secrets: Secrets, words: Mapping[str, Any]) -> str:
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
        text = fill(text, {**words, **names, **metadata, "metadata": metadata}, keep_unknown=True)
    except TemplateProblem as error:
        raise CallFailed(f"{prompt.place}: {error}", fault="agent") from None
    if "$CTX." in text:
        known = (metadata, ctx, _more_context(ctx, words))
        text = _CONTEXT_NAME.sub(lambda found: _of_the_call(found, known), text)
    return text


def _of_the_clock(found: re.Match[str]) -> str:
    form = _CLOCK.get(found[1])
    return found[0] if form is None else time.strftime(form)


def _more_context(ctx: Mapping[str, Any], words: Mapping[str, Any]) -> JsonObject:
    """What Yao knows about a call besides the fields of the context."""
    client: Any = ctx.get("client") or {}
    about = {f"assistant_{name}": words[name] for name in ("name", "description") if words.get(name)}
    clock = {name: time.strftime(_CLOCK[name.upper()]) for name in ("date", "time", "timezone")}
    return {**about, **clock, **({"client_type": client["type"]} if "type" in client else {})}


def _of_the_call(found: re.Match[str], known: Sequence[Mapping[str, Any]]) -> str:
    for names in known:
        for spelling in (found[1], found[1].lower()):
            if spelling in names:
                return text_of(names[spelling])
    return found[0]
