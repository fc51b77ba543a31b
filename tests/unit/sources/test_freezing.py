"""A conversation that happened, written down as a case and read again."""

from pathlib import Path

from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.sources.freezing import append_case, frozen_case
from vivavoce.sources.reading.jsonl import JsonlSource


def test_who_spoke_is_not_forgotten(tmp_path: Path):
    earlier = (Message(role="user", content="hi", name="ann"), Message(role="assistant", content="hello"))
    lines = [Line(content="and me?", name="bob"), Line(content="what now?")]
    turns = tuple(Turn(number=n, line=line, reply=AgentReply(text="Noted.")) for n, line in enumerate(lines, 1))
    file = tmp_path / "frozen.jsonl"
    append_case(file, frozen_case(Transcript(history=earlier, turns=turns), case_id="T1"))
    [case] = JsonlSource(file, str(file)).read()
    assert isinstance(case, Case)
    assert case.history == earlier
    assert [(turn.content, turn.name) for turn in case.turns] == [("and me?", "bob"), ("what now?", None)]
