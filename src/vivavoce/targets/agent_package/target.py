"""An agent package as a target: `package.yao`, prompts, hooks, tools and MCP servers around a model."""

from typing import Any

import msgspec
from msgspec import structs

from vivavoce.calling.connections import expand_options, find_connector
from vivavoce.containment.captured_output import OutputLog
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.agent_card import WantedName
from vivavoce.model.case import CallOptions
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.files import place_of_text
from vivavoce.project.packages import PACKAGE_FILE
from vivavoce.project.variables import UndefinedVariable
from vivavoce.protocols import AgentCard, CallContext, Connector, Surroundings, TargetSpec, ToolSpec
from vivavoce.targets.agent_package.hooks import Answered, Created, Hooks
from vivavoce.targets.agent_package.loader import AgentPackage, load_package, required_package
from vivavoce.targets.agent_package.locales import USUAL
from vivavoce.targets.agent_package.loop import ToolLoop
from vivavoce.targets.agent_package.mcp_tools import McpServers
from vivavoce.targets.agent_package.prompts import filled_prompts, wanted_names
from vivavoce.targets.agent_package.tools import Tool, local_tools
from vivavoce.targets.call_payload import Context
from vivavoce.targets.printed import with_logs


class AgentPackageTarget:
    """The agent of one folder. Its code is loaded and its servers are started when first needed."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        self.id = spec.id
        self.surroundings = surroundings
        self.package: AgentPackage = load_package(
            required_package(str(spec.config.get("package") or spec.id), surroundings.project), surroundings.project
        )
        said = self._filled_in({"connector": self.package.connector, "options": self.package.options})
        self.connector: str | None = said["connector"] or surroundings.project.config.run.connector
        self.options: dict[str, Any] = {**said["options"], **(spec.config.get("options") or {})}
        """Request parameters: what a named agent of the configuration says beats its package."""
        self._spec = spec
        self._tools: dict[str, Tool] | None = None
        self._hooks: Hooks | None = None
        self._servers: McpServers | None = None

    def _filled_in(self, said: dict[str, Any]) -> dict[str, Any]:
        """What `package.yao` says, with its `$ENV.NAME` put in. Raises UsageError for a name that is not set."""
        project = self.surroundings.project
        try:
            return expand_options(said, project.config.variables, self.surroundings.secrets)
        except UndefinedVariable as undefined:
            place = place_of_text(self.package.folder / PACKAGE_FILE, undefined.written)
            raise UsageError(f"agent {self.id!r}: {undefined}", at=place) from None

    @property
    def card(self) -> AgentCard:
        return AgentCard(
            id=self.id,
            kind="package",
            description=str(self._spec.config.get("description") or self.package.description),
            tools=tuple(tool.spec for tool in self._local_tools().values()),
            has_more_tools=bool(self.package.mcp),
            connector=self.connector,
            chooses_connector=self.package.hooks_file.is_file(),
            wants=self._wants(),
            where=self.surroundings.project.shown(self.package.folder),
        )

    def _wants(self) -> tuple[WantedName, ...]:
        """Nothing for a package with hooks: its `Create` may bring metadata of its own."""
        if self.package.hooks_file.is_file():
            return ()
        return tuple(wanted_names(self.package.prompts, self.package.said_in(USUAL)))

    async def open(self, context: CallContext) -> "PackageSession":
        """Raises UsageError when the package's code or its connector cannot be used."""
        if named := context.connector or self.connector:
            find_connector(named, self.surroundings)
        tools = await self._every_tool()
        if self._hooks is None:
            self._hooks = Hooks(self.package, self.surroundings.project)
        return PackageSession(self, tools, self._hooks, context)

    async def list_tools(self) -> tuple[ToolSpec, ...]:
        """Its own tools and those of its MCP servers."""
        return tuple(tool.spec for tool in (await self._every_tool()).values())

    async def _every_tool(self) -> dict[str, Tool]:
        """Starts the MCP servers that are not running yet."""
        tools = self._local_tools()
        if not self.package.mcp:
            return tools
        if self._servers is None:
            self._servers = McpServers(self.package.mcp, self.surroundings)
        return {**tools, **await self._servers.tools()}

    async def close(self) -> None:
        servers, self._servers = self._servers, None
        if servers is not None:
            await servers.close()

    def _local_tools(self) -> dict[str, Tool]:
        if self._tools is None:
            self._tools = local_tools(self.package, self.surroundings.project)
        return self._tools


