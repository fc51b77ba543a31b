"""Decides which call a fault strikes: by position among its calls, or by seeded chance."""

import random

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal
from vivavoce.model.message import ToolCall
from vivavoce.model.planned_fault import PlannedFault


class StruckFault(Struct, frozen=True):
    """A fault, and the call that it struck."""

    fault: PlannedFault
    place: str
    """`model call 2`, `call 1 of refund`."""

    def __str__(self) -> str:
        return f"fault {self.fault} struck at {self.place}"


class Schedule:
    """The faults of one attempt. A fault by position strikes once; a fault by chance may strike at every call."""

    def __init__(self, faults: tuple[PlannedFault, ...]) -> None:
        self._faults = faults
        self._counts = [0] * len(faults)
        self._dice = [random.Random(fault.seed) for fault in faults]
        self.struck: list[StruckFault] = []
        self._spared: str | None = None

    def next(self, at: str, name: str = "", args: JsonValue = None) -> PlannedFault | None:
        """Returns the fault that strikes this call, if any. Call it once for each call."""
        found: PlannedFault | None = None
        for number, fault in enumerate(self._faults):
            if fault.at != at or not _is_about(fault, name, args):
                continue
            self._counts[number] += 1
            count = self._counts[number]
            hit = count == fault.nth if fault.rate is None else self._dice[number].random() < fault.rate
            if hit and found is None:
                found = fault
                what = f"call {count} of {name}" if at == "tool" else f"{at} call {count}"
                self.struck.append(StruckFault(fault, what))
        return found

    def spare(self, fault: PlannedFault, why: str) -> None:
        """Records that a fault had no effect, because the answer was an error already."""
        self._spared = self._spared or f"fault {fault} had nothing to spoil: {why}"

    def never_fired(self) -> str | None:
        """Returns a message about a fault that never struck, or that had no effect; None if all is well.

        A fault by chance may never strike, if it had calls to strike. A fault by position must strike.
        """
        if self._spared is not None:
            return self._spared
        fired = {id(strike.fault) for strike in self.struck}
        for number, fault in enumerate(self._faults):
            calls = self._counts[number]
            if id(fault) not in fired and (fault.rate is None or not calls):
                return f"fault {fault} never happened: {calls} {_CALLS[fault.at]}{'' if calls == 1 else 's'}"
        return None


_CALLS = {"model": "model call", "tool": "such call", "stream": "run"}


def _is_about(fault: PlannedFault, name: str, args: JsonValue) -> bool:
    if fault.at != "tool":
        return True
    if not ToolCall(name=name).is_named(fault.name):
        return False
    return not fault.args or (is_object(args) and _holds(fault.args, args))


def _holds(wanted: JsonObject, given: JsonObject) -> bool:
    """Whether the given value contains the wanted one, at every depth."""
    return all(key in given and _same(value, given[key]) for key, value in wanted.items())


def _same(wanted: JsonValue, given: JsonValue) -> bool:
    if is_object(wanted) and is_object(given):
        return _holds(wanted, given)
    if is_array(wanted) and is_array(given):
        return len(wanted) == len(given) and all(map(_same, wanted, given))
    return json_equal(wanted, given)
