"""Recognises agents and results of frameworks in what user code is or returns, and imports their readers then."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from vivavoce.containment.user_functions import UserFunction
from vivavoce.model.message import AgentReply
from vivavoce.targets.frameworks.declaration import Foreign
from vivavoce.targets.frameworks.known import framework_of, framework_of_result, refuse_unfinished

if TYPE_CHECKING:
    from vivavoce.targets.frameworks.objects import FrameworkObject


class FrameworkObjects:
    """The objects of one target. An object is made ready once, however often the user's function returns it."""

    def __init__(self, deps: Callable[..., Foreign] | None = None) -> None:
        self._deps = None if deps is None else UserFunction(deps)
        self._ready: WeakValueDictionary[int, FrameworkObject] = WeakValueDictionary()

    def get(self, agent: Foreign, what: str) -> "FrameworkObject | None":
        """Returns None for what is no framework's agent. Raises UsageError for one that cannot be used."""
        framework = framework_of(agent)
        if framework is None:
            refuse_unfinished(agent, what)
            return None
        from vivavoce.targets.frameworks.objects import FrameworkObject

        found = self._ready.get(id(agent))
        if found is None:
            found = self._ready[id(agent)] = FrameworkObject(framework, agent, self._deps)
        return found


def known_result(value: Foreign) -> AgentReply | None:
    """The reply that a framework's result stands for, or its list of events; None for anything else."""
    framework = framework_of_result(value)
    if framework is None:
        return None
    from vivavoce.targets.frameworks.objects import read_known

    return read_known(framework, value)
