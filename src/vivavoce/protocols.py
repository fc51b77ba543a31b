"""Every socket on one page: what each room must offer, and what it is given."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar, Literal, Protocol, TextIO, TypeAlias, runtime_checkable

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.metering.pacing import Pace
from vivavoce.model.agent_card import AgentCard as AgentCard
from vivavoce.model.agent_card import ToolSpec as ToolSpec
from vivavoce.model.case import AssertionSpec, CallOptions, Case, FrontendTool, Identity
from vivavoce.model.events import Event
from vivavoce.model.evidence import Evidence as Evidence
from vivavoce.model.evidence import Scope as Scope
from vivavoce.model.interventions import Interventions as Interventions
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.model_exchange import ModelReply as ModelReply
from vivavoce.model.model_exchange import ModelRequest as ModelRequest
from vivavoce.model.result import Attempt, RunReport
from vivavoce.model.tapes import Tapes as Tapes
from vivavoce.model.transcript import Ending, Line, Transcript
from vivavoce.model.verdict import Verdict
from vivavoce.model.watch import Provisions as Provisions
from vivavoce.model.watch import WatchEnd as WatchEnd
from vivavoce.net.http_client import HttpClient
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.snapshots.book import SnapshotBook

# ── sources: bytes → Case ───────────────────────────────────────────────────────────


class Source(Protocol):
    """Somewhere cases come from. Read to check and count, and again to run where nothing could be put aside."""

    @property
    def label(self) -> str:
        """How the console names it."""
        ...

    def read(self) -> Iterator[Case | UsageError]:
        """Each case in order; a bad one comes as the error it is, and reading goes on after it."""
        ...


# ── targets: a line → AgentReply ────────────────────────────────────────────────────


class Surroundings(Struct, frozen=True, kw_only=True):
    """What is built once per process and lent to every target and connector."""

    project: Project
    http: HttpClient
    secrets: Secrets
    connections: JsonObject = {}
    """Connectors opened so far, by id; connections.py keeps it."""
    paces: dict[str, Pace] = {}
    """How fast each connector is called, by id."""
    helpers: "Helpers | None" = None
    """Through whom script tests reach agents and judges."""
    tapes: Tapes | None = None
    """Records or replays what connectors are asked; None: they are simply asked."""


class TargetSpec(Struct, frozen=True, kw_only=True):
    """A target as plain data, to be rebuilt wherever the job runs."""

    id: str
    """How the user names it."""
    kind: str
    """Its name in the TARGETS registry."""
    config: JsonObject = {}
    """The fields that its kind declares."""


class CallContext(Struct, frozen=True, kw_only=True, gc=False):
    """One conversation's surroundings, handed to the session."""

    session_id: str
    """The same for all turns of a conversation, and for no other."""
    case_id: str = ""
    identity: Identity = Identity()
    variables: JsonObject = {}
    frontend_tools: tuple[FrontendTool, ...] = ()
    state: JsonValue = None
    thread_id: str | None = None
    """What the case says; None: the agent's own, or a new one."""
    connector: str | None = None
    """The `-c` override: it beats what a line's options say."""
    workspace: str | None = None
    """The folder that the agent works in: a copy made for this attempt."""
    judged: bool = False
    """Whether the case as a whole judges what is answered; a line may do so besides."""
    provisions: Provisions | None = None
    """None: nobody watches."""
    interventions: Interventions | None = None
    """None: the case has neither mocks nor faults."""


class Session(Protocol):
    """One conversation with an agent. It may be Partial as well."""

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        """Says `line` after all that `transcript` holds. Raises CallFailed when the call itself did not work."""
        ...

    async def close(self) -> None: ...


@runtime_checkable
class Partial(Protocol):
    """A session that can tell what it saw of a turn that broke or took too long."""

    def so_far(self) -> AgentReply: ...


ShowsCalls: TypeAlias = Literal["always", "when_it_has_some", "never"]
"""Whether the answers of a kind of agent show its tool calls. `when_it_has_some`: the form of each answer decides."""


class Target(Protocol):
    """An agent under test, or one that helps testing. Built with (spec, surroundings)."""

    @property
    def card(self) -> AgentCard: ...

    async def open(self, context: CallContext) -> Session: ...

    async def close(self) -> None: ...


@runtime_checkable
class ListsTools(Protocol):
    """A target that can list the tools of its agent, but not at once: it asks others, such as MCP servers, or reads
    them from an object of a framework. Raises CallFailed or UsageError."""

    async def list_tools(self) -> tuple[ToolSpec, ...]: ...


TargetFactory: TypeAlias = Callable[[TargetSpec, Surroundings], Target]


# ── sight: what else can be seen of an agent ────────────────────────────────────────


class Watch(Protocol):
    """One conversation, seen from the side. Its methods are called in order, each turn with its number from 1."""

    def begin_turn(self, number: int, provisions: Provisions) -> None:
        """Puts into `provisions` what the agent is to get with this turn."""
        ...

    async def end_turn(self, number: int, reply: AgentReply, started_ms: float, ended_ms: float) -> AgentReply:
        """Returns the reply with what was seen besides: calls, usage, unread.

        May wait: the time is not the agent's. `reply` is what is known, also when the turn broke.
        """
        ...

    async def close(self) -> WatchEnd:
        """Called once, after the session was closed and the case was judged; also for a stopped attempt."""
        ...


