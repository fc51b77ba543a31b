"""The command that runs one case again, ready to be copied."""

import shlex
from itertools import pairwise

from vivavoce.model.case import Case
from vivavoce.model.result import RunInfo
from vivavoce.notation.references import SCRIPT_TESTS

_NO_FILES = ("agents:", "scripts:", "<")
"""How the origin of a case begins that was generated, typed, or read from standard input."""
_LONG_FORMS = {"--name": "-n", "--connector": "-c", "--user": "-u", "--team": "-t"}
_WITH_A_VALUE = frozenset(_LONG_FORMS.values()) | {
    "--config",
    "--ctx",
    "--locale",
    "--simulator",
    "--on-missing-input",
    "--max-turns",
    "--timeout",
    "--judge-timeout",
    "--before",
    "--after",
}
_SWITCHES = ("--interactive", "--strict-protocol")


def rerun_command(case: Case, info: RunInfo | None) -> str | None:
    """`viva test -i tests/pay.jsonl::T1`, with the flags that made its result; None for a case from no file."""
    if not case.origin.path or not case.id or case.origin.path.startswith(_NO_FILES):
        return None
    flags = _decisive_flags(info.command) if info is not None else []
    if case.agent is not None and case.agent.startswith(SCRIPT_TESTS):
        source = f"scripts.{case.agent.removeprefix(SCRIPT_TESTS)}"
        return shlex.join(["viva", "test", "-i", source, "--run", f"{case.id}$", *flags])
    return shlex.join(["viva", "test", "-i", f"{case.origin.path}::{case.id}", *flags])


def _decisive_flags(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    kept: list[str] = []
    for word, following in pairwise([*words, ""]):
        flag, _, value = word.partition("=")
        flag = _LONG_FORMS.get(flag, flag)
        if flag in _SWITCHES:
            kept.append(flag)
        elif flag in _WITH_A_VALUE and (value or following):
            kept += [flag, value or following]
    return kept
