"""A case without the checks that would ask a model."""

from msgspec import UNSET, structs

from vivavoce.model.case import AssertionSpec, Case
from vivavoce.plugins.catalog import ASSERTIONS


def without_judges(case: Case) -> Case:
    """Returns the same case when no check of it asks a model."""
    own = structs.replace(
        case,
        assertions=_own(case.assertions),
        final_assertions=_own(case.final_assertions),
        turns=tuple(structs.replace(turn, assertions=_own(turn.assertions)) for turn in case.turns),
        checkpoints=tuple(structs.replace(one, assertions=_own(one.assertions)) for one in case.checkpoints),
    )
    if own == case:
        return case
    # With assertions, only judges read `expected`. Without any it would become a check.
    return structs.replace(own, expected=UNSET) if case.assertions and not own.assertions else own


def checks_something(case: Case) -> bool:
    """Whether any check of the case looks at a conversation."""
    of_turns = any(turn.assertions for turn in case.turns)
    of_checkpoints = any(one.assertions for one in case.checkpoints)
    whole = case.assertions or case.final_assertions or case.expected is not UNSET
    return bool(whole or of_turns or of_checkpoints)


def _own(specs: tuple[AssertionSpec, ...]) -> tuple[AssertionSpec, ...]:
    return tuple(spec for spec in specs if not _asks_a_model(spec))


def _asks_a_model(spec: AssertionSpec) -> bool:
    asks = hasattr(ASSERTIONS.load(spec.type), "request_digest")
    return asks and (spec.type != "similar" or spec.fields.get("connector") is not None)
