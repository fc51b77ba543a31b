"""The answers that a mock has by itself: a file of mocks, a folder of tapes."""

import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from vivavoce.errors import CallFailed, UsageError, did_you_mean
from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import ToolCall
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.project.files import read_text
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import INITIALIZE, LIST_TOOLS, McpAnswer, McpRequest, refused
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_reading import SUFFIX, read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter

_ANY = {"type": "object"}


class OwnResponder:
    """What `viva mcp-mock` answers without a run of viva."""

    def __init__(
        self, server: str, mocks: Sequence[FrontendTool], record: Path | None, replay: Path | None, censor: Censor
    ) -> None:
        """Raises UsageError when there is nothing to replay."""
        self._server = server
        self._mocks = mocks
        self._writer: TapeWriter | None = None
        self._responder = McpResponder(
            censor, self._attempt_tape(record, replay), CaseInterventions((), mocks, _no_scripts)
        )

    async def answer(self, request: McpRequest, ask: Callable[[], Awaitable[McpAnswer]]) -> McpAnswer:
        """Returns a mock's answer, a recorded one, or that of `ask`."""
        return await self._responder.answer(request, ask)

    def refuse_unknown(self, listed: McpAnswer) -> None:
        """Raises UsageError for a mock of a tool that is not in the list of tools."""
        known = [str(tool.get("name")) for tool in (listed.result or {}).get("tools") or ()]
        for mock in self._mocks:
            if not any(ToolCall(name=name).is_named(mock.name) for name in known):
                hint = did_you_mean(mock.name, known) or f"it has: {', '.join(known) or 'none'}"
                raise UsageError(f"mock: the MCP server has no tool {mock.name!r}", at="--mocks", hint=hint)

    def tools_of_mocks(self, request: McpRequest) -> McpAnswer:
        """The answer where the mocks have neither a server nor a tape behind them."""
        if request.method == INITIALIZE:
            return McpAnswer(
                result={"capabilities": {"tools": {}}, "serverInfo": {"name": self._server, "version": "0"}}
            )
        if request.method != LIST_TOOLS:
            return refused(f"viva mcp-mock: {request.params.get('name', request.method)} is not mocked")
        tools: list[JsonObject] = [
            {"name": mock.name, "description": mock.description, "inputSchema": mock.parameters or _ANY}
            for mock in self._mocks
        ]
        return McpAnswer(result={"tools": tools})

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    def _attempt_tape(self, record: Path | None, replay: Path | None) -> AttemptTape | None:
        folder = record or replay
        if folder is None:
            return None
        path = folder / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', self._server)}{SUFFIX}"
        if replay is not None and not path.is_file():
            hint = f"make it with --record {folder}, or name the server with --as"
            raise UsageError(f"no tape of the MCP server {self._server!r}: {path}", at="--replay", hint=hint)
        if record is not None:
            self._writer = TapeWriter(path)
            self._writer.begin(self._server, 1)
        return AttemptTape(
            self._server,
            1,
            normaliser=Normaliser(),
            tape=None if replay is None else read_tape(path),
            writer=self._writer,
            # It may serve any number of conversations.
            reuse=True,
            re_record=f"viva mcp-mock --record {folder} -- …",
        )


def read_mocks(path: Path) -> tuple[FrontendTool, ...]:
    """Reads a list of mocks, or `{mocks: […]}`, from YAML or JSON. Raises UsageError."""
    documents = list(read_yaml_documents(read_text(path), str(path)))
    value: JsonValue = documents[0].value if documents else None
    listed: JsonValue = value.get("mocks") if is_object(value) else value
    if not is_array(listed):
        raise UsageError("no list of mocks", at=str(path), hint="write - {name: TOOL, answer: …}")
    mocks = read_frontend_tools(listed, str(path), word="mock")
    for mock in mocks:
        if any("script" in answer for answer in mock.answers):
            hint = "put the mock at the case, under `mocks:`"
            raise UsageError(f"mock {mock.name!r}: scripts answer only in a run of viva", at=str(path), hint=hint)
    return mocks


async def _no_scripts(ref: str, _: JsonValue) -> JsonValue:
    raise CallFailed(f"script {ref!r}: scripts answer only in a run of viva", fault="test")
