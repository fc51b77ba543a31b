"""The last step before a case runs: variables filled in, attachments read. Errors in both show only now."""

import msgspec
from msgspec import UNSET, structs

from vivavoce.engine.attempt.judging import assertions_of
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue, iter_texts
from vivavoce.project.variables import UndefinedVariable, interpolate_deep, may_hold_variables
from vivavoce.sources.decoding.attachments import load_attachments

_CHECKS = frozenset({"assertions", "final_assertions", "checkpoints"})
_FILLED = (
    "history",
    "turns",
    "assertions",
    "final_assertions",
    "checkpoints",
    "options",
    "simulator",
    "state",
    "thread_id",
    "workspace",
    "expected",
)


def prepared(case: Case, variables: JsonObject, resources: RunResources) -> Case:
    """Returns the case as it will run. Raises UsageError, with the case's place, when it cannot."""
    case = filled_in(case, variables, resources)
    settings = resources.settings
    if settings.simulator or settings.interactive:
        case = judged_at_its_first_reply(case)
    return load_attachments(case, resources.project)


def filled_in(case: Case, variables: JsonObject, resources: RunResources) -> Case:
    """Returns the case with its `${NAME}`s replaced. Raises UsageError, with the case's place, for an unknown one."""
    if resources.cases_hold_variables and may_hold_variables(case):
        return _filled_in(case, variables, resources)
    return case


def judged_at_its_first_reply(case: Case) -> Case:
    """Moves the checks of a plain `input` case to its first turn: a simulator or person continues it."""
    if case.rules.multi_turn or case.rules.single_turn or not case.turns:
        return case
    first = structs.replace(case.turns[0], assertions=(*case.turns[0].assertions, *assertions_of(case)))
    return structs.replace(case, turns=(first, *case.turns[1:]), assertions=(), expected=UNSET)


def _filled_in(case: Case, variables: JsonObject, resources: RunResources) -> Case:
    plain = msgspec.to_builtins(case)
    try:
        for name in _FILLED:
            if name in plain:
                filled = interpolate_deep(plain[name], variables, resources.secrets)
                if name in _CHECKS:
                    _refuse_emptied(plain[name], filled, case)
                plain[name] = filled
    except UndefinedVariable as undefined:
        raise UsageError(str(undefined), at=case.origin, hint="write $${ for a literal ${") from None
    return msgspec.convert(plain, Case)


def _refuse_emptied(written: JsonValue, filled: JsonValue, case: Case) -> None:
    """Raises UsageError for a text that became empty: it would check nothing, because every text contains it."""
    for text, now in zip(iter_texts(written), iter_texts(filled), strict=True):
        if text and not now:
            raise UsageError(f"a check would be empty: {text} is set, but to nothing", at=case.origin)
