"""Whether a judge asks the model: its answers are replayed on an exact match only."""

from contextvars import ContextVar

judge_is_asking: ContextVar[bool] = ContextVar("judge_is_asking", default=False)
"""True while checks run: model calls are then those of judges."""
