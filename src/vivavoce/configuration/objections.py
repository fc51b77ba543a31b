"""Finds all errors of a value for a type, each with its place: by the same JSON Schema as the errors of cases."""

from collections.abc import Iterator
from typing import Any

from vivavoce.containment.written_secrets import is_named_like_a_key
from vivavoce.model.case import Origin
from vivavoce.notation.place import Place
from vivavoce.notation.steps import Steps

Objection = tuple[Steps, str, str | None]
"""Where, what, and what to do."""
_HOLD_SECRETS = frozenset({"headers", "env"})


def objections(value: Any, kind: Any, steps: Steps, *, also_known: tuple[str, ...] = ()) -> Iterator[Objection]:
    """Every objection to a value. `also_known` are fields that hints name and that are checked elsewhere."""
    # Imported here: jsonschema is needed only once something is already wrong.
    from vivavoce.notation.schema_problems import schema_problems

    for problem in schema_problems(value, kind, Place(Origin(), steps=steps), also_known):
        what = problem.what.partition(", found ")[0] if _may_be_secret(problem.steps) else problem.what
        yield problem.steps, what, problem.hint


def _may_be_secret(steps: Steps) -> bool:
    """Whether a value at this place may be a secret, so that no message shows it."""
    names = [step for step in steps if isinstance(step, str)]
    return not _HOLD_SECRETS.isdisjoint(names) or any(map(is_named_like_a_key, names[-1:]))
