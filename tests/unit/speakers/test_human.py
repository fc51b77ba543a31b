"""A person at a real pseudo-terminal."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.unit.speakers.seat import Seat, seat
from tests.unit.speakers.talk import simulated, talk, turn

from vivavoce.errors import UsageError
from vivavoce.model.case import CallOptions, ResumeAnswer
from vivavoce.model.message import AgentReply, Interrupt, ToolCall
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript
from vivavoce.speakers.human import HumanSpeaker, describe_turn

PROMPT = "You ▸ "


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    monkeypatch.setenv("NO_COLOR", "1")
    with seat() as taken:
        yield taken


async def answer(person: Seat, typed: str, transcript: Transcript = talk(), **settings: Any) -> Line | Ending:  # noqa: B008
    """What the speaker makes of what is typed at its prompt."""
    human = HumanSpeaker(person.terminal, 10, **settings)
    waiting = asyncio.create_task(human.next_line(transcript))
    await person.sees(PROMPT)
    person.type(typed)
    return await asyncio.wait_for(waiting, 60)


async def test_a_typed_line_is_the_next_line(person: Seat):
    said = await answer(person, "Travel, €500\n", options=CallOptions(mode="chat"))
    assert said == Line(content="Travel, €500", source="interactive", options=CallOptions(mode="chat"))


async def test_the_agents_words_its_tools_and_its_hint_are_shown_before_the_prompt(person: Seat):
    reply = AgentReply(
        text="How much\nwas it?",
        input_hint="Enter amount, e.g., $3500",
        calls=(ToolCall(name="look_up", args={"id": 7}), ToolCall(name="pay", error="refused")),
    )
    human = HumanSpeaker(person.terminal, 10, title="T002 Large expense")
    waiting = asyncio.create_task(human.next_line(talk(turn("Submit it", reply))))
    shown = await person.sees(PROMPT)
    person.type("$5\n")
    await waiting
    lines = [line.rstrip() for line in shown.splitlines()]
    assert lines == [
        "",
        "── T002 Large expense (/help lists the commands)",
        "User   Submit it",
        "       [tool: look_up({id: 7})]",
        "       [tool: pay({})] failed: refused",
        "Agent  How much",
        "       was it?",
        "Hint   Enter amount, e.g., $3500",
        PROMPT.rstrip(),
    ]


async def test_only_what_is_new_is_shown_the_second_time(person: Seat):
    human = HumanSpeaker(person.terminal, 10)
    before = talk(turn("Hi", "What type?"))
    first = asyncio.create_task(human.next_line(before))
    await person.sees(PROMPT)
    person.type("travel\n")
    line = await first
    assert isinstance(line, Line)
    second = asyncio.create_task(human.next_line(before.plus(turn(line, "How much?"))))
    shown = await person.sees(PROMPT)
    person.type("5\n")
    await second
    assert "How much?" in shown
    assert "What type?" not in shown
    assert "User" not in shown


async def test_what_an_agent_says_cannot_steer_the_terminal(person: Seat):
    human = HumanSpeaker(person.terminal, 10)
    waiting = asyncio.create_task(human.next_line(talk(turn("Hi", "\x1b]0;owned\x07\x1b[2Jbye"))))
    shown = await person.sees(PROMPT)
    person.type("x\n")
    await waiting
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "bye" in shown


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("one \\\ntwo\\\nthree\n", "one \ntwo\nthree"),
        ('"""\nfirst\n\n  /end\nlast\\\n"""\n', "first\n\n  /end\nlast\\"),
        ('"""one line"""\n', "one line"),
        ('"""/end"""\n', "/end"),
        ("//etc is a folder\n", "/etc is a folder"),
        ("\n   \nat last\n", "at last"),
    ],
)
async def test_longer_and_odd_answers(person: Seat, typed: str, said: str):
    line = await answer(person, typed)
    assert isinstance(line, Line)
    assert line.text == said


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("/end\n", EndReason.ENDED_BY_HUMAN),
        ("\x04", EndReason.ENDED_BY_HUMAN),
        ("/skip\n", EndReason.SKIPPED_BY_HUMAN),
    ],
)
async def test_the_conversation_is_ended_or_left_out(person: Seat, typed: str, reason: EndReason):
    ending = await answer(person, typed)
    assert isinstance(ending, Ending)
    assert ending.reason is reason


async def test_an_input_closed_inside_a_block_still_says_what_was_typed(person: Seat):
    line = await answer(person, '"""\nhalf\n\x04')
    assert isinstance(line, Line)
    assert line.text == "half"


async def test_help_and_unknown_commands_are_answered_and_the_prompt_comes_back(person: Seat):
    human = HumanSpeaker(person.terminal, 10)
    waiting = asyncio.create_task(human.next_line(talk()))
    await person.sees(PROMPT)
    person.type("/help\n")
    assert "/save PATH" in await person.sees(PROMPT)
    person.type("/reset all\n")
    assert "/reset is no command" in await person.sees(PROMPT)
    person.type("go\n")
    assert isinstance(await waiting, Line)


