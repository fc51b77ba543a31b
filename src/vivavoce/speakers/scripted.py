"""The lines the test's author wrote."""

from collections.abc import Sequence

from vivavoce.model.case import CallOptions, ScriptedTurn
from vivavoce.model.message import Content, ContentPart
from vivavoce.model.transcript import Line, Transcript


class ScriptedSpeaker:
    """Says every scripted line in order, whether or not the agent waits for it; then returns None."""

    __slots__ = ("_options", "_turns")

    def __init__(self, turns: Sequence[ScriptedTurn], options: CallOptions) -> None:
        self._turns = turns
        self._options = options

    async def next_line(self, transcript: Transcript) -> Line | None:
        position = len(transcript.turns)
        if position >= len(self._turns):
            return None
        turn = self._turns[position]
        return Line(
            content=_with_attachments(turn) if turn.attachments else turn.content,
            name=turn.name,
            assertions=turn.assertions,
            options=self._options if turn.options is None else self._options.overridden_by(turn.options),
            resume=turn.resume,
        )


def _with_attachments(turn: ScriptedTurn) -> Content:
    """The turn's words, with its attachments as further parts."""
    if not isinstance(turn.content, str):
        return [*turn.content, *turn.attachments]
    words: list[ContentPart] = [{"type": "text", "text": turn.content}] if turn.content else []
    return [*words, *turn.attachments]
