"""The facts of a case in one run, in a few dozen bytes: kept when the run itself is no longer.

`facts_of` makes them from a result, live or read back from a result file, so both give the same facts.
"""

from hashlib import blake2b

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import text_of
from vivavoce.model.result import NOT_JUDGED, Attempt, CaseResult, RunInfo, Status
from vivavoce.model.verdict import Fault
from vivavoce.results.fingerprint import case_hash


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
    attempts = tuple([_attempt_fact(one) for one in result.attempts if one.status not in NOT_JUDGED])
    if not attempts:
        return None
    case = result.case
    agent = info.agent_for(case.agent, case.origin.path)
    version = info.agents.get(agent)
    return CaseFacts(
        key=case.key,
        case_id=case.id,
        agent=agent,
        started_ms=int(min(one.started_ms for one in result.attempts if one.status not in NOT_JUDGED)),
        status=result.status,
        case_hash=case_hash(case),
        configuration_hash="" if version is None else version.configuration,
        source_hash=None if version is None else version.source,
        reply_digest=_digest(result.decisive),
        attempts=attempts,
        run_id=info.run_id,
        revision=info.revision,
        branch=info.branch,
        dirty=info.dirty,
        title=info.title,
    )


def _attempt_fact(attempt: Attempt) -> AttemptFact:
    usage = attempt.usage
    duration = round(attempt.duration_ms, 3)
    if usage is None:
        return AttemptFact(attempt.status, attempt.fault, duration, replayed=attempt.replayed)
    spent = (usage.input_tokens, usage.output_tokens, usage.cost)
    return AttemptFact(attempt.status, attempt.fault, duration, *spent, attempt.replayed)


def _digest(attempt: Attempt) -> str:
    if attempt.transcript.last is None:
        return ""
    said = text_of(attempt.output).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=6).hexdigest()
