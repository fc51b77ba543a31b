"""`--executor`: where the conversations are held."""

from collections.abc import Callable

from vivavoce.engine.wiring import RunResources
from vivavoce.engine.workplace import TravellingWorkplace
from vivavoce.errors import UsageError
from vivavoce.plugins.catalog import EXECUTORS
from vivavoce.protocols import Executor, Workplace


def executor_for(
    choice: str, parallel: int, resources: RunResources, placed: Callable[[Workplace], Workplace] = lambda place: place
) -> Executor:
    """`local`, `processes`, `ray` or `ray=ADDRESS`. `placed` may add to what other processes do around the jobs."""
    name, _, address = choice.partition("=")
    if resources.settings.interactive and name != "local":
        raise UsageError(
            f"--interactive does not go with --executor {name}: nobody sits at the workers",
            hint="cases marked `interactive` in their file are asked here, and the rest runs there",
        )
    factory = EXECUTORS.load(name)
    with EXECUTORS.guard(name):
        return factory(parallel, address or None, placed(TravellingWorkplace(resources)))
