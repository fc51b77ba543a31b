"""`--before` and `--after`: scripts around the whole run."""

import sys
from typing import Any

from vivavoce.containment.captured_output import printing_to_stderr
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
        self._handed_on: Any = None
        """What `before` returned."""
        self.all_well = True
        """Whether nothing of it failed."""
        for flag, ref in (("--before", before), ("--after", after)):
            if ref is not None:
                _require(ref, flag, workshop)

    async def run_before(self, info: RunInfo) -> None:
        """What it returns goes to `after`; of an object, every field is also a variable of every case.

        Raises CallFailed when it fails.
        """
        if self._before is None:
            return
        from vivavoce.engine.attempt.hooks import run_before_all

        with printing_to_stderr():
            self._handed_on = await run_before_all(self._before, info, self._workshop.scripts)
        if is_object(self._handed_on):
            self._workshop.variables.update(self._handed_on)

    async def run_after(self, info: RunInfo, summary: Summary) -> None:
        if self._after is None:
            return
        from vivavoce.engine.attempt.hooks import run_after_all

        try:
            with printing_to_stderr():
                await run_after_all(self._after, info, summary, self._handed_on, self._workshop.scripts)
        except VivaError as problem:
            self.all_well = False
            print(f"viva: warning: {problem}", file=sys.stderr)


def _require(ref: str, flag: str, workshop: Workshop) -> None:
    try:
        find_script(ref, workshop.project)
    except UsageError as problem:
        raise UsageError(problem.what, at=flag, hint=problem.hint) from None
