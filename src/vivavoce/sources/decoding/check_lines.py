"""Where each check of a case stands, so that a failure is shown at its own line."""

from collections.abc import Mapping
from typing import Any

from vivavoce.model.case import Origin
from vivavoce.notation.place import Place

_CASE, _FINAL, _FIRST_TURN = 0, 1, 2
"""Positions in `Origin.checks`."""
_POSITIONS = {"assert": _CASE, "assertions": _CASE, "final_assertions": _FINAL}


def origin_with_checks(place: Place, values: Mapping[str, Any]) -> Origin:
    """The origin of a case with the lines of its checks; `values` are the decoded fields of the case."""
    if not place.checks or place.document is None:
        return place.origin
    turns = values["turns"]
    lines: list[list[int]] = [[] for _ in range(_FIRST_TURN + len(turns))]
    for steps, line in zip(place.checks, place.document.lines_of(place.checks), strict=True):
        position = _FIRST_TURN + int(steps[1]) if steps[0] == "turns" else _POSITIONS.get(str(steps[0]))
        if position is not None:
            lines[position].append(line)
    return Origin(place.origin.path, place.origin.line, tuple(map(tuple, lines)))
