"""The lines of a result file, field by field: the names the seeds print, plus what a lossless reading needs.

A conversation of one plain turn stands flat in its row; a longer one has `turns`. Absent fields have their default.
Own fields come before inherited ones (those are keyword-only), so a row begins with its id and status.

A field that a row type and its model type share under one name is copied both ways without being named again. To add a
field to AgentReply, Line, ToolCall or Attempt, declare it there and here; a field of Case, Verdict or Summary needs
nothing here. `tests/unit/results/test_rows.py` names every field that was forgotten.
"""

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.case import (
    AssertionSpec,
    CallOptions,
    Case,
    Checkpoint,
    Identity,
    LineSource,
    ResumeAnswer,
    ScriptedTurn,
)
from vivavoce.model.contender import Contender
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply, Content, ExchangeStatus, Interrupt, Message, ToolCall, Unread, Usage
from vivavoce.model.result import (
    AgentVersion,
    Attempt,
    CheckpointOutcome,
    CheckpointTry,
    Quarantine,
    RunInfo,
    Status,
    Summary,
)
from vivavoce.model.transcript import Ending, Line
from vivavoce.model.verdict import Fault
from vivavoce.model.workspace import WorkspaceAfter
from vivavoce.results.shared_fields import SharedFields

VerdictRow = JsonObject
"""The assertion as its author wrote it, with `passed`, `outcome`, `reason`, `expected`, `actual`, … added."""


