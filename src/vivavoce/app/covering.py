"""The use case "what do the tests cover?": recorded conversations, counted and probed by today's checks."""

from collections.abc import AsyncIterator, Iterator, Sequence

from vivavoce.app.agent_tools import DECLARE, tools_of_agents
from vivavoce.app.rejudging import Ready, planned_again
from vivavoce.app.request import RunRequest
from vivavoce.containment.captured_output import OutputLog
from vivavoce.engine.rejudging import case_of_recording
from vivavoce.engine.staleness import what_changed
from vivavoce.errors import UsageError
from vivavoce.insight.coverage.happenings import happened, interrupt_elements, interrupts_met, possible
from vivavoce.insight.coverage.known_tools import KnownTools
from vivavoce.insight.coverage.probes import without
from vivavoce.insight.coverage.tally import CoverageTally
from vivavoce.insight.mutants.survival import Trial
from vivavoce.insight.mutants.without_judges import without_judges
from vivavoce.metering.expenses import Expenses
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.case import Case
from vivavoce.model.coverage import Coverage, Element
from vivavoce.model.result import Attempt
from vivavoce.wording.plurals import counted


async def measure_coverage(runs: Sequence[str], request: RunRequest, *, judges: bool = False) -> Coverage:
    """What the recorded conversations of today's cases exercised and checked. No agent under test is called.

    Raises UsageError when no recorded conversation belongs to a case as it reads now.
    """
    async with planned_again(runs, request, ask_judges=judges) as ready:
        config = ready.planned.resources.project.config.coverage
        tools = KnownTools()
        work = _Covering(ready, CoverageTally(tools, config.ignore), judges)
        listed = await tools_of_agents(ready.planned.resources, ready.runs.infos)
        tools.add(listed.tools)
        async for case, then, recorded in work.conversations():
            with Expenses(), OutputLog():
                await work.count(case, then, recorded)
        if not work.conversations_counted:
            what = "; ".join(work.left_out()) or "no recorded conversation belongs to these cases"
            raise UsageError(f"nothing to measure: {what}", hint="run viva test first")
        notes = [*listed.notes, *work.notes(), *_only_seen(work.tally)]
        unreadable = 0 if any("::" in run for run in runs) else len(ready.runs.problems)
        return work.tally.coverage(notes, unreadable=unreadable)


class _Covering:
    def __init__(self, ready: Ready, tally: CoverageTally, judges: bool) -> None:
        self._ready = ready
        self.tally = tally
        self._judges = judges
        self.conversations_counted = 0
        self._stale = 0
        self._unreadable = 0
        self._not_shown = 0
        self._not_probed = 0

    async def conversations(self) -> AsyncIterator[tuple[Case, Case, Attempt]]:
        """Each case as it reads now, as it read then, and an attempt of it that was held."""
        masked = self._ready.planned.resources.secrets.masked
        for case in self._ready.planned.plan.cases():
            if case.skip is not None:
                continue
            self.tally.tools.add(_frontend(case))
            self.tally.could_happen(possible(case))
            for run in range(1, self._ready.recorded.attempts(case) + 1):
                found = self._ready.recorded.attempt(case, run)
                if found is None:
                    self._unreadable += 1
                elif what_changed(masked(case), found.case):
                    self._stale += 1
                elif found.attempt.transcript.turns:
                    yield case, found.case, found.attempt

    async def count(self, case: Case, then: Case, recorded: Attempt) -> None:
        self.conversations_counted += 1
        transcript = recorded.transcript
        self._not_shown += not all(turn.reply.shows_calls for turn in transcript.turns)
        self.tally.could_happen(interrupt_elements(interrupts_met(transcript)))
        unchecked = self.tally.add(case.key, happened(case, transcript, self.tally.tools))
        if not unchecked:
            return
        trial = await self._trial(case, then, recorded)
        if trial is None:
            return
        for element in unchecked:
            if await _is_missed(trial, element, self.tally.tools):
                self.tally.checked(element, case.key)

    async def _trial(self, case: Case, then: Case, recorded: Attempt) -> Trial | None:
        """None for a conversation that does not pass now: it would not pass without any of its elements either."""
        resources = self._ready.planned.resources
        if recorded.transcript.ending is None:
            return None
        try:
            now = case_of_recording(case, then, recorded, resources)
        except UsageError:
            self._not_probed += 1
            return None
        trial = Trial(now if self._judges else without_judges(now), recorded, resources.helpers)
        if await trial.passes(trial.case, recorded.transcript):
            return trial
        self._not_probed += 1
        return None

    def left_out(self) -> Iterator[str]:
        if self._stale:
            yield (
                f"{counted(self._stale, 'conversation is', 'conversations are')} stale (the case says something else "
                "now) and not counted: run viva test for them"
            )
        if self._unreadable:
            yield f"{counted(self._unreadable, 'recorded conversation')} cannot be read"

    def notes(self) -> Iterator[str]:
        yield from self.left_out()
        if self._not_probed:
            what = counted(self._not_probed, "conversation does", "conversations do")
            they = "it checks" if self._not_probed == 1 else "they check"
            yield f"{what} not pass: exercised, but {they} nothing"
        if self._not_shown:
            what = counted(self._not_shown, "conversation does", "conversations do")
            yield f"{what} not show tool calls: what they called is not known"


async def _is_missed(trial: Trial, element: Element, tools: KnownTools) -> bool:
    for changed in without(element, trial.recorded.transcript, tools):
        if not await trial.passes(trial.case, changed):
            return True
    return False


def _only_seen(tally: CoverageTally) -> Iterator[str]:
    """Tools that nobody declares, where others are declared: the agent may have more of them."""
    declared = tally.tools.names
    seen = [name for name in tally.tools_seen() if name not in declared]
    if declared and seen:
        yield f"{', '.join(seen)}: seen, but nobody lists {'it' if len(seen) == 1 else 'them'}; {DECLARE}"


def _frontend(case: Case) -> Iterator[ToolSpec]:
    return (ToolSpec(name=tool.name, parameters=tool.parameters) for tool in case.frontend_tools)
