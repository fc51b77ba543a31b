"""What cases name that is not in them (environment variables, files, folders, scripts: it decides results, too), and
the keys that are written out in their checks and hooks."""

import re
from collections.abc import Iterator

import msgspec

from vivavoce.containment.written_secrets import secrets_in_command, secrets_in_text, secrets_in_value, words_of
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import is_array, is_object, iter_texts
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import environment_value

_ENVIRONMENT = rb"\$\{\s*ENV\.(\w+)"
_FILE = b"file://"
_RUNS_CODE = ("script", "command")
"""The assertions that name a script or a command. JavaScript names its files as attachments do: `file://`."""
_CALLS_OUT = (b"cmd", b"headers", b"url")
"""Fields of assertions that send something to a server or start a command."""
_ORDINARY_HEADERS = ("accept", "content-", "user-agent")


class CaseNames:
    """Collects the names while the cases are read."""

    def __init__(self) -> None:
        self.files: set[tuple[str, str]] = set()
        """Files and folders that they may name: the path of the case's file, and the text."""
        self.secrets: set[str] = set()
        """Keys that they write out for a server or a command."""
        self._environment: set[bytes] = set()

    def note(self, case: Case, written: bytes | bytearray, start: int = 0) -> None:
        """Notes what a case names. `written` is the case as JSON or msgpack from `start` on: searched, not read."""
        if written.find(b"${", start) >= 0:
            self._environment.update(re.findall(_ENVIRONMENT, written[start:]))
        if written.find(_FILE, start) >= 0:
            self.files.update((case.origin.path, text) for text in _attachments_of(case))
        own = case.hooks or case.workspace is not None or case.before is not None or case.after is not None
        if own or written.find(b"script", start) >= 0 or written.find(b"command", start) >= 0:
            self.files.update((case.origin.path, text) for text in _files_of(case))
        if case.hooks or any(written.find(field, start) >= 0 for field in _CALLS_OUT):
            self.secrets.update(_secrets_of(case))

    def environment(self) -> dict[str, str]:
        """The environment variables that cases name, with their values; those that are not set are left out."""
        names = sorted(name.decode() for name in self._environment)
        return {name: value for name in names if (value := environment_value(name)) is not None}

    def hide_in(self, secrets: Secrets) -> None:
        """Registers the values of the environment that cases name, and the keys that they write out."""
        secrets.add_all(self.environment().values())
        secrets.add_all(text for text in self.secrets if "${" not in text)


def _files_of(case: Case) -> Iterator[str]:
    """What may name a file or a script: hooks, checks, stubs, the workspace, whoever plays the user."""
    for hook in case.hooks:
        yield from hook.cmd
    yield from filter(None, (case.workspace, case.before, case.after, case.history_script))
    if case.simulator is not None:
        yield case.simulator.use
    for spec in _assertions_of(case):
        if spec.type in _RUNS_CODE:
            yield from iter_texts(spec.fields)
    for tool in (*case.frontend_tools, *case.mocks):
        yield from (text for answer in tool.answers if isinstance(text := answer.get("script"), str))


def _secrets_of(case: Case) -> Iterator[str]:
    """Keys in what checks send to a server, and in the words of commands."""
    for hook in case.hooks:
        yield from secrets_in_command(hook.cmd)
    for spec in _assertions_of(case):
        command, headers = spec.fields.get("cmd"), spec.fields.get("headers")
        words = words_of(command) if isinstance(command, str) else command
        yield from secrets_in_command([str(word) for word in words] if is_array(words) else [])
        yield from secrets_in_text(str(spec.fields.get("url", "")))
        for name, value in headers.items() if is_object(headers) else ():
            if not name.lower().startswith(_ORDINARY_HEADERS):
                yield str(value)
                yield from secrets_in_value(str(value))


def _assertions_of(case: Case) -> Iterator[AssertionSpec]:
    yield from case.assertions
    yield from case.final_assertions
    for part in (*case.turns, *case.checkpoints):
        yield from part.assertions


def _attachments_of(case: Case) -> Iterator[str]:
    """Every text of lines and checks that is the address of a file."""
    checks = [spec.fields for spec in _assertions_of(case)]
    for text in iter_texts(msgspec.to_builtins([case.turns, case.history, checks], enc_hook=str)):
        if text.startswith(_FILE.decode()):
            yield text
