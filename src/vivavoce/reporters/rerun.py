"""The command that runs one case again, ready to be copied."""

import shlex
from itertools import pairwise

from vivavoce.model.case import Case
from vivavoce.model.result import RunInfo
from vivavoce.refs import SCRIPT_TESTS

_NO_FILES = ("agents:", "scripts:", "<")
"""How the origin of a case begins that was generated, typed, or read from standard input."""
_DECIDES_THE_AGENT = {"-n": "-n", "--name": "-n", "-c": "-c", "--connector": "-c"}


def rerun_command(case: Case, info: RunInfo | None) -> str | None:
    """`viva test -i tests/pay.jsonl::T1`, with the agent flags of this run; None for a case from no file."""
    if not case.origin.path or not case.id or case.origin.path.startswith(_NO_FILES):
        return None
    if case.agent is not None and case.agent.startswith(SCRIPT_TESTS):
        source = f"scripts.{case.agent.removeprefix(SCRIPT_TESTS)}"
        return shlex.join(["viva", "test", "-i", source, "--run", f"{case.id}$"])
    flags = _agent_flags(info.command) if info is not None else []
    return shlex.join(["viva", "test", "-i", f"{case.origin.path}::{case.id}", *flags])


def _agent_flags(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    kept: list[str] = []
    for word, following in pairwise([*words, ""]):
        flag, _, value = word.partition("=")
        if flag in _DECIDES_THE_AGENT and (value or following):
            kept += [_DECIDES_THE_AGENT[flag], value or following]
    return kept
