"""Results: attempts, case results, the run's totals."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from vivavoce.model.case import Case, Identity
from vivavoce.model.contender import Contender
from vivavoce.model.json_value import JsonValue, Name
from vivavoce.model.message import Usage
from vivavoce.model.transcript import Transcript
from vivavoce.model.verdict import Fault, Verdict
from vivavoce.model.workspace import WorkspaceAfter


class Status(StrEnum):
    """The result of a case or of one attempt."""

    PASSED = "passed"
    FAILED = "failed"
    TIMEOUT = "timeout"
    ERROR = "error"
    SKIPPED = "skipped"
    NOT_RUN = "not_run"
    """Selected but not run: the budget or the time was used up, or somebody stopped the run."""


UNSUCCESSFUL = frozenset({Status.FAILED, Status.TIMEOUT, Status.ERROR})
"""What makes a run red."""
NOT_JUDGED = frozenset({Status.SKIPPED, Status.NOT_RUN})
"""These say nothing about the agent: pass rates and stability leave them out."""


class CheckpointTry(Struct, frozen=True, omit_defaults=True):
    """The verdicts of a checkpoint after one turn, in short form."""

    turn: int
    verdicts: tuple[Verdict, ...]
    """Without their checks, which are those of `CheckpointOutcome.verdicts`, in the same order."""


class CheckpointOutcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    description: str | None = None
    required: bool = True
    reached_at_turn: int | None = None
    nearest_miss: str | None = None
    """For one never reached: the reason of the try that came closest."""
    nearest_at_turn: int | None = None
    """For one never reached: the turn of that try. Older files do not say."""
    verdicts: tuple[Verdict, ...] = ()
    """Of the try that reached it, or came closest."""
    tries: tuple[CheckpointTry, ...] = ()
    """The other tries: needed to judge the conversation again without asking a judge twice. Older files have none."""


def total_usage(of_turns: Sequence[Usage | None]) -> Usage | None:
    """The sum; None when no turn has a usage."""
    total: Usage | None = None
    for usage in of_turns:
        if usage:
            total = usage if total is None else total.plus(usage)
    return total


class Attempt(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One execution of a case."""

    status: Status
    run: int = 1
    fault: Fault | None = None
    error: str | None = None
    """Why it did not pass, in one line; for a skipped one, the reason."""
    transcript: Transcript = Transcript()
    verdicts: tuple[Verdict, ...] = ()
    final_verdicts: tuple[Verdict, ...] = ()
    checkpoints: tuple[CheckpointOutcome, ...] = ()
    started_ms: float = 0.0
    """Unix milliseconds."""
    duration_ms: float = 0.0
    """How long the agent took: all turns together."""
    overhead_ms: float = 0.0
    """The rest: hooks, starting processes and servers, simulators, judges."""
    warnings: tuple[str, ...] = ()
    retries: tuple[str, ...] = ()
    """Each request that was repeated, and why, in words."""
    overhead: Usage | None = None
    """Usage that is not part of the replies: judges, simulators, repeated attempts."""
    logs: str = ""
    """What user code printed while it ran."""
    workspace: WorkspaceAfter | None = None
    """What the agent left in its workspace, when the case has one."""
    replayed: bool = False
    """Whether recorded answers were used: the duration then says nothing about the agent."""
    masked: bool = False
    """Whether secrets are masked in the replies and calls: the original text is lost."""

    @property
    def ended_ms(self) -> float:
        """Unix milliseconds."""
        return self.started_ms + self.duration_ms + self.overhead_ms

    @property
    def output(self) -> JsonValue:
        last = self.transcript.last
        return last.reply.output if last else None

    def all_verdicts(self) -> tuple[Verdict, ...]:
        """Returns the verdicts of the turns, the case and the final assertions."""
        return self.transcript.verdicts + self.verdicts + self.final_verdicts

    @property
    def usage(self) -> Usage | None:
        return total_usage([turn.reply.usage for turn in self.transcript.turns])


