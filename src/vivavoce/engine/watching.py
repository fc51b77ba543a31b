"""The watchers of a conversation (sight/): found for an agent, started, asked at each turn."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from vivavoce.errors import CallFailed, VivaError
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.model.result import Attempt, Status
from vivavoce.plugins.declarations import imported
from vivavoce.protocols import (
    Provisions,
    ScriptCaller,
    Surroundings,
    TargetSpec,
    Watch,
    WatchEnd,
    Watcher,
)
from vivavoce.wording.quoting import shorten_middle

if TYPE_CHECKING:
    from vivavoce.sight.interventions import CaseInterventions

WATCHERS: dict[str, str] = {
    "model_proxy": "vivavoce.sight.proxy.model_proxy:ModelProxy",
    "otel": "vivavoce.sight.spans.watcher:SpanWatcher",
    "mcp_mock": "vivavoce.sight.mcp_calls.mcp_watcher:McpWatcher",
}
"""The watcher of an agent that has this field in `viva.yaml`: "module:Class", built with (spec, surroundings)."""


_BESIDES = 300


class Watchers:
    """Those who watch the agents of a run."""

    def __init__(self, surroundings: Surroundings, faults: tuple[PlannedFault, ...], scripts: ScriptCaller) -> None:
        """`faults` are those of `--fault`: they strike every case."""
        self._surroundings = surroundings
        self._faults = faults
        self._scripts = scripts
        self._of_agent: dict[str, tuple[Watcher, ...]] = {}

    def add(self, agent: str, spec: TargetSpec) -> None:
        """Makes the watchers of an agent, in the order in which they add to its replies."""
        found = tuple(
            imported(where)(spec, self._surroundings)
            for field, where in WATCHERS.items()
            if spec.config.get(field) not in (None, False)
        )
        if found:
            self._of_agent[agent] = found

    def over(self, agent: str, case: Case) -> bool:
        """Whether a conversation has watchers, mocks or faults."""
        is_taped = self._surroundings.tapes is not None
        return bool(agent in self._of_agent or case.faults or case.mocks or self._faults or is_taped)

    async def start(self, agent: str) -> Mapping[str, str]:
        """Returns the environment of a server that is started for the agent. Raises VivaError."""
        environment: dict[str, str] = {}
        for watcher in self._of_agent.get(agent, ()):
            environment |= await watcher.start()
        return environment

    async def watch(self, agent: str, case: Case, run: int, session_id: str) -> "Watching":
        """Returns the watches over one attempt. Raises CallFailed when a watcher cannot listen."""
        try:
            await self.start(agent)
        except VivaError as problem:
            raise CallFailed(problem.what, fault="target", hint=problem.hint) from None
        between = self._interventions(case)
        provisions = Provisions(session_id=session_id, interventions=between)
        watches = [watcher.watch(case, run, provisions) for watcher in self._of_agent.get(agent, ())]
        found = [*(watch for watch in watches if watch is not None), *self._tape_watch()]
        return Watching(provisions, found if between is None else [*found, between])

    def _tape_watch(self) -> list[Watch]:
        if self._surroundings.tapes is None:
            return []
        from vivavoce.sight.tapes.run_tapes import current_attempt_tape
        from vivavoce.sight.tapes.struck_watch import StruckWatch

        attempt_tape = current_attempt_tape()
        return [] if attempt_tape is None or not attempt_tape.replays else [StruckWatch(attempt_tape)]

    def _interventions(self, case: Case) -> "CaseInterventions | None":
        if not (case.faults or case.mocks or self._faults):
            return None
        from vivavoce.sight.interventions import CaseInterventions

        return CaseInterventions((*case.faults, *self._faults), case.mocks, self._call_script)

    async def _call_script(self, ref: str, args: JsonValue) -> JsonValue:
        return await self._scripts.call(ref, args)

    async def close(self) -> None:
        for watchers in self._of_agent.values():
            for watcher in watchers:
                await watcher.close()


class Watching:
    """All watches over one attempt, as one."""

    def __init__(self, provisions: Provisions, watches: Sequence[Watch]) -> None:
        self.provisions = provisions
        self._watches = watches

    def begin_turn(self, number: int) -> None:
        for watch in self._watches:
            watch.begin_turn(number, self.provisions)

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        """Returns the reply with what every watch saw besides."""
        for watch in self._watches:
            reply = await watch.end_turn(number, reply, started_ms, ended_ms)
        return reply

    async def close(self) -> list[WatchEnd]:
        return [await watch.close() for watch in self._watches]


def with_ends(attempt: Attempt, ends: Sequence[WatchEnd]) -> Attempt:
    """Returns the attempt as the ends of its watches make it: their warnings added, an error when one has a problem."""
    warnings = tuple(warning for end in ends for warning in end.warnings)
    if warnings:
        attempt = structs.replace(attempt, warnings=(*attempt.warnings, *warnings))
    for end in ends:
        if end.problem is not None:
            besides = f"; besides: {shorten_middle(' '.join(attempt.error.split()), _BESIDES)}" if attempt.error else ""
            return structs.replace(attempt, status=Status.ERROR, fault=end.fault, error=f"{end.problem}{besides}")
    return attempt
