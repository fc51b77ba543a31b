"""An AG-UI app as the agent under test."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from vivavoce.errors import UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonValue
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.project.variables import UndefinedVariable, interpolate_deep
from vivavoce.protocols import AgentCard, CallContext, Session, Surroundings, TargetSpec, ToolSpec
from vivavoce.scripts.script_runner import ScriptRunner
from vivavoce.targets.ag_ui.agent_run_input import Envelope, agent_run_ids
from vivavoce.targets.ag_ui.exchange import Exchange, HttpExchange
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs
from vivavoce.targets.ag_ui.session import AgUiSession, Settings
from vivavoce.targets.stream_deadline import read_limits


class AgUiTarget:
    """Opens a thread per conversation. Built from the fields of kind.AgUiFields; `record_to` keeps the streams."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self._spec = spec
        self._config: Mapping[str, JsonValue] = spec.config
        self._surroundings = surroundings
        self._limits = read_limits(spec)
        self._tools = self._read_tools()
        self._settings = self._settings_as_written()
        written = (self._settings.state, self._settings.context, self._settings.forwarded_props)
        self._may_need_variables = "${" in repr(written)
        self._run_ids = agent_run_ids()
        self._for_every_case: HttpExchange | None = None
        self._scripts: ScriptRunner | None = None
        record_to = self._config.get("record_to")
        self._record_to = None if record_to is None else Path(record_to)

    @property
    def card(self) -> AgentCard:
        return AgentCard(
            id=self._spec.id,
            kind=self._spec.kind,
            description=self._config.get("description") or "",
            tools=tuple(
                ToolSpec(name=tool.name, description=tool.description, parameters=tool.parameters)
                for tool in self._tools.values()
            ),
            where=self._where,
        )

    @property
    def _where(self) -> str:
        return str(self._config.get("agui") or "")

    async def open(self, context: CallContext) -> Session:
        """Variables are put in only now: hooks may have made them."""
        variables = {**self._surroundings.project.config.variables, **context.variables}
        tools = self._tools
        if context.frontend_tools:
            tools = {**tools, **{tool.name: tool for tool in context.frontend_tools}}
        settings = self._settings
        if self._may_need_variables or context.state is not None:
            state = settings.state if context.state is None else context.state
            settings = structs.replace(
                settings,
                state=self._filled(state, variables),
                context=self._filled(settings.context, variables),
                forwarded_props=self._filled(settings.forwarded_props, variables),
            )
        stubs = FrontendStubs(list(tools.values()), self._call_script, context.interventions)
        exchange = self._exchange(context, variables)
        if context.interventions is not None:
            from vivavoce.targets.ag_ui.faulty_exchange import FaultyExchange

            exchange = FaultyExchange(exchange, context.interventions)
        thread_id = self._filled(context.thread_id or self._config.get("thread_id"), variables)
        return AgUiSession(str(thread_id or context.session_id), self._run_ids, exchange, stubs, settings)

    async def close(self) -> None:
        if self._scripts is not None:
            await self._scripts.close()

    def _exchange(self, context: CallContext, variables: Mapping[str, JsonValue]) -> Exchange:
        if self._for_every_case is not None:
            return self._for_every_case
        secrets = self._surroundings.secrets
        url = self._filled(self._where, variables)
        if not url.startswith(("http://", "https://")):
            raise UsageError(
                f"agent {self._spec.id!r}: not an address: {url!r}", hint="write it like https://host/path"
            )
        written: dict[str, str] = self._config.get("headers") or {}
        headers = {name: secrets.add_header(self._filled(value, variables)) for name, value in written.items()}
        live = HttpExchange(self._surroundings.http, url, headers, self._limits.connect_s, context.provisions)
        if self._record_to is None:
            if context.provisions is None and "${" not in repr((self._where, written)):
                self._for_every_case = live
            return live
        from vivavoce.targets.ag_ui.recording import RecordingExchange, RecordingWriter

        writer = RecordingWriter(self._record_to, context.case_id, url, list(headers), secrets)
        return RecordingExchange(live, writer)

    def _filled(self, value: JsonValue, variables: Mapping[str, JsonValue]) -> JsonValue:
        try:
            return interpolate_deep(value, variables, self._surroundings.secrets)
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self._spec.id!r}: {undefined}") from None

    def _settings_as_written(self) -> Settings:
        return Settings(
            state=self._config.get("state"),
            context=list(self._config.get("context") or ()),
            forwarded_props=dict(self._config.get("forwarded_props") or {}),
            envelope=self._envelope(),
            limits=self._limits,
        )

    def _envelope(self) -> Envelope | None:
        if self._config.get("envelope") != "copilotkit":
            return None
        options: Mapping[str, JsonValue] = self._config.get("options") or {}
        return Envelope(agent_id=str(options.get("agentId") or "default"))

    async def _call_script(self, ref: str, args: JsonValue) -> JsonValue:
        if self._scripts is None:
            self._scripts = ScriptRunner(self._surroundings.project)
        return await self._scripts.call(ref, args)

    def _read_tools(self) -> dict[str, FrontendTool]:
        """The project's tools, then the agent's own, which may say otherwise."""
        project = self._surroundings.project
        try:
            everywhere = read_frontend_tools(project.config.tools)
        except UsageError as problem:
            raise UsageError(problem.what, at=project.place("tools"), hint=problem.hint) from None
        try:
            own = read_frontend_tools(self._config.get("tools") or [])
        except UsageError as problem:  # who looks the agent up knows where it is written
            raise UsageError(f"agent {self._spec.id!r}: {problem.what}", hint=problem.hint) from None
        return {tool.name: tool for tool in (*everywhere, *own)}
