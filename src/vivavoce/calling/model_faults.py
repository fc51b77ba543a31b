"""Lets a case inject faults into an agent's model calls, below the code that repeats refused calls."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from vivavoce.protocols import Interventions

INTERVENTIONS: ContextVar[Interventions | None] = ContextVar("interventions", default=None)


@contextmanager
def with_model_faults(interventions: Interventions) -> Generator[None]:
    """Marks the model calls made inside as the agent's: the case's faults apply to them."""
    token = INTERVENTIONS.set(interventions)
    try:
        yield
    finally:
        INTERVENTIONS.reset(token)
