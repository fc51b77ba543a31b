"""The socket of a framework: what its file offers to viva, and what it is given."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from vivavoce.model.message import Content, Message
from vivavoce.protocols import CallContext
from vivavoce.targets.frameworks.declaration import Foreign
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption


class Opening(Struct, frozen=True, kw_only=True):
    """What a conversation begins with."""

    context: CallContext
    deps: Foreign = None
    """What the function named by `deps:` returned for this conversation."""


class Conversation(Protocol):
    """One conversation, remembered by the framework's own means. Both methods write what they see into `seen`
    as early as they see it: what was written stays when the run raises."""

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        """Runs the agent for one more user message. `earlier` is the case's history, given with the first one only."""
        ...

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        """Goes on after interrupts that `seen` told. A framework that never interrupts need not do anything."""
        ...

    async def close(self) -> None: ...


class FrameworkAgent(Protocol):
    """The class `Agent` of a framework's file: made once for each object of the user, with that object.

    Beside it the file has two functions: `read_result(value, seen)` reads what a user's own function returned, and
    `tools_of(agent)` yields the name and the JSON Schema of each tool that an agent offers to its model.
    """

    one_turn: str
    """Why it cannot take a second line, such as "a Crew has no memory"; empty: it can."""
    one_at_a_time: str
    """Why its conversations cannot run at once; empty: they can."""
    takes_deps: bool
    """Whether `deps:` means anything to it."""

    def open(self, opening: Opening) -> Conversation: ...
