"""A turn with an object of a framework: interrupts, taking turns, what is kept when the run raises."""

import asyncio
from collections.abc import Sequence

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import Content, ExchangeStatus, Interrupt, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.targets.agent_problem import agent_problem
from vivavoce.targets.frameworks.approvals import decision
from vivavoce.targets.frameworks.session import MAX_RUNS, FrameworkSession, OneAtATime
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption


class Talk:
    """A conversation that asks as often as it is told to, then says what it heard."""

    def __init__(self, asks: int = 0, *, breaks: bool = False, gate: asyncio.Event | None = None) -> None:
        self.asks = asks
        self.breaks = breaks
        self.gate = gate
        self.heard: list[object] = []
        self.closed = False

    async def say(self, content: Content, earlier: Sequence[Message], seen: TurnRecord) -> None:
        self.heard.append((content, [message.text for message in earlier]))
        await self._on(seen)

    async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
        self.heard.append([each.answer.payload for each in answers])
        await self._on(seen)

    async def close(self) -> None:
        self.closed = True

    async def _on(self, seen: TurnRecord) -> None:
        seen.called(f"c{len(self.heard)}", "look", {})
        if self.gate is not None:
            await self.gate.wait()
        if self.breaks:
            raise RuntimeError("gone")
        if self.asks:
            self.asks -= 1
            seen.waits(Interrupt(id=f"i{self.asks}", tool_name="pay"))
        else:
            seen.said("done")


def session(talk: Talk, *, one_turn: str = "", turns: OneAtATime | None = None) -> FrameworkSession:
    return FrameworkSession(talk, one_turn=one_turn, turns=turns, problem=agent_problem)


async def converse(talk: FrameworkSession, *lines: Line, history: tuple[Message, ...] = ()) -> Transcript:
    transcript = Transcript(history=history)
    for number, line in enumerate(lines, 1):
        reply = await talk.send(line, transcript)
        transcript = transcript.plus(Turn(number=number, line=line, reply=reply))
    return transcript


def says(text: str, *answers: ResumeAnswer, **more: str) -> Line:
    return Line(content=text, resume=answers, **more)  # type: ignore[arg-type]


def yes() -> ResumeAnswer:
    return ResumeAnswer(tool="pay", payload=True)


async def test_the_case_s_history_is_given_with_the_first_line_only():
    talk = Talk()
    await converse(session(talk), says("one"), says("two"), history=(Message(role="user", content="before"),))
    assert talk.heard == [("one", ["before"]), ("two", [])]


async def test_an_interrupt_is_answered_by_the_next_line_or_within_the_turn():
    talk = Talk(asks=1)
    later = await converse(session(talk), says("pay"), says("", yes()))
    assert later.turns[0].reply.status is ExchangeStatus.INTERRUPTED
    assert later.turns[1].reply.text == "done"
    assert talk.heard == [("pay", []), [True]]
    at_once = await converse(session(Talk(asks=2)), says("pay", yes(), yes()))
    assert (at_once.turns[0].reply.text, at_once.turns[0].reply.interrupts) == ("done", ())


async def test_words_beside_an_answer_are_said_after_it():
    talk = Talk(asks=1)
    await converse(session(talk), says("pay"), says("and now?", yes()))
    assert talk.heard == [("pay", []), [True], ("and now?", [])]


async def test_an_interrupt_that_the_line_does_not_answer_stops_it():
    talk = Talk(asks=1)
    transcript = await converse(session(talk), says("pay"), says("hello?"))
    assert transcript.turns[1].reply.status is ExchangeStatus.INTERRUPTED
    assert "resume: [{tool: pay, payload: …}]" in str(transcript.turns[1].reply.error)
    assert len(talk.heard) == 1


async def test_what_a_person_says_to_an_interrupt_is_its_answer():
    talk = Talk(asks=1)
    await converse(session(talk), says("pay"), says("go on then", source="human"))
    assert talk.heard == [("pay", []), ["go on then"]]


@pytest.mark.parametrize(("source", "blamed"), [("simulator", "simulator"), ("interactive", "test")])
async def test_an_answer_that_says_neither_yes_nor_no_is_the_fault_of_whoever_gave_it(source: str, blamed: str):
    class Strict(Talk):
        async def resume(self, answers: Sequence[Resumption], seen: TurnRecord) -> None:
            decision(answers[0].answer)

    with pytest.raises(CallFailed, match='the answer "hm" says neither yes nor no') as caught:
        await converse(session(Strict(1)), says("pay"), says("hm", source=source))
    assert caught.value.fault == blamed


async def test_an_answer_that_nothing_asked_for_is_an_error():
    transcript = await converse(session(Talk()), says("pay", yes()))
    reply = transcript.turns[0].reply
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert "did not stop for that" in str(reply.error)


async def test_an_agent_that_never_stops_asking_is_stopped():
    transcript = await converse(session(Talk(asks=99)), says("pay", *[yes() for _ in range(99)]))
    assert f"after {MAX_RUNS} runs" in str(transcript.turns[0].reply.error)


async def test_calls_are_kept_when_the_run_raises():
    talk = session(Talk(breaks=True))
    with pytest.raises(CallFailed, match="RuntimeError: gone"):
        await talk.send(says("x"), Transcript())
    assert [call.name for call in talk.so_far().calls] == ["look"]


async def test_a_second_line_is_refused_where_there_is_no_memory():
    talk = session(Talk(), one_turn="a Crew has no memory")
    with pytest.raises(CallFailed, match="one line only: a Crew has no memory") as caught:
        await converse(talk, says("one"), says("two"))
    assert caught.value.fault == "test"
    with pytest.raises(CallFailed, match="one line only"):
        await talk.send(says("one"), Transcript(history=(Message(role="user", content="before"),)))


async def test_those_that_cannot_run_at_once_take_turns_and_say_so_once():
    gate, turns = asyncio.Event(), OneAtATime("the memory is in the object")
    talks = [Talk(gate=gate) for _ in range(3)]
    running = [asyncio.ensure_future(converse(session(talk, turns=turns), says("x"))) for talk in talks]
    for _ in range(5):
        await asyncio.sleep(0)
    assert [len(talk.heard) for talk in talks] == [1, 0, 0]
    gate.set()
    warnings = [done.turns[0].reply.warnings for done in await asyncio.gather(*running)]
    assert [len(each) for each in warnings] == [0, 1, 0]
    assert "take turns: the memory is in the object" in warnings[1][0]


async def test_the_conversation_is_closed():
    talk = Talk()
    await session(talk).close()
    assert talk.closed
