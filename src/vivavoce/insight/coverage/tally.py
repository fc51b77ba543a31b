"""Counts the elements of many conversations. Keeps one small record for each element, and no conversation."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from msgspec import Struct

from vivavoce.insight.coverage.known_tools import OUTCOMES, KnownTools
from vivavoce.model.coverage import Coverage, CoverageItem, Element, Group


class _Record(Struct, gc=False):
    conversations: int = 0
    example: str | None = None
    checked_by: str | None = None


class CoverageTally:
    """`ignore`: patterns of elements to leave out, such as `*.failed`."""

    def __init__(self, tools: KnownTools, ignore: Iterable[str] = ()) -> None:
        self.tools = tools
        self._ignore = tuple(ignore)
        self._records: dict[Element, _Record] = {}
        self._cases = 0
        self._last_case: str | None = None
        self._conversations = 0

    def could_happen(self, elements: Iterable[Element]) -> None:
        for element in elements:
            self._record(element)

    def add(self, case: str, elements: Iterable[Element]) -> list[Element]:
        """Counts a conversation of a case. Returns its elements that no check is known to watch so far."""
        self._conversations += 1
        self._cases += case != self._last_case
        self._last_case = case
        unchecked: list[Element] = []
        for element in elements:
            if element.group is Group.TOOL:
                self.could_happen(Element(Group.TOOL, element.name, outcome) for outcome in OUTCOMES)
            record = self._record(element)
            if record is None:
                continue
            record.conversations += 1
            record.example = record.example or case
            if record.checked_by is None:
                unchecked.append(element)
        return unchecked

    def checked(self, element: Element, case: str) -> None:
        record = self._record(element)
        if record is not None:
            record.checked_by = case

    def tools_seen(self) -> list[str]:
        """The names of the tools that were called, sorted."""
        return sorted({element.name for element, record in self._records.items() if _is_call(element, record)})

    def coverage(self, notes: Iterable[str] = (), *, unreadable: int = 0) -> Coverage:
        self.could_happen(self.tools.elements())
        return Coverage(
            items=tuple(_item(element, record) for element, record in sorted(self._records.items(), key=_place)),
            cases=self._cases,
            conversations=self._conversations,
            tools_declared=self.tools.names,
            notes=tuple(notes),
            unreadable=unreadable,
        )

    def _record(self, element: Element) -> _Record | None:
        """None for an element to ignore."""
        record = self._records.get(element)
        if record is None:
            if any(fnmatchcase(element.pattern_name, pattern) for pattern in self._ignore):
                return None
            record = self._records[element] = _Record()
        return record


def _is_call(element: Element, record: _Record) -> bool:
    return element.group is Group.TOOL and record.conversations > 0


def _item(element: Element, record: _Record) -> CoverageItem:
    return CoverageItem(
        element=element,
        conversations=record.conversations,
        example=record.example,
        checked_by=record.checked_by,
    )


_GROUPS = tuple(Group)


def _place(entry: tuple[Element, _Record]) -> tuple[int, str, int, str]:
    element = entry[0]
    aspect = OUTCOMES.index(element.aspect) if element.aspect in OUTCOMES else int(element.aspect.startswith("="))
    return _GROUPS.index(element.group), element.name, aspect, element.aspect