class Stability(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """How steady a case was over its runs; skipped runs do not count."""

    runs: int
    passed: int
    failed: int
    pass_rate: float
    """Percent of the runs that passed."""
    consistency: float
    """The share of runs whose output is the most common one."""
    stable: bool
    stability_class: str
    avg_duration_ms: float
    min_duration_ms: float
    max_duration_ms: float
    std_deviation_ms: float
    ci_low: float = 0.0
    ci_high: float = 100.0
    """The Wilson 95 % interval of the pass rate, in percent."""
    pass_hat_k: float = 0.0
    """The chance that as many fresh runs would all pass."""
    similar_consistency: float = 0.0
    """The share of runs whose output is the most common one or similar to it."""


class Quarantine(Struct, frozen=True, kw_only=True):
    """Why the result of a case does not decide the exit code, and how long that holds (quarantine.yaml)."""

    why: str
    until: str
    """The last day, as `2026-12-31`."""


class CaseResult(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The final result of a case; with `runs=1` it has one attempt."""

    case: Case
    status: Status
    attempts: tuple[Attempt, ...]
    stability: Stability | None = None
    """Set when the case ran more than once."""
    index: int = 0
    """Its place in the run's order, from 1."""
    quarantine: Quarantine | None = None
    """Set while the case is in quarantine: it is reported, and does not make the run red."""

    def __str__(self) -> str:
        """`T1: failed: output does not contain 'refund'`"""
        why = self.decisive.error
        return f"{self.case.id}: {self.status.value}" + (f": {why}" if why and self.status is not Status.PASSED else "")

    @property
    def is_red(self) -> bool:
        """Whether the result makes the run red."""
        return self.status in UNSUCCESSFUL and self.quarantine is None

    @property
    def decisive(self) -> Attempt:
        """The attempt that explains the result: the first with the case's status, else the first."""
        attempts = self.attempts
        if len(attempts) == 1:
            return attempts[0]
        return next((attempt for attempt in attempts if attempt.status is self.status), attempts[0])


class CaseOutcome(Struct, frozen=True):
    """What a comparison needs to know about a case. Small: two runs of 100,000 cases fit in memory."""

    key: str
    id: str
    name: str | None
    status: Status
    duration_ms: float
    runs: int
    """How many attempts were judged; skipped ones do not count."""
    passed: int
    replies_digest: str
    """A hash of all the agent's replies."""
    calls_digest: str = ""
    """A hash of all its tool calls: turn, name, arguments, whether they failed. Empty: none was made."""
    calls_of_other_runs: tuple[str, ...] = ()
    """The same hash for each further run of the case."""
    shows_calls: bool = True
    """False if it is unknown which tools were called."""
    tokens: float | None = None
    cost: float | None = None
    """What a run of the case used on average; None when no answer said."""
    replayed: bool = False
    """Whether recorded answers were used."""


class AgentVersion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Hashes that identify the version of an agent, the same on every machine. They contain no secrets."""

    configuration: Name = ""
    """Hash of its fields in viva.yaml and of its connectors, secrets masked."""
    source: Name | None = None
    """Hash of its package, prompts or code inside the project; None if they are elsewhere."""
    model: str | None = None


class RunInfo(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """What was run, known before the first call."""

    run_id: Name
    started_at: Name
    agent_id: str
    connector: str | None = None
    identity: Identity = Identity()
    inputs: tuple[str, ...] = ()
    total_cases: int = 0
    runs_per_case: int = 1
    version: Name = ""
    command: str = ""
    project_root: Name = ""
    shard: Name | None = None
    """Which part of a split run this is: `2/5`; several, with commas, where some were merged."""
    cases_of_all_shards: int | None = None
    """How many cases all parts have together."""
    exam: dict[Name, Name] = {}
    """What decides the results besides the cases: part → keyed hash."""
    title: str | None = None
    """The name that a person gave to the run (`--title`)."""
    revision: Name | None = None
    """The commit that was checked out."""
    branch: str | None = None
    dirty: bool | None = None
    """Whether files under version control differed from that commit; None if unknown."""
    agents: dict[str, AgentVersion] = {}
    """The agents under test by their ids."""
    agent_of: dict[Name, Name] = {}
    """`agent` of a case, or its file when it has none → the agent's id, wherever that is not `agent_id`. Secrets in
    agents are masked already."""
    tags: tuple[str, ...] = ()
    """The tags of the selected cases, each once."""
    contenders: tuple[Contender, ...] = ()
    """What `viva compare` compared: each case ran once for each of them. Empty for every other run."""

    def agent_for(self, case_agent: str | None, file: str) -> str:
        """Returns the id of the agent that a case examined."""
        return self.agent_of.get(case_agent or file, self.agent_id) if self.agent_of else self.agent_id

    @property
    def models(self) -> tuple[str, ...]:
        """The models of the agents, each once, where they are known."""
        return tuple(dict.fromkeys(agent.model for agent in self.agents.values() if agent.model))


class Summary(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """The run in numbers; `total` includes the skipped."""

    total: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    timeouts: int = 0
    skipped: int = 0
    not_run: int = 0
    """Selected but never finished: the run was stopped."""
    total_turns: int = 0
    total_runs: int = 0
    passed_runs: int = 0
    stable_cases: int = 0
    unstable_cases: int = 0
    duration_ms: float = 0.0
    completed_at: str = ""
    usage: Usage | None = None
    faults: dict[str, int] = {}
    interrupted: str | None = None
    """Why the run ended early: "fail-fast", "ctrl-c", …"""
    warnings: tuple[str, ...] = ()
    quarantined: int = 0
    """How many of those that did not pass are in quarantine: they do not decide the exit code."""
    unchecked: int = 0
    """How many of those that passed check nothing of the agent's answer."""

    @property
    def unsuccessful(self) -> int:
        return self.failed + self.errors + self.timeouts

    @property
    def tested_nothing(self) -> bool:
        """Whether there were cases, and every one of them was skipped."""
        return 0 < self.total == self.skipped

    @property
    def is_red(self) -> bool:
        """Whether the run failed. Quarantined cases do not count, except in a run in which nothing passed."""
        return self.unsuccessful > self.quarantined or (self.unsuccessful > 0 and self.passed == 0)

    @property
    def pass_rate(self) -> float:
        """Passed cases in percent of the judged ones: those that ran and were not skipped."""
        judged = self.total - self.skipped - self.not_run
        return 100.0 * self.passed / judged if judged else 0.0


class RunReport(Struct, frozen=True, kw_only=True):
    """A whole run. Results are read from the journal each time: they are never in memory together."""

    info: RunInfo
    summary: Summary
    rows: Callable[[], Iterator[bytes]]
    """The results as lines of the journal, a JSON object each. Cheaper than `results` if you want JSON."""
    results: Callable[[], Iterator[CaseResult]]
