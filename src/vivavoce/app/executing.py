"""`--executor`: where the conversations are held."""

from collections.abc import Callable

from vivavoce.engine.wiring import RunResources
from vivavoce.engine.worker_setup import BlueprintSetup
from vivavoce.errors import UsageError
from vivavoce.plugins.catalog import EXECUTORS
from vivavoce.plugins.guarded import guarded_executor
from vivavoce.protocols import Executor, WorkerSetup


def executor_for(
    choice: str,
    parallel: int,
    resources: RunResources,
    changed: Callable[[WorkerSetup], WorkerSetup] = lambda setup: setup,
) -> Executor:
    """`local`, `processes`, `ray` or `ray=ADDRESS`. `changed` may add to what the workers do."""
    name, _, address = choice.partition("=")
    if resources.settings.interactive and name != "local":
        raise UsageError(
            f"--interactive does not go with --executor {name}: nobody sits at the workers",
            hint="cases marked `interactive` in their file are asked here, and the rest runs there",
        )
    factory = EXECUTORS.load(name)
    with EXECUTORS.guard(name):
        executor = factory(parallel, address or None, changed(BlueprintSetup(resources)))
    return guarded_executor(executor, name)
