"""The socket of a framework: what its file offers to viva, and what it is given."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from vivavoce.model.message import Content, Message
from vivavoce.protocols import CallContext
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption

Foreign: TypeAlias = Any
"""An object of another library. It has no type here, since that library is never needed to check or to run viva."""


class Framework(Struct, frozen=True, kw_only=True):
    """A framework as the table in known.py declares it: enough to recognise its objects without importing it."""

    name: str
    """As its users write it; also the name of its page in docs/frameworks/ and of its file in tests/live/envs/."""
    file: str
    """The module of this folder that reads it."""
    agents: tuple[str, ...]
    """Classes of its agents, `package.module:Class`; a module stands for what is below it, a subclass counts."""
    attribute: str = ""
    """What such an agent also has, where class names are not enough."""
    results: tuple[str, ...] = ()
    """Classes of the results that a user's own function may return."""
    distributions: tuple[str, ...]
    """What it is installed as: the first that is there tells the version."""
    since: str
    """The oldest version that fits."""
    tested: str
    """The newest version that was tested."""


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
    """The class `Agent` of a framework's file: made once for each object of the user, with that object."""

    one_turn: str
    """Why it cannot be told a second line, as "a Crew has no memory"; empty: it can."""
    one_at_a_time: str
    """Why its conversations cannot run at once; empty: they can."""
    takes_deps: bool
    """Whether `deps:` means anything to it."""

    def open(self, opening: Opening) -> Conversation: ...