async def test_save_hands_the_conversation_over_and_tells_what_came_of_it(person: Seat, tmp_path: Path):
    saved: list[tuple[str, Transcript]] = []

    def on_save(path: str, transcript: Transcript) -> str:
        if path == "bad":
            raise UsageError("no such folder")
        saved.append((path, transcript))
        return f"saved to {path}"

    said = talk(turn("Hi", "What type?"))
    human = HumanSpeaker(person.terminal, 10, on_save=on_save)
    waiting = asyncio.create_task(human.next_line(said))
    await person.sees(PROMPT)
    for typed, told in [
        ("/save tests/my chat.jsonl\n", "saved to tests/my chat.jsonl"),
        ("/save bad\n", "not saved: no such folder"),
        ("/save\n", "where to?"),
    ]:
        person.type(typed)
        assert told in await person.sees(PROMPT)
    person.type("/end\n")
    await waiting
    assert saved == [("tests/my chat.jsonl", said)]


async def test_nothing_is_saved_before_anything_was_said_or_where_nobody_saves(person: Seat):
    for settings, told in [
        ({"on_save": lambda path, transcript: "no"}, "nothing was said yet"),
        ({}, "cannot be saved"),
    ]:
        human = HumanSpeaker(person.terminal, 10, **settings)
        waiting = asyncio.create_task(human.next_line(talk()))
        await person.sees(PROMPT)
        person.type("/save x.jsonl\n")
        assert told in await person.sees(PROMPT)
        person.type("/end\n")
        await waiting


async def test_a_person_who_does_not_answer_is_not_waited_for_and_half_a_line_is_forgotten(person: Seat):
    late = HumanSpeaker(person.terminal, 0.1)
    waiting = asyncio.create_task(late.next_line(talk()))
    await person.sees(PROMPT)
    person.type("half a li")
    assert await waiting == Ending(EndReason.MISSING_INPUT_SKIP, "no answer within 100ms")
    line = await answer(person, "fresh\n")
    assert isinstance(line, Line)
    assert line.text == "fresh"


async def test_one_conversation_at_a_time_until_it_is_closed(person: Seat):
    first, second = (HumanSpeaker(person.terminal, 10, title=name) for name in ("first", "second"))
    opening = asyncio.create_task(first.next_line(talk()))
    await person.sees(PROMPT)
    other = asyncio.create_task(second.next_line(talk()))
    person.type("hello\n")
    line = await opening
    assert isinstance(line, Line)
    again = asyncio.create_task(first.next_line(talk(turn(line, "And?"))))
    assert "second" not in await person.sees(PROMPT)
    person.type("more\n")
    await again
    first.close()
    assert "second" in await person.sees(PROMPT)
    person.type("mine\n")
    line = await other
    assert isinstance(line, Line)
    assert line.text == "mine"


async def test_an_ending_gives_the_terminal_away_by_itself(person: Seat):
    await answer(person, "/end\n")
    assert not person.terminal.floor.locked()


async def test_a_cancelled_wait_leaves_the_terminal_usable(person: Seat):
    human = HumanSpeaker(person.terminal, 10)
    waiting = asyncio.create_task(human.next_line(talk()))
    await person.sees(PROMPT)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    human.close()
    assert isinstance(await answer(person, "still here\n"), Line)


@pytest.mark.parametrize(
    ("typed", "payload"), [("yes\n", "yes"), ('{"approved": true}\n', {"approved": True}), ("5\n", 5)]
)
async def test_an_open_interrupt_is_shown_and_answered(person: Seat, typed: str, payload: Any):
    asking = AgentReply(interrupts=(Interrupt(id="i1", message="Approve the payment?"),))
    human = HumanSpeaker(person.terminal, 10)
    waiting = asyncio.create_task(human.next_line(talk(turn(simulated("pay"), asking))))
    assert "Asks   Approve the payment?" in await person.sees(PROMPT)
    person.type(typed)
    line = await waiting
    assert isinstance(line, Line)
    assert line.resume == (ResumeAnswer(payload=payload),)


def test_a_turn_is_told_in_the_order_it_happened():
    reply = AgentReply(
        text="Approve?",
        calls=(ToolCall(name="create", args={"type": "travel"}, error="refused"),),
        interrupts=(Interrupt(id="i1", reason="approval"),),
    )
    assert list(describe_turn(turn("Submit it", reply))) == [
        ("User", "Submit it"),
        ("", '[tool: create({type: "travel"})] failed: refused'),
        ("Agent", "Approve?"),
        ("Asks", "approval"),
    ]


def test_a_structured_answer_is_told_as_json():
    typed = Line(content="hi", source="interactive")
    assert list(describe_turn(turn(typed, AgentReply(data={"b": 1, "a": [2]})))) == [("Agent", '{"a":[2],"b":1}')]


def test_an_endless_reply_is_cut_and_says_so():
    [(_, text)] = describe_turn(turn(Line(content="hi", source="interactive"), "x" * 1_020_000))
    assert text.endswith("x… (1,020,000 characters)")
    assert len(text) < 21_000