class ToolCallRow(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    id: str = ""
    name: str
    args: JsonValue
    result: JsonValue | UnsetType = UNSET
    error: str | None = None
    start_ts: float | None = None
    timestamp: float | None = None
    """Unix ms at completion, as seed 001 counts it."""
    frontend: bool = False


class ReplyRow(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One line and what came of it: the part that a turn and a one-turn case share.

    A row with a field that is not known here was edited, or written by a newer viva: a call may be in it.
    """

    input: Content | UnsetType = UNSET
    speaker: str | None = None
    """Who of several users spoke."""
    input_source: LineSource | UnsetType = UNSET
    """Always there for a turn; of a row that is its one turn, only where it is not "static"."""
    output: JsonValue | UnsetType = UNSET
    """The structured data when there was any, else the text."""
    response: str | UnsetType = UNSET
    """The text. A turn has it only where `output` is not that text."""
    structured: bool = False
    """Whether an `output` that is a string was given as data, not as the text."""
    tool_calls: tuple[ToolCallRow, ...] = ()
    awaiting_input: bool | UnsetType = UNSET
    """The same: a flat row has it only where it is true."""
    awaiting_reason: str | UnsetType = UNSET
    """How we know; a flat row has it only where there is more to say than "completed"."""
    awaiting_declared: bool | None = None
    input_hint: str | None = None
    finish_reason: str | None = None
    texts: tuple[str, ...] = ()
    usage: Usage | None = None
    state: JsonValue | UnsetType = UNSET
    interrupts: tuple[Interrupt, ...] = ()
    exchange: ExchangeStatus = ExchangeStatus.SUCCESS
    exchange_error: str | None = None
    violations: tuple[str, ...] = ()
    late_results: tuple[ToolCallRow, ...] = ()
    messages: tuple[Message, ...] = ()
    trace: tuple[JsonObject, ...] = ()
    unread: tuple[Unread, ...] = ()
    shows_calls: bool = True
    """False where the form of the answer had no place for tool calls."""
    not_shown: str = ""
    """Why its calls are not shown, where the target could tell."""
    options: CallOptions | UnsetType = UNSET
    """Absent when the line carried the case's own options."""
    checks: tuple[AssertionSpec, ...] | UnsetType = UNSET
    """The line's assertions, when they are not exactly those that were judged."""
    resume: tuple[ResumeAnswer, ...] = ()
    goal_achieved: bool = False
    note: str | None = None
    turn_start_ts: float = 0.0
    turn_end_ts: float = 0.0
    agent_ended_ts: float | None = None
    """When the agent itself had finished, where the target could tell."""


class TurnRow(ReplyRow, kw_only=True, omit_defaults=True, gc=False):
    turn: int
    status: str
    duration_ms: float = 0.0
    error: str | None = None
    skip_reason: str | None = None
    """Only on a turn that was never taken: it stands for the line that was missing."""
    assertions: tuple[VerdictRow, ...] = ()
    assertion_errors: tuple[str, ...] = ()
    checkpoints_reached: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    logs: str = ""


class CheckpointRow(Struct, kw_only=True, omit_defaults=True):
    id: str
    reached_at_turn: int | None
    passed: bool
    required: bool
    description: str | None = None
    nearest_miss: str | None = None
    nearest_at_turn: int | None = None
    assertions: tuple[VerdictRow, ...] = ()
    tries: tuple[CheckpointTry, ...] = ()


class AttemptRow(ReplyRow, omit_defaults=True, kw_only=True, gc=False):
    """One case, once: what a single run's line and an entry of `run_details` share."""

    skip_reason: str | None = None
    test_start_ts: float = 0.0
    test_end_ts: float = 0.0
    total_turns: int = 0
    assertions: tuple[VerdictRow, ...] = ()
    assertion_errors: tuple[str, ...] = ()
    final_assertions: tuple[VerdictRow, ...] = ()
    checkpoints: tuple[CheckpointRow, ...] = ()
    turns: tuple[TurnRow, ...] | UnsetType = UNSET
    """Absent when the row itself is its one turn."""
    ending: Ending | None = None
    warnings: tuple[str, ...] = ()
    retries: tuple[str, ...] = ()
    overhead: Usage | None = None
    overhead_ms: float = 0.0
    """What the attempt took besides the agent's own time."""
    logs: str = ""
    workspace: WorkspaceAfter | None = None
    replayed: bool = False
    """Whether models or the agent answered from a recording."""
    masked: bool = False
    """Whether secrets are masked in what the agent said and did."""
    history_sent: tuple[Message, ...] | UnsetType = UNSET
    """Absent when it was the case's own history."""


class RepeatRow(AttemptRow, kw_only=False, omit_defaults=True, gc=False):
    """One attempt of a case that was repeated: an entry of `run_details`."""

    run: int
    status: Status
    duration_ms: float = 0.0
    fault: Fault | None = None
    error: str | None = None


class CaseRest(Case, frozen=True, kw_only=True, omit_defaults=True):
    """What a case says beyond what its row already shows: a case with the shown fields left out."""

    id: str = ""
    turns: tuple[ScriptedTurn, ...] | UnsetType = UNSET  # pyright: ignore[reportIncompatibleVariableOverride]
    """Absent when the script is the row's `input` and nothing else; without the turns that `said_at` counts."""
    said_at: tuple[int, ...] = ()
    """The first turns of the script, which the row shows exactly as they were written: their lines in the file."""
    checks_at: tuple[tuple[int, ...], ...] = ()
    """The lines of its checks, as `Origin.checks` has them."""
    checkpoints: tuple[Checkpoint, ...] | UnsetType = UNSET  # pyright: ignore[reportIncompatibleVariableOverride]
    """Absent when the row's own checkpoints say it all."""
    assertions: tuple[AssertionSpec, ...] | UnsetType = UNSET  # pyright: ignore[reportIncompatibleVariableOverride]
    final_assertions: tuple[AssertionSpec, ...] | UnsetType = UNSET  # pyright: ignore[reportIncompatibleVariableOverride]
    """Absent when they are exactly those that were judged."""


SHOWN_OF_CASE = ("id", "origin", "name", "description", "tags", "metadata", "history", "expected")
"""The fields of a case that stand in the row itself."""
NOTHING_MORE = CaseRest()


class ResultRow(AttemptRow, kw_only=False, omit_defaults=True, gc=False, tag_field="type", tag="result"):
    """A case's line. Of a repeated case the numbers are here and each attempt is in `run_details`."""

    id: str
    status: Status
    name: str | None = None
    duration_ms: float = 0.0
    fault: Fault | None = None
    error: str | None = None
    index: int = 0
    file: str = ""
    line: int = 0
    tags: tuple[str, ...] = ()
    expected: JsonValue | UnsetType = UNSET
    messages_count: int = 0
    run: int = 1
    quarantine: Quarantine | None = None
    """Why its result does not decide the exit code."""

    runs: int | None = None
    passed: int | None = None
    failed: int | None = None
    pass_rate: float | None = None
    consistency: float | None = None
    stable: bool | None = None
    stability_class: str | None = None
    avg_duration_ms: float | None = None
    min_duration_ms: float | None = None
    max_duration_ms: float | None = None
    std_deviation_ms: float | None = None
    ci: tuple[float, float] | None = None
    """The Wilson 95 % interval of the pass rate, in percent."""
    pass_hat_k: float | None = None
    similar_consistency: float | None = None
    run_details: tuple[RepeatRow, ...] | UnsetType = UNSET

    description: str | None = None
    metadata: JsonObject | UnsetType = UNSET
    history: tuple[Message, ...] = ()
    case: CaseRest = NOTHING_MORE

    @property
    def key(self) -> str:
        """As Case.key."""
        return f"{self.file}::{self.id}"


class StartRow(Struct, kw_only=True, tag_field="type", tag="start"):
    timestamp: str
    agent_id: str
    total_cases: int
    run_id: str = ""
    connector: str | None = None
    environment: Identity = Identity()
    inputs: tuple[str, ...] = ()
    runs_per_case: int = 1
    version: str = ""
    command: str = ""
    project_root: str = ""
    shard: str | None = None
    cases_of_all_shards: int | None = None
    exam: dict[str, str] = {}
    title: str | None = None
    revision: str | None = None
    branch: str | None = None
    dirty: bool | None = None
    agents: dict[str, AgentVersion] = {}
    agent_of: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    contenders: tuple[Contender, ...] = ()


class SummaryRow(Summary, frozen=True, kw_only=True, tag_field="type", tag="summary"):
    overall_pass_rate: float = 0.0


Row = StartRow | ResultRow | SummaryRow


REPLY = SharedFields(AgentReply, ReplyRow, but=("late_results",))
LINE = SharedFields(Line, ReplyRow, but=("options",))
CALL = SharedFields(ToolCall, ToolCallRow)
ATTEMPT = SharedFields(Attempt, RepeatRow, but=("error", "duration_ms", "checkpoints"))
CHECKPOINT = SharedFields(CheckpointOutcome, CheckpointRow)
CASE = SharedFields(Case, CaseRest, but=(*SHOWN_OF_CASE, "turns", "assertions", "final_assertions", "checkpoints"))
INFO = SharedFields(RunInfo, StartRow)