class Watcher(Protocol):
    """Watches all conversations with one agent, as long as the run lasts. Started before the agent is first called."""

    async def start(self) -> Mapping[str, str]:
        """Begins to listen; returns the environment of a server that viva starts for the agent (`serve`).

        Asked more than once, it returns the same. Raises VivaError when it cannot listen.
        """
        ...

    def watch(self, case: Case, run: int, provisions: Provisions) -> Watch | None:
        """Returns the watch over one attempt, before its session is opened; None when there is nothing to watch."""
        ...

    async def close(self) -> None: ...


# ── connectors: messages and tools → a model's answer ───────────────────────────────


class Connector(Protocol):
    """A way to a model. Built with (id, options, surroundings)."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises CallFailed(fault="target") when the model cannot be had."""
        ...


ConnectorFactory: TypeAlias = Callable[[str, JsonObject, Surroundings], Connector]


# ── speakers: Transcript → the next line ────────────────────────────────────────────


class Speaker(Protocol):
    """Speaks for the user. Returns None to let the next speaker decide."""

    async def next_line(self, transcript: Transcript) -> Line | Ending | None: ...


# ── assertions: Evidence → Verdict ──────────────────────────────────────────────────


class AgentCaller(Protocol):
    """How judges, simulators, generators and reporters are called: any agent, by reference."""

    async def ask(
        self,
        ref: str,
        messages: Sequence[Message],
        options: CallOptions,
        *,
        test_id: str = "",
        identity: Identity | None = None,
    ) -> AgentReply:
        """What the agent answers. Without an `identity` it is called on behalf of the test tool itself."""
        ...


class ScriptCaller(Protocol):
    """How user scripts are called, wherever they are used."""

    async def call(self, ref: str, *args: Any, ctx: JsonObject | None = None) -> Any: ...


class Helpers(Struct, frozen=True, kw_only=True):
    agents: AgentCaller
    scripts: ScriptCaller
    judge_timeout_s: float = 120.0
    connector: Callable[[str], Connector] | None = None
    """The live connector behind an id, for checks that ask a model without an agent around it."""
    fingerprint: Callable[[str], str] | None = None
    """A hash of all that decides how an agent (`agents:ID`) or connector answers: its configuration and files."""
    recorded: "RecordedVerdicts | None" = None
    """Set when a recorded conversation is judged again. A check must not write anything then."""
    snapshots: SnapshotBook | None = None


Sight: TypeAlias = Literal["words", "call", "both", "nothing"]


class Assertion(Protocol):
    """A check: a frozen msgspec Struct whose fields are its file syntax.

    It may say more about itself, each as a class variable or a property:

    * `judges_output`: False when it does not judge `Evidence.output`, so that `path` has no meaning (default True);
    * `judges`: what it looks at: `words`, `call` (a tool rule), `both` or `nothing` of what the agent did. Negated, it
      is broken when some of that could not be read (default `both`);
    * `doubted_by`: what could turn its pass into a failure if the agent had said or called more (default `both`). It is
      then broken when a part of the answer was not read that may hold that: one more text, one more call;
    * `looks_inside`: True when it judges arguments or results of the tool it names (`name` or `tool`), so that it is
      broken when those of a call were not shown (default False);
    * `is_never_outvoted`: True when its failure decides the case whatever `min_score` allows (default False);
    * `judges_world`: True when it looks at what the agent left behind (files, a server), which is gone when a recorded
      conversation is judged again (default False);
    * `async request_digest(evidence, helpers) -> str | None`: for a check that asks a model: a hash of all that it
      would send. A recorded verdict with the same digest (`details["request_digest"]`) need not be asked for again.
    """

    __struct_fields__: ClassVar[tuple[str, ...]]
    judges_output: ClassVar[bool]

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict: ...


class RecordedVerdicts(Protocol):
    """What the checks of a recorded conversation found when it was held (engine/recorded_verdicts.py)."""

    async def verdict_for(
        self, spec: AssertionSpec, check: Assertion, evidence: Evidence, helpers: Helpers, nth: int = 0
    ) -> Verdict | None:
        """Returns the recorded verdict where it still counts, a broken one where the check cannot be judged again,
        and None where the check is to be run. `nth`: how many checks before it at the same place read the same."""
        ...


# ── executors: jobs → attempts ──────────────────────────────────────────────────────


class Job(Struct, frozen=True, kw_only=True, gc=False):
    """One case, once: plain data that can go to another machine."""

    case: Case
    index: int
    run: int = 1
    runs: int = 1


Work: TypeAlias = Callable[[Job], Awaitable[Attempt]]
Done: TypeAlias = Callable[[Job, Attempt], None]


class Executor(Protocol):
    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        """Runs every job and calls `done` for each as it finishes. Stops when `done` raises or it is cancelled."""
        ...


class WorkerSetup(Protocol):
    """What an executor needs to run jobs in other processes (engine/worker_setup.py)."""

    @property
    def most(self) -> int | None:
        """The most workers that can keep to the project's `max_parallel`; None: any number."""
        ...

    def opener(self, workers: int) -> Callable[[], AbstractAsyncContextManager[Work]]:
        """Returns a function that sets up one of `workers` processes; it can be pickled and called elsewhere."""
        ...

    def may_repeat(self, job: Job) -> bool:
        """Whether a job may run again when its worker died before it reported."""
        ...


ExecutorFactory: TypeAlias = Callable[[int, str | None, WorkerSetup], Executor]
"""(parallel, address, setup): `--executor NAME=ADDRESS`. Raises UsageError when it cannot work."""


# ── reporters: events → bytes ───────────────────────────────────────────────────────


class Reporter(Protocol):
    """Listens while the run goes on."""

    def handle(self, event: Event) -> None: ...

    def close(self) -> None: ...


DocumentWriter: TypeAlias = Callable[[RunReport, TextIO], None]
"""Writes a whole report once the run is over."""
