"""Other words for the lines of cases, made by an agent that the user names."""

from collections.abc import Sequence

from vivavoce.engine.spending import Spending
from vivavoce.engine.wiring import RunResources
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions
from vivavoce.model.message import Message

PER_LINE = 3
_TASK = (
    "Write {count} paraphrases of the user's message below, one per line and nothing else. Keep its meaning, its "
    "language and every name, number and date in it exactly as they are.\n\n{line}"
)


async def paraphrases(
    agent: str, lines: Sequence[str], resources: RunResources, spending: Spending | None = None
) -> dict[str, list[str]]:
    """Each line with the paraphrases of it; lines that the budget does not reach have none.

    Raises UsageError when the agent cannot be asked.
    """
    found: dict[str, list[str]] = {}
    for line in dict.fromkeys(lines):
        if spending is not None and spending.is_over:
            break
        message = Message(role="user", content=_TASK.format(count=PER_LINE, line=line))
        try:
            reply = await resources.helpers.agents.ask(agent.removeprefix("agents:"), [message], CallOptions())
        except CallFailed as problem:
            raise UsageError(f"the paraphraser {agent} failed: {problem}", at="--paraphraser") from None
        if reply.error is not None:
            raise UsageError(f"the paraphraser {agent} failed: {reply.error}", at="--paraphraser")
        if spending is not None:
            spending.pay(reply.usage)
        found[line] = [said.strip(" \t-*•0123456789.") for said in reply.text.splitlines() if said.strip()]
    return found
