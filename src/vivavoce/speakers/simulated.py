"""An agent or script that plays the user."""

import msgspec

from vivavoce.errors import CallFailed
from vivavoce.model.case import CallOptions, Case, ResumeAnswer, SimulatorSpec
from vivavoce.model.message import Message
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript
from vivavoce.protocols import AgentCaller
from vivavoce.speakers.misbehaviour import misbehaviour
from vivavoce.speakers.simulator_reply import SimulatorLine, read_simulator_reply, simulator_error
from vivavoce.speakers.simulator_request import simulator_request

_QUIT_EARLY = "it said the goal was achieved before the agent had said anything"


class SimulatedSpeaker:
    """Asks the simulator for each line. Its errors have the fault `simulator`."""

    def __init__(self, case: Case, spec: SimulatorSpec, agents: AgentCaller, max_turns: int, session_id: str) -> None:
        self._case = case
        self._spec = spec
        self._agents = agents
        self._max_turns = max_turns
        self._session_id = session_id

    async def next_line(self, transcript: Transcript) -> Line | Ending:
        last = transcript.last
        if last is not None and last.line.goal_achieved:
            return self._ending(transcript, last.line.note)
        request = simulator_request(self._case, self._spec, transcript, self._max_turns, self._session_id)
        # One message holds everything: the history as messages of its own would put the agent's words into
        # the simulator's mouth, since a model takes the assistant's lines for its own.
        message = Message(role="user", content=msgspec.json.encode(request, enc_hook=str).decode())
        options = self._spec.options.overridden_by(CallOptions(skip={"history": True}, metadata=request))
        try:
            reply = await self._agents.ask(self._spec.use, (message,), options, test_id=self._case.id)
        except CallFailed as failure:
            return simulator_error(f"{self._spec.use}: {failure}")
        answer = read_simulator_reply(reply, transcript.last.reply.text if transcript.last else "")
        return answer if isinstance(answer, Ending) else self._spoken(answer, transcript)

    def _spoken(self, answer: SimulatorLine, transcript: Transcript) -> Line | Ending:
        last = transcript.last
        interrupted = last is not None and bool(last.reply.interrupts)
        if not answer.text and not (answer.resume and interrupted):
            if not answer.goal_achieved:
                return simulator_error("it answered an interrupt, but none is open")
            return self._ending(transcript, answer.reasoning)
        line = Line(
            content=answer.text,
            source="simulator",
            options=self._case.options,
            resume=(answer.resume or (ResumeAnswer(payload=answer.text),)) if interrupted else (),
            goal_achieved=answer.goal_achieved,
            note=answer.reasoning,
        )
        problem = misbehaviour(line, transcript)
        return line if problem is None else simulator_error(problem)

    def _ending(self, transcript: Transcript, reasoning: str | None) -> Ending:
        if self._quit_early(transcript):
            return simulator_error(_QUIT_EARLY)
        return Ending(EndReason.GOAL_ACHIEVED, reasoning or "")

    def _quit_early(self, transcript: Transcript) -> bool:
        """Whether the simulator reported its goal before the first reply, and no checkpoint excuses that."""
        if not transcript.turns:
            return True
        opening = transcript.turns[0].line
        if not (len(transcript.turns) == 1 and opening.source == "simulator" and opening.goal_achieved):
            return False
        reached = {name for turn in transcript.turns for name in turn.reached}
        return any(c.required and c.id not in reached for c in self._case.checkpoints)
