"""Warns once when tool rules were judged and the agent never showed a single call."""

from vivavoce.assertions.doubt import is_tool_rule
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.model.verdict import Outcome
from vivavoce.wording.plurals import counted

_JUDGED = (Outcome.PASSED, Outcome.FAILED)


class SilentTools:
    """Counts tool rules by agent until the agent's first call."""

    def __init__(self) -> None:
        self._rules: dict[str, int] = {}
        self._seen: set[str] = set()

    def add(self, result: CaseResult) -> None:
        agent = result.case.agent or ""
        if agent in self._seen:
            return
        for attempt in result.attempts:
            for turn in attempt.transcript.turns:
                if turn.reply.calls:
                    self._seen.add(agent)
                    return
            if count := _tool_rules(attempt):
                self._rules[agent] = self._rules.get(agent, 0) + count

    def warnings(self) -> tuple[str, ...]:
        return tuple(
            f"{counted(count, 'check')} looked at tool calls, but {agent or 'the agent'} never showed one in this run: "
            f"does it show its calls?"
            for agent, count in self._rules.items()
            if agent not in self._seen
        )


def _tool_rules(attempt: Attempt) -> int:
    count = 0
    for verdict in attempt.all_verdicts():
        spec = verdict.spec
        if spec is not None and is_tool_rule(spec.type) and verdict.outcome in _JUDGED:
            count += 1
    return count
