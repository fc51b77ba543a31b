"""Lets a case put faults between an agent and its model, below what asks a busy server again."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from vivavoce.protocols import Interventions

INTERVENTIONS: ContextVar[Interventions | None] = ContextVar("interventions", default=None)


@contextmanager
def struck_by(interventions: Interventions) -> Generator[None]:
    """Model calls made inside are the agent's own: the case's faults may strike them."""
    token = INTERVENTIONS.set(interventions)
    try:
        yield
    finally:
        INTERVENTIONS.reset(token)