class PackageSession:
    """One conversation with the agent; it keeps no state of its own."""

    def __init__(self, target: AgentPackageTarget, tools: dict[str, Tool], hooks: Hooks, context: CallContext) -> None:
        self._target = target
        self._tools = tools
        self._hooks = hooks
        self._context = context
        self._loop: ToolLoop | None = None

    def so_far(self) -> AgentReply:
        """What was said and done in the turn that broke."""
        return AgentReply() if self._loop is None else self._loop.so_far()

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        ctx = agent_context(self._target.id, self._context, line.options)
        with OutputLog() as log:
            return with_logs(await self._answer(line, transcript, ctx), log)

    async def close(self) -> None: ...

    async def _answer(self, line: Line, transcript: Transcript, ctx: Context) -> AgentReply:
        self._loop = None
        package = self._target.package
        said = transcript.messages(line)
        created = await self._hooks.create(ctx, said)
        ctx["metadata"] = {**ctx["metadata"], **created.metadata}
        ctx["locale"] = created.locale or ctx["locale"]
        words = package.said_in(str(ctx["locale"]))
        prompts = filled_prompts(package.prompts, ctx, self._target.surroundings.secrets, words)
        conversation = [*prompts, *(said if created.messages is None else created.messages)]
        options = {**self._target.options, **created.request_options}
        loop = self._loop = ToolLoop(
            self._connector(line, created), self._tools, options, ctx, interventions=self._context.interventions
        )
        while True:
            last = await loop.run(conversation)
            answered = await self._hooks.next(ctx, conversation, last, loop.calls)
            if answered.messages is None:
                return _declared(loop.reply(last, answered.data), answered)
            loop.listen(answered.messages, conversation)

    def _connector(self, line: Line, created: Created) -> Connector:
        """Returns the connector of the flag, else of the line's options, else of the package."""
        named = self._context.connector or line.options.connector
        name = named or created.connector or self._target.connector
        if name is None:
            raise CallFailed(
                f"agent {self._target.id!r} has no connector",
                fault="test",
                hint="give -c CONNECTOR, or `connector` in its package.yao",
            )
        try:
            return find_connector(name, self._target.surroundings)
        except UsageError as error:
            raise CallFailed(str(error), fault="test" if named else "agent") from None


def _declared(reply: AgentReply, answered: Answered) -> AgentReply:
    """The reply with what `Next` says about waiting for an answer, which beats what the model said."""
    if answered.awaiting_input is not None:
        reply = structs.replace(reply, awaiting=answered.awaiting_input)
    return reply if answered.input_hint is None else structs.replace(reply, input_hint=answered.input_hint)


def agent_context(agent_id: str, context: CallContext, options: CallOptions) -> Context:
    """Identity, conversation and options of one call."""
    who = context.identity
    told = Context(
        assistant_id=agent_id,
        chat_id=context.session_id,
        session_id=context.session_id,
        test_id=context.case_id,
        user_id=who.user_id,
        team_id=who.team_id,
        locale=who.locale,
        client={"type": who.client_type, "ip": who.client_ip},
        referer=who.referer,
        accept=who.accept,
        metadata=dict(options.metadata),
        options=msgspec.to_builtins(options),
        variables=dict(context.variables),
    )
    if context.workspace is not None:
        told["workspace"] = context.workspace
    return told
