"""`--executor`: where the conversations are held."""

from vivavoce.engine.wiring import Workshop
from vivavoce.engine.workplace import TravellingWorkplace
from vivavoce.errors import UsageError
from vivavoce.plugins.catalog import EXECUTORS
from vivavoce.protocols import Executor


def executor_for(choice: str, parallel: int, workshop: Workshop) -> Executor:
    """`local`, `ray` or `ray=ADDRESS`."""
    name, _, address = choice.partition("=")
    if workshop.settings.interactive and name != "local":
        raise UsageError(
            f"--interactive does not go with --executor {name}: nobody sits at the workers",
            hint="cases marked `interactive` in their file are asked here, and the rest runs there",
        )
    factory = EXECUTORS.load(name)
    with EXECUTORS.guard(name):
        return factory(parallel, address or None, TravellingWorkplace(workshop))
