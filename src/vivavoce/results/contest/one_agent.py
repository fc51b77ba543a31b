"""Commands that look at the results of one agent refuse a run that compared several."""

from vivavoce.errors import UsageError
from vivavoce.model.result import RunInfo


def require_one_agent(info: RunInfo, at: str) -> None:
    """Raises UsageError for a run of `viva compare`: it has several results of every case."""
    if info.contenders:
        raise UsageError(
            f"this run compared {len(info.contenders)} agents, so it has several results of every case",
            at=at,
            hint="name a run of viva test: viva history lists them",
        )
