"""Before and after: commands that prepare a case, scripts around a case or the whole run."""

import asyncio
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from vivavoce.containment.captured_output import current_log
from vivavoce.containment.processes import Finished, Printed, TooMuchOutput, run_command
from vivavoce.errors import CallFailed
from vivavoce.model.case import Case, HookCommand
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, json_type
from vivavoce.model.result import Attempt, RunInfo, Status, Summary
from vivavoce.notation.durations import format_duration
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import UndefinedVariable, interpolate
from vivavoce.protocols import ScriptCaller
from vivavoce.wording.quoting import shorten

SCRIPT_HOOK_TIMEOUT_S = 300.0

# ── commands ────────────────────────────────────────────────────────────────────────


async def run_hook_commands(
    hooks: Sequence[HookCommand], cwd: Path, variables: Mapping[str, JsonValue], secrets: Secrets
) -> JsonObject:
    """Returns the variables that the commands printed; later ones win. A command may use those of earlier ones."""
    printed: JsonObject = {}
    for hook in hooks:
        printed |= await _run_hook_command(hook, cwd, {**variables, **printed}, secrets)
    return printed


async def _run_hook_command(
    hook: HookCommand, cwd: Path, variables: Mapping[str, JsonValue], secrets: Secrets
) -> JsonObject:
    # Shown as written: with variables filled in, it could show a secret.
    shown = f"hook `{shlex.join(hook.cmd)}`"
    printed = Printed()
    try:
        argv = [interpolate(part, variables, secrets) for part in hook.cmd]
        async with asyncio.timeout(hook.timeout_s):
            done = await run_command(argv, cwd=cwd, printed=printed)
    except UndefinedVariable as undefined:
        raise CallFailed(f"{shown}: {undefined}", fault="test") from None
    except TimeoutError:
        said = f": {printed.last_words}" if printed.last_words else ""
        raise CallFailed(f"{shown} timed out after {format_duration(hook.timeout_s)}{said}", fault="hook") from None
    except OSError as error:
        raise CallFailed(f"{shown} cannot be started: {error.strerror}", fault="hook") from None
    except (TooMuchOutput, ValueError) as error:
        raise CallFailed(f"{shown} failed: {error}", fault="hook") from None
    if done.exit_code != 0:
        raise CallFailed(f"{shown} failed: {done.how}{_said(done)}", fault="hook")
    if done.last_words and (log := current_log()) is not None:
        log.write(f"{done.last_words}\n")
    return _variables_in(done, shown)


def _variables_in(done: Finished, shown: str) -> JsonObject:
    text = done.stdout.strip()
    if not text:
        return {}
    try:
        value = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        start = shorten(repr(text[:1000].decode(errors="replace")), 200)
        raise CallFailed(f"{shown} printed no JSON: {start}{_said(done)}", fault="hook") from None
    if not is_object(value):
        raise CallFailed(f"{shown} printed a JSON {json_type(value)}, wanted one object", fault="hook")
    return value


def _said(done: Finished) -> str:
    return f": {done.last_words}" if done.last_words else ""


# ── scripts ─────────────────────────────────────────────────────────────────────────


async def run_before(ref: str, case: Case, scripts: ScriptCaller) -> JsonValue:
    """Calls `(case, ctx)`; what it returns goes to `run_after`."""
    return await call_hook("before", ref, scripts, plain_case(case), ctx={"case_id": case.id})


async def run_after(ref: str, case: Case, attempt: Attempt, data: JsonValue, scripts: ScriptCaller) -> None:
    """Calls `(case, result, data, ctx)`."""
    result = {
        "id": case.id,
        "status": attempt.status,
        "passed": attempt.status is Status.PASSED,
        "error": attempt.error,
        "fault": attempt.fault,
        "output": attempt.output,
        "transcript": attempt.transcript,
    }
    await call_hook("after", ref, scripts, plain_case(case), result, data, ctx={"case_id": case.id, "data": data})


async def run_before_all(ref: str, info: RunInfo, scripts: ScriptCaller) -> JsonValue:
    """Calls `(run, ctx)` before the first case; what it returns goes to `run_after_all`."""
    return await call_hook("before", ref, scripts, info, ctx={"run_id": info.run_id})


async def run_after_all(ref: str, info: RunInfo, summary: Summary, data: JsonValue, scripts: ScriptCaller) -> None:
    """Calls `(run, summary, data, ctx)` after the last case."""
    await call_hook("after", ref, scripts, info, summary, data, ctx={"run_id": info.run_id, "data": data})


async def call_hook(when: str, ref: str, scripts: ScriptCaller, *args: Any, ctx: JsonObject) -> Any:
    """What a script around a case returns. Raises CallFailed with fault `hook`, also when it takes too long."""
    try:
        async with asyncio.timeout(SCRIPT_HOOK_TIMEOUT_S):
            return await scripts.call(ref, *args, ctx=ctx)
    except AssertionError as refused:
        raise CallFailed(f"{when} hook {ref!r}: {refused}", fault="hook") from None
    except CallFailed as failure:
        raise CallFailed(f"{when} hook: {failure.what}", fault="hook", hint=failure.hint) from None
    except TimeoutError:
        limit = format_duration(SCRIPT_HOOK_TIMEOUT_S)
        raise CallFailed(f"{when} hook {ref!r} timed out after {limit}", fault="hook") from None


def plain_case(case: Case) -> JsonObject:
    """The case as plain data for a script, with its first line also as `input`."""
    return {**msgspec.to_builtins(case), "input": case.first_input}
