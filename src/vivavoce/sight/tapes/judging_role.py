"""Whether a model is asked on behalf of a judge: what judges said is replayed on an exact match only."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_judging: ContextVar[bool] = ContextVar("judging", default=False)


@contextmanager
def asked_by_judges() -> Generator[None]:
    """Models that are asked inside are asked by judges."""
    token = _judging.set(True)
    try:
        yield
    finally:
        _judging.reset(token)


def is_judge_asking() -> bool:
    return _judging.get()
