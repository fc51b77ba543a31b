"""A user's object of a framework, made ready for conversations."""

from vivavoce.containment.user_errors import UserCode
from vivavoce.containment.user_functions import UserFunction
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.json_value import is_array
from vivavoce.model.message import AgentReply
from vivavoce.protocols import CallContext
from vivavoce.targets.agent_problem import agent_problem
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.frameworks.declaration import Foreign, Framework
from vivavoce.targets.frameworks.framework import FrameworkAgent, Opening
from vivavoce.targets.frameworks.known import reader_of
from vivavoce.targets.frameworks.offered_tools import specs_of
from vivavoce.targets.frameworks.session import FrameworkSession, OneAtATime
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.frameworks.versions import installed_version, misfit, refuse_older


class FrameworkObject:
    """One object; its conversations run at once or, where the framework cannot, take turns."""

    def __init__(self, framework: Framework, agent: Foreign, deps: UserFunction | None) -> None:
        refuse_older(framework, installed_version(framework))
        self._framework = framework
        self._deps = deps
        self._given = agent
        with UserCode(lambda error: misfit(framework, error) or agent_problem(error)):
            self._agent: FrameworkAgent = reader_of(framework).Agent(agent)
        if deps is not None and not self._agent.takes_deps:
            raise UsageError(f"an agent of {framework.name} takes no `deps`")
        self.description = f"an agent of {framework.name}"
        self.one_turn = self._agent.one_turn
        why = self._agent.one_at_a_time
        self._turns = OneAtATime(why) if why else None

    async def open(self, context: CallContext) -> FrameworkSession:
        deps: Foreign = None
        with UserCode(self._problem):
            if self._deps is not None:
                told = CallPayload(context).opening()
                deps = await self._deps.call(ctx=told)
            conversation = self._agent.open(Opening(context=context, deps=deps))
        return FrameworkSession(conversation, one_turn=self.one_turn, turns=self._turns, problem=self._problem)

    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools that the object declares. Those of servers it would have to ask first are not among them."""
        with UserCode(self._problem):
            return specs_of(reader_of(self._framework).tools_of(self._given))

    def _problem(self, error: BaseException) -> CallFailed:
        return misfit(self._framework, error) or agent_problem(error)


def read_known(framework: Framework, value: Foreign) -> AgentReply:
    """The reply that a framework's result, or its list of events, stands for."""
    seen = TurnRecord()
    with UserCode(lambda error: misfit(framework, error) or agent_problem(error)):
        for each in value if is_array(value) else (value,):
            reader_of(framework).read_result(each, seen)
    return seen.reply()
