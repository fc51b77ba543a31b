"""Checks after every reply: the turn's own assertions, and the checkpoints not reached yet."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET, structs

from vivavoce.assertions.request_digest import REQUEST_DIGEST
from vivavoce.engine.attempt.judging import judge
from vivavoce.model.case import Case, Checkpoint
from vivavoce.model.json_value import is_object
from vivavoce.model.message import AgentReply
from vivavoce.model.result import CheckpointOutcome, CheckpointTry
from vivavoce.model.transcript import Ending, EndReason, Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.model.workspace import Workspace
from vivavoce.protocols import Evidence, Helpers


class Examiner:
    """Examines one conversation, turn by turn."""

    __slots__ = ("_board", "_case", "_helpers", "_session_id", "_strict_protocol", "_workspace")

    def __init__(
        self,
        case: Case,
        helpers: Helpers,
        session_id: str = "",
        *,
        strict_protocol: bool = False,
        workspace: Workspace | None = None,
    ) -> None:
        self._case = case
        self._helpers = helpers
        self._session_id = session_id
        self._strict_protocol = strict_protocol
        self._workspace = workspace
        self._board = _CheckpointBoard(case.checkpoints) if case.checkpoints else _NO_CHECKPOINTS

    async def examine(self, turn: Turn, transcript: Transcript) -> tuple[Turn, Ending | None]:
        """Returns the turn with its verdicts, and an ending when they decide the case."""
        if self._strict_protocol and turn.reply.violations and turn.error is None:
            turn = structs.replace(turn, error=f"protocol: {'; '.join(turn.reply.violations)}")
        if turn.line.assertions:
            said_before = tuple(transcript.messages())
            evidence = Evidence(
                turns=(turn,),
                output=turn.reply.output,
                case=self._case,
                history=said_before,
                session_id=self._session_id,
                workspace=self._workspace,
            )
            verdicts = await judge(turn.line.assertions, evidence, self._helpers)
            turn = structs.replace(turn, verdicts=verdicts)
        ending: Ending | None = None
        if self._case.checkpoints:
            reached, ending = await self._try_checkpoints(turn)
            turn = structs.replace(turn, reached=reached)
        if self._case.rules.stop_on_failure and turn.failed:
            return turn, Ending(EndReason.TURN_FAILED)
        return turn, ending

    def checkpoints(self) -> tuple[CheckpointOutcome, ...]:
        return self._board.outcomes() if self._case.checkpoints else ()

    async def _try_checkpoints(self, turn: Turn) -> tuple[tuple[str, ...], Ending | None]:
        evidence = Evidence(
            turns=(turn,),
            output=checked_text(turn.reply),
            scope="checkpoint",
            case=self._case,
            session_id=self._session_id,
            workspace=self._workspace,
        )
        reached: list[str] = []
        for checkpoint in self._board.open():
            of_it = structs.replace(evidence, checkpoint=checkpoint.id)
            verdicts = await judge(checkpoint.assertions, of_it, self._helpers)
            broken = next((v for v in verdicts if v.outcome is Outcome.BROKEN), None)
            if broken is not None:
                self._board.broke(checkpoint, turn.number, verdicts)
                why = f"checkpoint {checkpoint.id} failed: {broken.reason}"
                return tuple(reached), Ending(EndReason.CHECK_BROKE, why)
            if all(v.passed for v in verdicts):
                self._board.reached(checkpoint, turn.number, verdicts)
                reached.append(checkpoint.id)
            else:
                self._board.missed(checkpoint, turn.number, verdicts)
        # All scripted turns are sent and judged before checkpoints may end the case.
        script_is_over = turn.number >= len(self._case.turns)
        over = script_is_over and self._board.all_required_reached()
        return tuple(reached), Ending(EndReason.CHECKPOINTS_REACHED) if over else None


def checked_text(reply: AgentReply) -> object:
    """Returns the text that checkpoints check: the reply, plus the `message` of every tool result that has one."""
    if reply.data is not UNSET:
        return reply.data
    messages = [
        call.result["message"]
        for call in reply.calls
        if is_object(call.result) and isinstance(call.result.get("message"), str)
    ]
    return "\n".join([reply.text, *messages]) if messages else reply.text


class _Try(NamedTuple):
    turn: int
    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> int:
        return sum(verdict.passed for verdict in self.verdicts)


class _CheckpointBoard:
    """Which checkpoints are reached, the nearest try at each of the others, and briefly all other tries."""

    def __init__(self, checkpoints: tuple[Checkpoint, ...]) -> None:
        self._checkpoints = checkpoints
        self._reached: dict[str, _Try] = {}
        self._nearest: dict[str, _Try] = {}
        self._others: dict[str, list[CheckpointTry]] = {}

    def open(self) -> Iterator[Checkpoint]:
        """Yields the checkpoints to try now, in order. One that is reached may open a later one in the same turn."""
        for checkpoint in self._checkpoints:
            if checkpoint.id not in self._reached and all(a in self._reached for a in checkpoint.after):
                yield checkpoint

    def reached(self, checkpoint: Checkpoint, turn: int, verdicts: tuple[Verdict, ...]) -> None:
        self._replace_nearest(checkpoint, None)
        self._reached[checkpoint.id] = _Try(turn, verdicts)

    def missed(self, checkpoint: Checkpoint, turn: int, verdicts: tuple[Verdict, ...]) -> None:
        before, now = self._nearest.get(checkpoint.id), _Try(turn, verdicts)
        if before is None or now.passed >= before.passed:
            self._replace_nearest(checkpoint, now)
        else:
            self._keep_briefly(checkpoint, now)

    def broke(self, checkpoint: Checkpoint, turn: int, verdicts: tuple[Verdict, ...]) -> None:
        """Keeps the verdicts that end the conversation, also when an earlier try came nearer."""
        self._replace_nearest(checkpoint, _Try(turn, verdicts))

    def all_required_reached(self) -> bool:
        """Whether all required checkpoints are reached. False with only optional ones: they never end a case."""
        required = [c.id for c in self._checkpoints if c.required]
        return bool(required) and all(c in self._reached for c in required)

    def outcomes(self) -> tuple[CheckpointOutcome, ...]:
        return tuple([self._outcome(checkpoint) for checkpoint in self._checkpoints])

    def _replace_nearest(self, checkpoint: Checkpoint, now: _Try | None) -> None:
        if (before := self._nearest.pop(checkpoint.id, None)) is not None:
            self._keep_briefly(checkpoint, before)
        if now is not None:
            self._nearest[checkpoint.id] = now

    def _keep_briefly(self, checkpoint: Checkpoint, tried: _Try) -> None:
        brief = CheckpointTry(tried.turn, tuple([_brief(verdict) for verdict in tried.verdicts]))
        self._others.setdefault(checkpoint.id, []).append(brief)

    def _outcome(self, checkpoint: Checkpoint) -> CheckpointOutcome:
        reached, nearest = self._reached.get(checkpoint.id), self._nearest.get(checkpoint.id)
        told = reached or nearest
        verdicts = () if told is None else told.verdicts
        return CheckpointOutcome(
            id=checkpoint.id,
            description=checkpoint.description,
            required=checkpoint.required,
            reached_at_turn=None if reached is None else reached.turn,
            nearest_miss=None if reached else self._why_not(checkpoint, verdicts),
            nearest_at_turn=None if nearest is None else nearest.turn,
            verdicts=verdicts,
            tries=tuple(self._others.get(checkpoint.id, ())),
        )

    def _why_not(self, checkpoint: Checkpoint, verdicts: tuple[Verdict, ...]) -> str:
        blocked = [a for a in checkpoint.after if a not in self._reached]
        if blocked:
            return f"waits for {', '.join(blocked)}"
        return "; ".join(v.reason for v in verdicts if not v.passed) or "never tried"


def _brief(verdict: Verdict) -> Verdict:
    """As much of the verdict as counts when the conversation is judged again."""
    digest = verdict.details.get(REQUEST_DIGEST)
    details = {} if digest is None else {REQUEST_DIGEST: digest}
    return Verdict(outcome=verdict.outcome, reason=verdict.reason, score=verdict.score, details=details)


_NO_CHECKPOINTS = _CheckpointBoard(())
