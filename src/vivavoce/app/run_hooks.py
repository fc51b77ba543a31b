"""`--before` and `--after`: scripts around the whole run."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from vivavoce.containment.stderr_capture import printing_to_stderr
from vivavoce.engine.wiring import Workshop
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.json_value import is_object
from vivavoce.model.result import RunInfo, Summary
from vivavoce.scripts.finder import find_script


class RunHooks:
    """When `before` fails nothing runs; `after` runs whenever `before` did, and cannot hide what happened."""

    def __init__(self, before: str | None, after: str | None, workshop: Workshop) -> None:
        self._before = before
        self._after = after
        self._workshop = workshop
        self.all_well = True
        """Whether nothing of it failed."""
        for flag, ref in (("--before", before), ("--after", after)):
            if ref is not None:
                _require(ref, flag, workshop)

    async def around(self, info: RunInfo, execute: Callable[[], Awaitable[Summary]]) -> Summary:
        """`before`, the run, `after`. Raises CallFailed when `before` fails."""
        handed_on = await self._run_before(info)
        summary = Summary(total=info.total_cases, not_run=info.total_cases, interrupted="broken")
        try:
            summary = await execute()
        finally:
            await self._run_after(info, summary, handed_on)
        return summary

    async def _run_before(self, info: RunInfo) -> Any:
        """What it returns goes to `after`; of an object, every field is also a variable of every case."""
        if self._before is None:
            return None
        from vivavoce.engine.attempt.hooks import run_before_all

        with printing_to_stderr():
            returned = await run_before_all(self._before, info, self._workshop.scripts)
        if is_object(returned):
            self._workshop.variables.update(returned)
        return returned

    async def _run_after(self, info: RunInfo, summary: Summary, handed_on: Any) -> None:
        if self._after is None:
            return
        from vivavoce.engine.attempt.hooks import run_after_all

        try:
            with printing_to_stderr():
                await run_after_all(self._after, info, summary, handed_on, self._workshop.scripts)
        except VivaError as problem:
            self.all_well = False
            print(f"viva: warning: {problem}", file=sys.stderr)


def _require(ref: str, flag: str, workshop: Workshop) -> None:
    try:
        find_script(ref, workshop.project)
    except UsageError as problem:
        raise UsageError(problem.what, at=flag, hint=problem.hint) from None
