"""The server of one attempt: started before its hooks, ended after its checks."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from msgspec import structs

from vivavoce.containment.captured_output import current_log
from vivavoce.model.result import Attempt, Status
from vivavoce.targets.serving.own_servers import OwnServedTarget

if TYPE_CHECKING:
    from vivavoce.engine.attempt.attempt import AttemptInputs

_IN_ORDER = frozenset((Status.PASSED, Status.SKIPPED))


async def with_own_server(
    agent: OwnServedTarget, inputs: "AttemptInputs", work: Callable[["AttemptInputs"], Awaitable[Attempt]]
) -> Attempt:
    """Does the work beside a server of its own. The log of an attempt that did not pass gets the server's log."""
    workspace = None if inputs.workspace is None else inputs.workspace.folder
    async with agent.serving(inputs.variables, workspace) as server:
        variables = {**inputs.variables, **server.variables}
        attempt = await work(structs.replace(inputs, variables=variables, server=server))
        if attempt.status not in _IN_ORDER and (log := current_log()) is not None and (said := server.log().strip()):
            log.write(f"the server of this attempt printed:\n{said}\n")
        return attempt
