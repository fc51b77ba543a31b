"""`mcp_mock:` of an agent: its MCP servers run behind `viva mcp-mock`, which asks here for every answer."""

import os
import sys
from collections.abc import Mapping

from msgspec import structs

from vivavoce.errors import did_you_mean
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.plugins.catalog import TARGETS
from vivavoce.protocols import Provisions, Surroundings, TargetSpec, WatchEnd
from vivavoce.sight.joined_calls import joined
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.mcp_calls.responder_server import VARIABLE, ResponderServer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.run_tapes import RunTapes, current_attempt_tape
from vivavoce.sight.tapes.tape_settings import TAPES_ONLY


class McpWatcher:
    """protocols.Watcher. Listens on loopback during the whole run."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        written: JsonValue = spec.config.get("mcp_mock")
        fields: JsonObject = written if is_object(written) else {}
        tapes = surroundings.tapes
        self._tapes = tapes if isinstance(tapes, RunTapes) else None
        self._censor = Censor(surroundings.secrets) if self._tapes is None else self._tapes.censor
        kind = TARGETS.load(spec.kind)
        self._agent = spec.id
        self._sees = not fields.get(TAPES_ONLY)
        self._mocks_here = "tool" not in kind.struck_at
        self._is_here = kind.runs == "here"
        self._is_elsewhere = kind.runs == "elsewhere" and not spec.config.get("serve")
        self._was: str | None = None
        self._port = int(fields.get("listen") or 0)
        self._server: ResponderServer | None = None

    async def start(self) -> Mapping[str, str]:
        if self._server is None:
            self._server = ResponderServer(self._port, self._outside)
            await self._server.start()
            if self._is_here:
                self._was = os.environ.get(VARIABLE)
                os.environ[VARIABLE] = self._server.root
            if self._is_elsewhere and self._sees:
                setting = f"once `viva mcp-mock` is started with:\n  export {VARIABLE}={self._server.root}"
                print(f"viva: the MCP servers of agent {self._agent!r} are mocked and seen {setting}", file=sys.stderr)
        await self._server.start()
        return {VARIABLE: self._server.root}

    def watch(self, case: Case, run: int, provisions: Provisions) -> "McpWatch":
        assert self._server is not None
        tape = current_attempt_tape()
        responder = McpResponder(self._censor, tape, provisions.interventions)
        provisions.environment[VARIABLE] = self._server.add(responder)
        mocks = [mock.name for mock in case.mocks] if self._mocks_here else []
        is_replay = self._mocks_here and tape is not None and tape.has_mcp_calls
        return McpWatch(responder, self._server, mocks, sees=self._sees, is_replay=is_replay)

    def _outside(self) -> McpResponder:
        return McpResponder(self._censor, None if self._tapes is None else self._tapes.outside_tape())

    async def close(self) -> None:
        server, self._server = self._server, None
        if server is None:
            return
        if self._is_here:
            if self._was is None:
                os.environ.pop(VARIABLE, None)
            else:
                os.environ[VARIABLE] = self._was
        await server.close()


class McpWatch:
    """protocols.Watch of one conversation."""

    def __init__(
        self, responder: McpResponder, server: ResponderServer, mocks: list[str], *, sees: bool, is_replay: bool
    ) -> None:
        self._responder = responder
        self._server = server
        self._mocks = mocks
        self._sees = sees
        self._is_replay = is_replay
        """Whether the tape answers the calls of this case's MCP servers."""
        self._begun = 0

    def begin_turn(self, number: int, provisions: Provisions) -> None:
        self._responder.turn = self._begun = number

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        self._responder.turn = number + 1
        calls = [call for turn, call in self._responder.calls if turn == number]
        return structs.replace(reply, calls=joined(reply.calls, calls)) if self._sees and calls else reply

    async def close(self) -> WatchEnd:
        self._server.remove(self._responder)
        if self._responder.problems:
            return WatchEnd(problem=self._responder.problems[0])
        if (problem := self._unmocked() or self._unplayed()) is not None:
            return WatchEnd(problem=problem)
        late = [call for turn, call in self._responder.calls if turn > self._begun]
        if self._sees and late:
            what = f"the agent went on after its last answer, where no check looks: {late[0].name} was called"
            return WatchEnd(problem=what, fault="agent")
        return WatchEnd()

    def _unplayed(self) -> str | None:
        """The error when recorded calls were not replayed, because the agent's servers run without the mock."""
        if not self._is_replay or self._responder.servers:
            return None
        return (
            "the tape has calls of MCP servers of this case, and no `viva mcp-mock` asked for them, so their tools may "
            f"have run: start the agent's MCP server as `viva mcp-mock -- COMMAND`, with {VARIABLE} in its environment"
        )

    def _unmocked(self) -> str | None:
        """The error when a mock of the case could not answer."""
        if self._mocks and not self._responder.servers:
            return (
                f"the case mocks {self._mocks[0]}, and no `viva mcp-mock` asked for its answers: start the agent's MCP "
                f"server as `viva mcp-mock -- COMMAND`, with {VARIABLE} in its environment"
            )
        # For clients that never list the tools, only the called ones are known.
        known = list(self._responder.tools) or list(dict.fromkeys(call.name for _, call in self._responder.calls))
        for name in self._mocks:
            if known and not any(ToolCall(name=tool).is_named(name) for tool in known):
                hint = did_you_mean(name, known) or f"they have: {', '.join(known)}"
                return f"mock: the agent's MCP servers have no tool {name!r} ({hint})"
        return None
