"""What a check looks at."""

from typing import Literal, TypeAlias

from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import Message, ToolCall
from vivavoce.model.transcript import Turn
from vivavoce.model.workspace import Workspace

Scope: TypeAlias = Literal["turn", "case", "final", "checkpoint"]
"""Where a check stands: on one turn, on the whole case, among the final assertions, in a checkpoint."""


class Evidence(Struct, frozen=True, kw_only=True, gc=False):
    """What a check may look at: one turn or all of them."""

    turns: tuple[Turn, ...]
    output: JsonValue
    """What is judged: the (last) reply's output, or the part of it that `path` names."""
    scope: Scope = "turn"
    case: Case
    history: tuple[Message, ...] = ()
    session_id: str = ""
    """Of the conversation that is judged."""
    workspace: Workspace | None = None
    """The folder that the agent worked in, as long as it is there."""
    checkpoint: str = ""
    """The id of the checkpoint whose checks these are, in the scope `checkpoint`."""

    @property
    def calls(self) -> list[tuple[int, ToolCall]]:
        """All tool calls in the order they began, each with the number of its turn.

        A call that waits for the answer to an interrupt finishes in a later turn than it began. Evidence of that later
        turn alone contains the call, too.
        """
        seen: list[tuple[int, ToolCall]] = []
        for turn in self.turns:
            if turn.reply.late_results:
                known = {call.id for _, call in seen}
                seen += [(turn.number, call) for call in turn.reply.late_results if call.id not in known]
            seen += [(turn.number, call) for call in turn.reply.calls]
        return seen

    @property
    def input(self) -> JsonValue:
        return self.turns[-1].line.content if self.turns else None

    @property
    def started_ms(self) -> float:
        return self.turns[0].started_ms if self.turns else 0.0

    @property
    def ended_ms(self) -> float:
        return self.turns[-1].ended_ms if self.turns else 0.0
