"""What the agent's own code raised, as the error of its turn."""

from vivavoce.containment.captured_output import current_log
from vivavoce.containment.user_errors import describe_exception, user_traceback
from vivavoce.errors import CallFailed


def agent_problem(error: BaseException) -> CallFailed:
    """The agent raised: one line for the result, its own lines of the traceback for the log."""
    if (log := current_log()) is not None:
        log.write(f"{user_traceback(error)}\n")
    return CallFailed(describe_exception(error), fault="agent")
