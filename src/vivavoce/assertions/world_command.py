"""A check by a command that is run in the workspace: a test suite, a compiler, a linter."""

import asyncio
import shlex
from typing import Annotated

from msgspec import Meta, structs

from vivavoce.assertions.found_text import NotEmpty, TextQuestions
from vivavoce.assertions.world_file import NO_WORKSPACE
from vivavoce.containment.processes import MAX_STDERR_BYTES, Finished, Printed, TooMuchOutput, run_command
from vivavoce.model.json_value import JsonObject
from vivavoce.model.verdict import Verdict, broken, failed, passed
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.protocols import Evidence, Helpers
from vivavoce.wording.quoting import quote, shorten_middle
from vivavoce.workspaces.reading import CannotLook, found_inside

_NOT_STARTED = {126: "it may not be executed", 127: "there is no such command"}
"""Exit codes of a shell that could not run the command."""
_KEPT_OUTPUT = 4_000


class LeftCommand(TextQuestions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command run in the workspace ends with this exit code and prints this."""

    cmd: NotEmpty | Annotated[list[NotEmpty], Meta(min_length=1)]
    """Program and arguments. No shell: write [sh, -c, …] for one."""
    exit_code: int = 0
    timeout: str | None = None
    """How long it may take, as `30s`; by default as long as a judge."""

    def __post_init__(self) -> None:
        TextQuestions.__post_init__(self)
        if not self._argv():
            raise ValueError("`cmd` is empty")
        if self.timeout is not None and "${" not in self.timeout:
            parse_duration(self.timeout)

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        workspace = evidence.workspace
        if workspace is None:
            return broken(NO_WORKSPACE)
        argv, printed = self._argv(), Printed()
        limit_s = helpers.judge_timeout_s if self.timeout is None else parse_duration(self.timeout)
        try:
            found_inside(workspace.folder, ".")
            async with asyncio.timeout(limit_s):
                done = await run_command(argv, cwd=workspace.folder, ends_background=True, printed=printed)
        except TimeoutError:
            said = f": {quote(printed.last_words[-200:])}" if printed.last_words else ""
            return broken(f"{argv[0]} did not end within {format_duration(limit_s)}{said}")
        except OSError as error:
            return broken(f"{argv[0]} cannot be started: {error.strerror}")
        except (TooMuchOutput, CannotLook) as error:
            return broken(f"{argv[0]} could not be run to its end: {error}")
        return await self._read(argv[0], done)

    async def _read(self, program: str, done: Finished) -> Verdict:
        out, said = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        both = "\n".join(text for text in (out, said) if text)
        seen: JsonObject = {"output": shorten_middle(both, _KEPT_OUTPUT)} if both else {}
        if done.exit_code != self.exit_code:
            if done.exit_code < 0:
                return broken(f"{program} was {done.how}", **seen)
            if done.exit_code in _NOT_STARTED:
                return broken(f"{program}: {_NOT_STARTED[done.exit_code]} ({done.how})", **seen)
            last = f": {quote(both.strip()[-200:])}" if both.strip() else ""
            return failed(
                f"{program} ended with {done.how}, wanted {self.exit_code}{last}",
                negatable=not self.asks_for_text,
                **seen,
            )
        if not self.asks_for_text:
            return passed(f"{program} ended with {done.how}", **seen)
        if done.cut_off or len(done.stderr) >= MAX_STDERR_BYTES:
            return broken(f"not all of the output of {program} was read", **seen)
        if "\ufffd" in both:
            return broken(f"the output of {program} is no UTF-8 text", **seen)
        verdict = await self.judged(f"the output of {program}", out if self.json_path is not None else both)
        return structs.replace(verdict, details={**seen, **verdict.details})

    def _argv(self) -> list[str]:
        return shlex.split(self.cmd) if isinstance(self.cmd, str) else list(self.cmd)
