"""What the tests exercised of an agent, and what they checked: one item for each thing that can happen."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct


class Group(StrEnum):
    """What an item is about."""

    TOOL = "tool"
    PARAMETER = "parameter"
    INTERRUPT = "interrupt"
    CHECKPOINT = "checkpoint"
    PAIR = "pair"
    FINISH_REASON = "finish_reason"
    HAND_OFF = "hand_off"


COUNTED = frozenset({Group.TOOL, Group.PARAMETER, Group.INTERRUPT, Group.CHECKPOINT})
"""Groups in which everything that could happen is known. For the others there is no share, only what was seen."""


class State(StrEnum):
    CHECKED = "checked"
    UNCHECKED = "unchecked"
    """It happened, and no check would notice if it did not."""
    NEVER = "never"


class Element(Struct, frozen=True, order=True):
    """Something that can happen in a conversation: the tool `refund` fails, its parameter `reason` is `late`."""

    group: Group
    name: str
    aspect: str

    def __str__(self) -> str:
        return f"{self.name} {self.aspect}"

    @property
    def pattern_name(self) -> str:
        """As `coverage.ignore` names it: `refund.failed`, `refund.reason.given`."""
        return f"{self.name}.{self.aspect}"


class CoverageItem(Struct, frozen=True, kw_only=True):
    element: Element
    conversations: int = 0
    """In how many recorded conversations it happened."""
    example: str | None = None
    """The first case in which it happened."""
    checked_by: str | None = None
    """The first case that would not pass without it."""

    @property
    def state(self) -> State:
        if not self.conversations:
            return State.NEVER
        return State.UNCHECKED if self.checked_by is None else State.CHECKED


class Share(Struct, frozen=True):
    """A number of items out of all of them."""

    part: int
    whole: int

    @property
    def percent(self) -> float:
        """100 when there is nothing to cover."""
        return 100.0 * self.part / self.whole if self.whole else 100.0

    def __str__(self) -> str:
        return f"{self.percent:.1f} %" if self.whole else "nothing"


class Coverage(Struct, frozen=True, kw_only=True):
    """The coverage of recorded runs."""

    items: tuple[CoverageItem, ...]
    cases: int
    conversations: int
    tools_declared: tuple[str, ...] = ()
    """Tools that the agent, the cases or `coverage.tools` name; the others were only seen."""
    notes: tuple[str, ...] = ()
    """Remarks that explain the figures."""
    unreadable: int = 0
    """Lines of the recording that cannot be read. With any of them, no limit counts as met."""

    def of(self, group: Group) -> list[CoverageItem]:
        return [item for item in self.items if item.element.group is group]

    def counted(self, group: Group | None = None) -> Iterator[CoverageItem]:
        wanted = COUNTED if group is None else {group} & COUNTED
        return (item for item in self.items if item.element.group in wanted)

    def exercised(self, group: Group | None = None) -> Share:
        items = list(self.counted(group))
        return Share(sum(item.state is not State.NEVER for item in items), len(items))

    def checked(self, group: Group | None = None) -> Share:
        items = list(self.counted(group))
        return Share(sum(item.state is State.CHECKED for item in items), len(items))
