"""Whether a judge asks the model: answers to judges are replayed on an exact match only."""

from contextvars import ContextVar

judge_is_asking: ContextVar[bool] = ContextVar("judge_is_asking", default=False)
"""Set while checks run: calls of models are then calls of judges."""
