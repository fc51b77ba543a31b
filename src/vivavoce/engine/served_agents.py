"""The agents whose servers viva starts: for the whole run, or for each attempt."""

import asyncio
from typing import TYPE_CHECKING

from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.plugins.declarations import PORT_VARIABLE
from vivavoce.protocols import Surroundings, Target, TargetSpec

if TYPE_CHECKING:
    from vivavoce.targets.serving.own_servers import OwnServedTarget
    from vivavoce.targets.serving.server import MoreEnvironment, Server


class ServedAgents:
    """Those of one run."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._servers: list[Server] = []
        """Servers for the whole run, of the agents built so far."""
        agents = surroundings.project.config.agents.values()
        self.some_per_attempt = any(per_attempt(agent.fields.get("serve")) for agent in agents)

    def served(self, target: Target, spec: TargetSpec, more_environment: "MoreEnvironment | None" = None) -> Target:
        """Returns the target itself, or one whose server is started before it is first called."""
        fields: JsonValue = spec.config.get("serve")
        if not fields:
            return target
        url = address_in(spec.config.get(spec.kind))
        if per_attempt(fields):
            from vivavoce.targets.serving.own_servers import OwnServedTarget

            return OwnServedTarget(target, fields, url, self._surroundings, more_environment)
        from vivavoce.targets.serving.served_target import ServedTarget
        from vivavoce.targets.serving.server import Server

        server = Server(spec.id, fields, url, self._surroundings, more_environment)
        self._servers.append(server)
        return ServedTarget(target, server)

    def per_attempt(self, target: Target) -> "OwnServedTarget | None":
        """Returns the target when every attempt is to start a server for it, else None."""
        if not self.some_per_attempt:
            return None
        from vivavoce.targets.serving.own_servers import OwnServedTarget

        return target if isinstance(target, OwnServedTarget) else None

    async def start(self) -> None:
        """Starts the servers of all agents known by now. Raises VivaError for one that does not come up."""
        try:
            async with asyncio.TaskGroup() as starting:
                for server in self._servers:
                    starting.create_task(server.up())
        except* VivaError as problems:
            raise first_problem(problems) from None


def per_attempt(serve: JsonValue) -> bool:
    """Whether the fields of `serve` ask for a server for each attempt."""
    return is_object(serve) and serve.get("per") == "attempt"


def refuse_shared_server(spec: TargetSpec) -> None:
    """Raises UsageError for an agent that asks for a server per attempt and cannot have one."""
    serve: JsonValue = spec.config.get("serve")
    if per_attempt(serve):
        from vivavoce.targets.serving.own_servers import refuse_shared_server

        refuse_shared_server(spec.id, serve, address_in(spec.config.get(spec.kind)))


def later_variables(spec: TargetSpec) -> JsonObject:
    """Returns the variables that an attempt's own server defines, with values that stand for them."""
    return {PORT_VARIABLE: "65535"} if per_attempt(spec.config.get("serve")) else {}


def address_in(value: JsonValue) -> str | None:
    """The web address among an agent's fields: the field of its kind, or the `url` in it."""
    found: JsonValue = value.get("url") if is_object(value) else value
    return found if isinstance(found, str) and "://" in found else None


def first_problem(problems: ExceptionGroup[VivaError]) -> VivaError:
    """The first of several problems that came at once: one is enough to stop."""
    first = problems.exceptions[0]
    return first_problem(first) if isinstance(first, ExceptionGroup) else first
