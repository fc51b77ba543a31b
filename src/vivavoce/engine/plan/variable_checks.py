"""For `viva validate`: the variables of a case that nobody defines."""

from vivavoce.engine.attempt.prepare import filled_in
from vivavoce.engine.attempt.workspace import VARIABLE
from vivavoce.engine.served_agents import later_variables
from vivavoce.engine.wiring import RunResources
from vivavoce.model.case import Case


def with_variables(case: Case, resources: RunResources) -> Case:
    """Returns the case with its `${NAME}`s replaced. Raises UsageError, with its place, for one that is undefined."""
    spec = resources.spec(resources.agent_name(case))
    known = {**resources.variables, **later_variables(spec)}
    if case.workspace is not None:
        known[VARIABLE] = case.workspace
    return filled_in(case, known, resources)
