"""The command that runs one case again, ready to be copied."""

import shlex
from itertools import pairwise

from vivavoce.containment.written_secrets import MASK
from vivavoce.model.case import SCRIPT_TESTS, Case
from vivavoce.model.result import RunInfo
from vivavoce.project.run_options import RUN_OPTIONS

_NO_FILES = ("agents:", "scripts:", "<")
"""How the origin of a case begins that was generated, typed, or read from standard input."""
_DECISIVE = {flag: one for one in RUN_OPTIONS if one.decides_result for flag in one.flags}


def rerun_command(case: Case, info: RunInfo | None) -> str | None:
    """`viva test -i tests/pay.jsonl::T1`, with the flags that made its result; None for a case from no file."""
    if not case.origin.path or not case.id or case.origin.path.startswith(_NO_FILES):
        return None
    flags = _decisive_flags(info.command) if info is not None else []
    contender = next((one for one in info.contenders if one.label == case.agent), None) if info is not None else None
    if contender is not None:
        if MASK in contender.agent:
            return None
        flags = ["-n", contender.agent, *(["-c", contender.connector] if contender.connector else []), *flags]
    elif info is not None and (agent := _recorded_agent(info)):
        flags = ["-n", agent, *flags]
    if case.agent is not None and case.agent.startswith(SCRIPT_TESTS):
        source = f"scripts.{case.agent.removeprefix(SCRIPT_TESTS)}"
        return shlex.join(["viva", "test", "-i", source, "--run", f"{case.id}$", *flags])
    # An id in which a secret is masked names no case of the file.
    by_line = MASK in case.id and case.origin.line
    place = f":{case.origin.line}" if by_line else f"::{case.id}"
    return shlex.join(["viva", "test", "-i", f"{case.origin.path}{place}", *flags])


def _recorded_agent(info: RunInfo) -> str | None:
    """The one agent of the recorded runs that `viva rejudge` judged: its command does not name it."""
    if not info.command.startswith("viva rejudge") or MASK in info.agent_id or ", " in info.agent_id:
        return None
    return info.agent_id or None


def repeat_failed(command: str) -> str | None:
    """The command with `--lf`; None where that would not repeat the same cases."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    hidden = any(MASK in word for word in words)
    if words[:2] != ["viva", "test"] or hidden or any(word.startswith("--resume") or word == "-" for word in words):
        return None
    if {"--lf", "--last-failed"}.isdisjoint(words):
        words.append("--lf")
    return shlex.join(words)


def _decisive_flags(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    if words[:1] != ["viva"]:
        return []  # pytest's -n is not ours
    # The flags that name the agents differ for each contender.
    left_out = ("-n", "-c") if words[1:2] == ["compare"] else ()
    kept: list[str] = []
    for word, following in pairwise([*words, ""]):
        flag, _, value = word.partition("=")
        option = _DECISIVE.get(flag)
        if option is None or option.flags[0] in left_out:
            continue
        if option.kind == "switch":
            kept.append(option.flags[0])
        elif value or following:
            kept += [option.flags[0], value or following]
    return kept
