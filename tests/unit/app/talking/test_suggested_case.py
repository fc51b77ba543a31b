from pathlib import Path

import pytest

from vivavoce.app.talking.suggested_case import DraftMaker, file_name_of
from vivavoce.errors import UsageError
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt, ToolCall
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.project.project import Project
from vivavoce.sources.discover import file_source

SAID = (
    ("pay 40 euro", AgentReply(interrupts=(Interrupt(id="i", reason="ok?"),), status=ExchangeStatus.INTERRUPTED), ()),
    (
        "",
        AgentReply(
            text="I have charged 40 euro to your card.",
            calls=(ToolCall(id="1", name="charge", args={"amount": 40}, result={"ok": True}),),
        ),
        (ResumeAnswer(reason="ok?", payload={"approved": True}),),
    ),
)


def conversation() -> Transcript:
    transcript = Transcript()
    for number, (text, reply, resume) in enumerate(SAID, start=1):
        line = Line(content=text, source="interactive", resume=resume)
        transcript = transcript.plus(Turn(number=number, line=line, reply=reply, started_ms=1.0, ended_ms=2.0))
    return transcript.ended(Ending(EndReason.ENDED_BY_HUMAN))


def maker(root: Path) -> DraftMaker:
    return DraftMaker(Project(root=root), "shop", conversation())


async def test_the_case_says_what_was_said_and_checks_what_was_done(tmp_path: Path):
    draft = await maker(tmp_path).draft("A payment", "tests/a.yaml")
    assert draft.problem == ""
    (tmp_path / "a.yaml").write_text(draft.text)
    [case] = file_source(tmp_path / "a.yaml", "a.yaml").read()
    assert not isinstance(case, UsageError)
    assert (case.id, case.name, case.agent) == ("a", "A payment", "shop")
    assert [(turn.content, turn.resume) for turn in case.turns] == [(text, resume) for text, _, resume in SAID]
    checked: list[JsonObject] = [spec.fields for spec in case.turns[1].assertions]
    assert {"name": "charge", "arguments": {"amount": 40}} in checked
    assert {"name": "charge", "count": {"exact": 1}} in checked


async def test_only_chosen_checks_are_written(tmp_path: Path):
    offered = await maker(tmp_path).draft("A payment", "a.yaml")
    assert {one.turn for one in offered.suggestions} == {2}
    # A number may be another one the next time: offered, not chosen.
    number = next(one for one in offered.suggestions if one.check == {"type": "contains", "value": "40"})
    assert not number.wanted
    assert "value: '40'" not in offered.text
    chosen = await maker(tmp_path).draft("A payment", "a.yaml", [number.id])
    assert chosen.text.count("type:") == 1
    assert "value: '40'" in chosen.text
    assert (await maker(tmp_path).draft("A payment", "a.yaml", [])).text.count("type:") == 0


def test_nothing_said_is_no_case(tmp_path: Path):
    with pytest.raises(UsageError, match="nothing was said"):
        DraftMaker(Project(root=tmp_path), "shop", Transcript())


@pytest.mark.parametrize(
    ("name", "file"), [("A refund, please!", "a-refund-please.yaml"), ("../../x", "x.yaml"), ("退款", "talk.yaml")]
)
def test_the_file_is_named_after_the_case(name: str, file: str):
    assert file_name_of(name) == file
