"""`-r`: a report written by an agent, or by a built-in that is named like one."""

import asyncio
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from vivavoce.app.outputs import check_writable, write_format
from vivavoce.containment.captured_output import printing_to_stderr
from vivavoce.containment.safe_stream import write_data
from vivavoce.engine.plan.helper_checks import require_helper
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import CallFailed, UsageError, nearest
from vivavoce.model.result import RunReport
from vivavoce.notation.durations import format_duration
from vivavoce.plugins.catalog import REPORTS
from vivavoce.project.whole_files import write_whole
from vivavoce.project.written_files import note_written, refuse_foreign
from vivavoce.reporters.formats import TEXT, format_of

PREFIX = "report."
"""`-r report.NAME` is the format NAME."""


class ChosenReport(Struct, frozen=True):
    """Who writes the report, and where it goes: a file of any suffix, or stdout."""

    reporter: str
    path: Path | None
    verbose: bool

    @property
    def format(self) -> str:
        return TEXT if self.path is None else format_of(self.path)

    async def write(self, report: RunReport, resources: RunResources) -> bool:
        """Writes it. An agent that fails is replaced by the built-in of the same format, and the answer is false.

        Raises OSError when the file cannot be written.
        """
        if (format_name := named_format(self.reporter)) is not None:
            self._put(_built_in(format_name, report), resources)
            return True
        try:
            text = await self._asked(report, resources)
        except (CallFailed, UsageError) as problem:
            print(f"viva: reporter {self.reporter} failed: {problem}; the built-in report is written", file=sys.stderr)
            self._put(_built_in("summary" if self.format == TEXT else self.format, report), resources)
            return False
        # An agent may say more than the report that it was given, which has no secret in it.
        text = resources.secrets.mask(text)
        self._put(text if text.endswith("\n") else f"{text}\n", resources)
        return True

    async def _asked(self, report: RunReport, resources: RunResources) -> str:
        from vivavoce.reporters.reporter_agent import ask_reporter

        timeout_s = resources.settings.timeout_s
        try:
            with printing_to_stderr():
                async with asyncio.timeout(timeout_s):
                    return await ask_reporter(
                        self.reporter, report, self.format, verbose=self.verbose, agents=resources.helpers.agents
                    )
        except TimeoutError:
            raise CallFailed(f"timed out after {format_duration(timeout_s)}", fault="agent") from None

    def _put(self, text: str, resources: RunResources) -> None:
        if self.path is None:
            write_data(sys.stdout, text)
        else:
            write_whole(text, self.path)
            note_written(self.path, resources.project)


def chosen_report(
    reporter: str | None, outputs: Sequence[str], resources: RunResources, *, verbose: bool
) -> ChosenReport | None:
    """The reporter that `-r` names; it writes to the first `-o`. Raises UsageError for either before the run."""
    if reporter is None:
        return None
    path = Path(outputs[0]) if outputs else None
    if named_format(reporter) is None:
        _require_agent(reporter, resources)
    if path is not None:
        check_writable(path)
        refuse_foreign(path, resources.project, at="-o")
    return ChosenReport(reporter, path, verbose)


def _require_agent(reporter: str, resources: RunResources) -> None:
    try:
        require_helper(reporter, resources)
    except UsageError as problem:
        name = nearest(reporter.removeprefix(PREFIX), list(REPORTS)) if reporter.startswith(PREFIX) else None
        known = f"did you mean {PREFIX + name!r}?" if name else f"formats: {', '.join(report_names())}"
        hint = known if name or not problem.hint else f"{problem.hint}; {known}"
        raise UsageError(problem.what, at=problem.at or "-r", hint=hint) from None


def report_names() -> list[str]:
    """Every `report.NAME` there is."""
    return [f"{PREFIX}{name}" for name in REPORTS]


def named_format(reporter: str) -> str | None:
    """The format that `report.NAME` names; None for the name of an agent."""
    name = reporter.removeprefix(PREFIX)
    return name if reporter.startswith(PREFIX) and name in REPORTS else None


def _built_in(kind: str, report: RunReport) -> str:
    out = io.StringIO()
    write_format(kind, report, out)
    return out.getvalue()
