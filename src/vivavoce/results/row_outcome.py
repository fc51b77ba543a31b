"""What comparing two runs needs to know of a result, read from its line."""

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import msgspec

from vivavoce.model.json_value import JsonValue, text_of
from vivavoce.model.result import NOT_JUDGED, CaseOutcome, Status
from vivavoce.results.comparison.call_alignment import Called
from vivavoce.results.row_parts import AttemptPart, CallPart, parts_in

_canonical = msgspec.json.Encoder(order="sorted").encode


def outcome_in(row: bytes) -> CaseOutcome:
    """The case in a few fields and digests: two runs of 100,000 of them fit in memory."""
    seen = parts_in(row)
    decisive = seen.decisive
    judged = [attempt for attempt in seen.attempts if attempt.status not in NOT_JUDGED]
    statuses = [attempt.status for attempt in judged]
    replies = "\x1e".join([text_of(turn.output) for turn in decisive.taken()])
    used = [attempt.usage for attempt in judged if attempt.usage is not None]
    costs = [usage.cost for usage in used if usage.cost is not None]
    return CaseOutcome(
        key=f"{seen.file}::{seen.id}",
        id=seen.id,
        name=seen.name,
        status=seen.status,
        duration_ms=seen.typical_ms(decisive),
        runs=len(statuses),
        passed=statuses.count(Status.PASSED),
        replies_digest=blake2b(replies.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        calls_digest=_calls_digest(decisive),
        calls_of_other_runs=tuple({_calls_digest(attempt) for attempt in seen.run_details}),
        shows_calls=all(turn.shows_calls and all(piece.is_name for piece in turn.unread) for turn in decisive.taken()),
        tokens=_mean([usage.input_tokens + usage.output_tokens for usage in used]),
        cost=_mean(costs),
        replayed=any(attempt.replayed for attempt in seen.attempts),
    )


def calls_in(row: bytes) -> list[Called]:
    """The tool calls of the attempt that decided the case, in order, with their turns."""
    return [
        Called(turn=number, name=call.name, args=msgspec.json.decode(call.args), failed=call.error is not None)
        for number, call in _numbered_calls(parts_in(row).decisive)
    ]


def _numbered_calls(attempt: AttemptPart) -> Iterator[tuple[int, CallPart]]:
    for number, turn in enumerate(attempt.taken(), 1):
        for call in turn.tool_calls:
            yield number, call


def _calls_digest(attempt: AttemptPart) -> str:
    """A hash of which tools were called in which turn with what; empty when none was."""
    told: list[JsonValue] = [
        [number, call.name, msgspec.json.decode(call.args), call.error is not None]
        for number, call in _numbered_calls(attempt)
    ]
    return blake2b(_canonical(told), digest_size=8).hexdigest() if told else ""


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
