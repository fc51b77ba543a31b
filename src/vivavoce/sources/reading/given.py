"""Cases from a Python program: as objects, or written as in a file."""

from collections.abc import Iterator, Sequence

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.json_value import JsonObject
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.sources.decoding.case_decoder import Defaults, decode_case
from vivavoce.sources.scanning.seen_ids import SeenIds


class GivenSource:
    """A list of cases; those without an id are numbered: T001, T002, …"""

    label = "<cases>"

    def __init__(self, cases: Sequence[Case | JsonObject]) -> None:
        self._cases = cases

    def read(self) -> Iterator[Case | UsageError]:
        seen = SeenIds()
        for number, given in enumerate(self._cases, start=1):
            origin = Origin(self.label, number)
            try:
                case = given if isinstance(given, Case) else _decoded(given, origin, f"T{number:03}")
            except UsageError as error:
                yield from error.each()
                continue
            earlier = seen.add(case.key, number)
            if earlier is not None:
                yield UsageError(f"duplicate id {case.id!r}, first used by case {earlier}", at=origin)
                continue
            yield case


def _decoded(given: JsonObject, origin: Origin, default_id: str) -> Case:
    try:
        written = as_json(given)
    except NotJson as problem:
        raise UsageError(f"the case is not JSON: {problem}", at=origin) from None
    return decode_case(written, origin, Defaults(default_id))
