from typing import Any

import msgspec
import pytest

from vivavoce.errors import ManyProblems, UsageError
from vivavoce.model.case import Origin, ScriptedTurn
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.script_decoder import Script, decode_history_script, decode_script

PLACE = Place(Origin("a.jsonl", 3))


def script(**fields: Any) -> Script:
    return decode_script(msgspec.convert(fields, CaseFields), PLACE)


def roles_and_lines(decoded: Script) -> tuple[list[str], list[object]]:
    said, turns = decoded
    return [message.role for message in said], [turn.content for turn in turns]


SYSTEM, USER = {"role": "system", "content": "be kind"}, {"role": "user", "content": "hi"}
ASSISTANT = {"role": "assistant", "content": "hello"}


@pytest.mark.parametrize(
    ("fields", "said", "lines"),
    [
        ({"input": "hi"}, [], ["hi"]),
        ({"messages": [SYSTEM, USER]}, ["system"], ["hi"]),
        ({"input": [SYSTEM, USER]}, ["system"], ["hi"]),
        ({"messages": [USER], "input": "not me"}, [], ["hi"]),
        ({"messages": [], "input": "me"}, [], ["me"]),
        ({"messages": [USER, ASSISTANT]}, ["user", "assistant"], [""]),
        ({"messages": [USER, ASSISTANT], "simulator": {"use": "s"}}, ["user", "assistant"], []),
        ({"messages": [SYSTEM], "turns": [{"input": "a"}, {"input": "b"}]}, ["system"], ["a", "b"]),
        ({"messages": {"use": "scripts:h"}}, [], []),
        ({"messages": {"use": "scripts:h"}, "input": "me"}, [], ["me"]),
        ({}, [], []),
    ],
)
def test_what_was_said_before_and_what_the_user_will_say(fields: dict[str, Any], said: list[str], lines: list[str]):
    assert roles_and_lines(script(**fields)) == (said, lines)


def test_the_name_of_the_speaker_stays():
    assert script(messages=[{**USER, "name": "ann"}])[1] == (ScriptedTurn(content="hi", name="ann"),)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"input": "a", "turns": [{"input": "b"}]}, "'input' and 'turns' exclude each other"),
        ({"type": "single_turn", "turns": [{"input": "a"}, {"input": "b"}]}, "but there are 2 turns"),
        ({"messages": [{"role": "user", "content": ""}]}, "no input: the user says nothing"),
        ({"messages": "hi"}, 'messages: wanted a list, found "hi"'),
    ],
)
def test_scripts_that_contradict_themselves_are_refused(fields: dict[str, Any], words: str):
    with pytest.raises(UsageError) as caught:
        script(**fields)
    assert words in str(caught.value)


def test_all_problems_of_the_turns_are_found_at_once():
    with pytest.raises(ManyProblems) as caught:
        script(input="x", turns=[{"input": 7}, {"input": "fine"}, {"input": [1]}])
    assert len(list(caught.value.each())) == 3


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ({"user": "scripts:h"}, "wanted a list, found an object"),
        ({"use": "agents:h"}, 'use: wanted scripts:ID, found "agents:h"'),
        ({"use": "scripts:"}, 'use: wanted scripts:ID, found "scripts:"'),
        ({"use": "scripts:h", "n": 1}, "unknown field 'n'"),
    ],
)
def test_only_a_script_makes_messages(messages: dict[str, Any], words: str):
    assert decode_history_script({"use": "scripts:h"}, PLACE) == "scripts:h"
    with pytest.raises(UsageError) as caught:
        decode_history_script(messages, PLACE)
    assert words in str(caught.value)
