"""A person labels conversations without seeing what the checks said."""

import asyncio

from tests.unit.speakers.seat import seat

from vivavoce.app.labelling import Question
from vivavoce.cli.label_asking import ask_labels
from vivavoce.insight.calibration.conversations import Conversation
from vivavoce.insight.calibration.labels import Label
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict


def question(case_id: str, criterion: str | None = None) -> Question:
    turn = Turn(number=1, line=Line(content="how are you?"), reply=AgentReply(text="fine"))
    verdict = Verdict(outcome=Outcome.FAILED, reason="the judge frowns", spec=AssertionSpec(type="agent"))
    attempt = Attempt(status=Status.FAILED, transcript=Transcript(turns=(turn,)), verdicts=(verdict,))
    return Question(Conversation(Case(id=case_id), attempt, "f1"), criterion)


async def answers(*typed: str, with_verdicts: bool = False) -> tuple[str, list[Label], str]:
    kept: list[Label] = []
    todo = [question("A"), question("B", "polite")]
    with seat() as person:
        asking = asyncio.create_task(ask_labels(todo, person.terminal, keep=kept.append, with_verdicts=with_verdicts))
        shown = ""
        for line in typed:
            shown += await person.sees("uit? " if line != "because" else "note: ")
            person.type(f"{line}\n")
        return await asking, kept, shown


async def test_every_answer_is_kept_with_its_note():
    told, kept, shown = await answers("f", "note", "because", "p")
    assert told == "2 labels added, 0 without one"
    assert [(one.label, one.note, one.criterion) for one in kept] == [
        ("fail", None, None),
        ("pass", "because", "polite"),
    ]
    assert "how are you?" in shown
    assert "Criterion: polite" in shown


async def test_what_the_judge_said_is_not_shown_unless_asked_for():
    assert "frowns" not in (await answers("s", "s"))[2]
    assert "frowns" in (await answers("s", "s", with_verdicts=True))[2]


async def test_one_may_quit_and_go_on_later():
    told, kept, _ = await answers("p", "q")
    assert told == "1 label added, 1 without one: viva label goes on there"
    assert len(kept) == 1


async def test_nothing_left_is_said():
    with seat() as person:
        assert "everything has a label" in await ask_labels([], person.terminal, keep=lambda _: None)
