"""The facts of a case in one run, in a few dozen bytes: kept when the run itself is no longer.

`facts_of` makes them from a result and `facts_in` from the line it was written to: both give the same facts.
"""

from hashlib import blake2b

import msgspec
from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue, text_of
from vivavoce.model.message import Usage
from vivavoce.model.result import NOT_JUDGED, Attempt, CaseResult, RunInfo, Status, total_usage
from vivavoce.model.verdict import Fault
from vivavoce.results.fingerprint import case_hash
from vivavoce.results.restore import attempts_in, case_of, decisive_place, output_in, replies_in
from vivavoce.results.turn_rows import to_the_microsecond
from vivavoce.results.wire import RepeatRow, ResultRow


class AttemptFact(Struct, frozen=True, array_like=True, gc=False):
    """One attempt that was judged."""

    status: Status
    fault: Fault | None = None
    duration_ms: float = 0.0
    """How long the agent took."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    replayed: bool = False
    """Whether recorded answers took part: its duration says nothing."""

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def tokens(self) -> int | None:
        if self.input_tokens is None and self.output_tokens is None:
            return None
        return (self.input_tokens or 0) + (self.output_tokens or 0)

    @property
    def blames_agent(self) -> bool:
        """Whether the attempt says something about the agent: it passed, or the agent is at fault."""
        return self.passed or self.fault in (None, "agent")


class CaseFacts(Struct, frozen=True, kw_only=True, gc=False):
    """One case in one run, as the history remembers it."""

    key: str
    """`file::id`."""
    case_id: str
    agent: str
    started_ms: int
    """Unix milliseconds. With `key` and `agent` it tells this result from all others, on all machines."""
    status: Status
    case_hash: str
    """What the case asks and checks. The names of the fields that cannot change a result are left out."""
    configuration_hash: str = ""
    source_hash: str | None = None
    """The agent's package, prompts and code; None: not known, as for a remote agent."""
    reply_digest: str = ""
    """A hash of the last reply of the decisive attempt."""
    attempts: tuple[AttemptFact, ...]
    run_id: str = ""
    revision: str | None = None
    branch: str | None = None
    dirty: bool | None = None
    title: str | None = None

    @property
    def runs(self) -> int:
        return len(self.attempts)

    @property
    def passed(self) -> int:
        return sum(attempt.passed for attempt in self.attempts)

    @property
    def content(self) -> tuple[str, str, str | None]:
        """What decides the result besides chance: while this stays the same, results should stay the same."""
        return self.case_hash, self.configuration_hash, self.source_hash


_decode_attempts = msgspec.json.Decoder(tuple[AttemptFact, ...]).decode
_encode = msgspec.json.Encoder().encode


def packed_attempts(attempts: tuple[AttemptFact, ...]) -> bytes:
    return _encode(attempts)


def unpacked_attempts(body: bytes) -> tuple[AttemptFact, ...]:
    """Raises msgspec.MsgspecError for what was not packed here."""
    return _decode_attempts(body)


def facts_of(info: RunInfo, result: CaseResult) -> CaseFacts | None:
    """Returns the facts of a result; None when no attempt of it was judged."""
    judged = [one for one in result.attempts if one.status not in NOT_JUDGED]
    if not judged:
        return None
    attempts = tuple([_attempt_fact(one, one.usage) for one in judged])
    decisive = result.decisive
    digest = "" if decisive.transcript.last is None else _digest(decisive.output)
    return _facts(info, result.case, result.status, attempts, min([one.started_ms for one in judged]), digest)


def facts_in(info: RunInfo, row: ResultRow) -> CaseFacts | None:
    """Returns the same facts from a line of a result file, without making its result first."""
    all_attempts = attempts_in(row)
    judged = [one for one in all_attempts if one.status not in NOT_JUDGED]
    if not judged:
        return None
    attempts = tuple([_attempt_fact(one, total_usage([r.usage for r in replies_in(one)])) for one in judged])
    replies = replies_in(all_attempts[decisive_place(row, all_attempts)])
    digest = _digest(output_in(replies[-1])) if replies else ""
    return _facts(info, case_of(row), row.status, attempts, min([one.test_start_ts for one in judged]), digest)


def _facts(
    info: RunInfo, case: Case, status: Status, attempts: tuple[AttemptFact, ...], started_ms: float, digest: str
) -> CaseFacts:
    agent = info.agent_for(case.agent, case.origin.path)
    version = info.agents.get(agent)
    return CaseFacts(
        key=case.key,
        case_id=case.id,
        agent=agent,
        started_ms=int(started_ms),
        status=status,
        case_hash=case_hash(case),
        configuration_hash="" if version is None else version.configuration,
        source_hash=None if version is None else version.source,
        reply_digest=digest,
        attempts=attempts,
        run_id=info.run_id,
        revision=info.revision,
        branch=info.branch,
        dirty=info.dirty,
        title=info.title,
    )


def _attempt_fact(attempt: Attempt | RepeatRow | ResultRow, usage: Usage | None) -> AttemptFact:
    duration = to_the_microsecond(attempt.duration_ms)
    if usage is None:
        return AttemptFact(attempt.status, attempt.fault, duration, replayed=attempt.replayed)
    spent = (usage.input_tokens, usage.output_tokens, usage.cost)
    return AttemptFact(attempt.status, attempt.fault, duration, *spent, attempt.replayed)


def _digest(output: JsonValue) -> str:
    said = text_of(output).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=6).hexdigest()
