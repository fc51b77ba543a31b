"""Whether a case looks at more than the agent's words, so that waiting for spans is worth the time."""

from collections.abc import Iterator

from vivavoce.model.case import AssertionSpec, Case
from vivavoce.plugins.catalog import ASSERTIONS

_USAGE = "cost"


def looks_beyond_words(case: Case) -> bool:
    """Whether some check of the case judges tool calls, everything, or the cost."""
    return any(spec.type == _USAGE or _judges(spec.type) in ("call", "both") for spec in _checks(case))


def _judges(assertion_type: str) -> str:
    return getattr(ASSERTIONS.load(assertion_type), "judges", "both")


def _checks(case: Case) -> Iterator[AssertionSpec]:
    yield from case.assertions
    yield from case.final_assertions
    for turn in case.turns:
        yield from turn.assertions
    for checkpoint in case.checkpoints:
        yield from checkpoint.assertions
