"""The last step before a case runs: variables filled in, attachments read. Both can be wrong only now."""

from typing import Any

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.run.wiring import Workshop
from vivavoce.sources.attachments import load_attachments
from vivavoce.variables import UndefinedVariable, interpolate_deep

_encode = msgspec.json.Encoder().encode
(DOLLAR,) = b"$"
_FILLED = (
    "history",
    "turns",
    "assertions",
    "final_assertions",
    "checkpoints",
    "options",
    "simulator",
    "state",
    "expected",
)


def prepared(case: Case, variables: dict[str, Any], workshop: Workshop) -> Case:
    """The case as it will be run. Raises UsageError naming the case when it cannot be."""
    # The single byte is found many times faster than the pair.
    if workshop.cases_hold_variables and DOLLAR in (written := _encode(case)) and b"${" in written:
        case = _filled_in(case, variables, workshop)
    return load_attachments(case, workshop.project)


def _filled_in(case: Case, variables: dict[str, Any], workshop: Workshop) -> Case:
    plain = msgspec.to_builtins(case)
    try:
        for name in _FILLED:
            if name in plain:
                plain[name] = interpolate_deep(plain[name], variables, workshop.secrets)
    except UndefinedVariable as undefined:
        raise UsageError(str(undefined), at=case.origin, hint="write $${ for a literal ${") from None
    return msgspec.convert(plain, Case)
