"""`--before` and `--after`: scripts around the whole run."""

import sys
from typing import Any

from vivavoce.containment.captured_output import printing_to_stderr
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.model.json_value import is_object
from vivavoce.model.result import RunInfo, Summary
from vivavoce.scripts.finder import find_script


class RunHooks:
    """When `before` fails nothing runs; `after` runs whenever `before` did, and cannot hide what happened."""

    def __init__(self, before: str | None, after: str | None, resources: RunResources, first: Case) -> None:
        """`first` is the first case of the run: the scripts of its agent's own folder are looked for first."""
        self._before = _required(before, "--before", resources, first)
        self._after = _required(after, "--after", resources, first)
        self._resources = resources
        self._handed_on: Any = None
        """What `before` returned."""
        self.all_well = True
        """Whether nothing of it failed."""

    async def run_before(self, info: RunInfo) -> None:
        """What it returns goes to `after`; of an object, every field is also a variable of every case.

        Raises CallFailed when it fails.
        """
        if self._before is None:
            return
        from vivavoce.engine.attempt.hooks import run_before_all

        with printing_to_stderr():
            self._handed_on = await run_before_all(self._before, info, self._resources.scripts)
        if is_object(self._handed_on):
            self._resources.variables.update(self._handed_on)

    async def run_after(self, info: RunInfo, summary: Summary) -> None:
        if self._after is None:
            return
        from vivavoce.engine.attempt.hooks import run_after_all

        try:
            with printing_to_stderr():
                await run_after_all(self._after, info, summary, self._handed_on, self._resources.scripts)
        except VivaError as problem:
            self.all_well = False
            print(f"viva: warning: {problem}", file=sys.stderr)


def _required(ref: str | None, flag: str, resources: RunResources, first: Case) -> str | None:
    """The script a flag means. Raises UsageError when there is none."""
    if ref is None:
        return None
    try:
        script = resources.hook(ref, first)
        find_script(script, resources.project)
        return script
    except UsageError as problem:
        raise UsageError(problem.what, at=flag, hint=problem.hint) from None
