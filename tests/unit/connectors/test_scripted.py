import asyncio
import time
from typing import Any

import pytest
from tests.fakes.surroundings import surroundings_at, write_files

from vivavoce.connectors.scripted import ScriptedConnector
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import Message, Usage
from vivavoce.protocols import ModelReply, ModelRequest


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


def user(text: str) -> Message:
    return Message(role="user", content=text)


def ran(name: str, result: str, args: str = "{}", call_id: str = "c1") -> list[Message]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}
    return [Message(role="assistant", tool_calls=[call]), Message(role="tool", tool_call_id=call_id, content=result)]


async def answer(around, rules: list[Any], *messages: Message, metadata=None, **options) -> ModelReply:
    connector = ScriptedConnector("demo", {"rules": rules, **options}, around)
    return await connector.complete(ModelRequest(messages=messages, metadata=metadata or {}))


async def test_the_first_fitting_rule_answers(around):
    rules = [{"when": "^bye", "say": "see you"}, {"when": "hi", "say": "hello"}, {"say": "what?"}]
    assert (await answer(around, rules, user("hi there"))).text == "hello"
    assert (await answer(around, rules, user("goodbye"))).text == "what?"


async def test_named_groups_fill_texts_and_arguments(around):
    rules = [
        {
            "when": r"(?P<amount>\d+) for (?P<what>\w+)",
            "say": "noting {{ what }}",
            "call": {"name": "create", "args": {"amount": "{{ amount | int }}", "note": "{{ what }}!", "fixed": 1}},
        }
    ]
    got = await answer(around, rules, user("250 for dinner"))
    assert got.text == "noting dinner"
    assert got.calls[0].args == {"amount": 250, "note": "dinner!", "fixed": 1}
    assert got.finish_reason == "tool_calls"


async def test_several_calls_have_different_ids_that_never_change(around):
    rules = [{"call": [{"name": "a"}, {"name": "b", "args": {"x": 1}}]}]
    once, again = [await answer(around, rules, user("go")) for _ in range(2)]
    assert [call.name for call in once.calls] == ["a", "b"]
    assert once.calls[0].id != once.calls[1].id
    assert once == again


async def test_a_tools_result_is_answered_by_after_tool_only(around):
    rules = [
        {"when": "weather", "call": {"name": "get_weather", "args": {"city": "Rome"}}},
        {"after_tool": "get_weather", "say": "{{ result.degrees + 1 }} in {{ args.city }}"},
    ]
    asked = user("weather please")
    assert (await answer(around, rules, asked)).calls[0].name == "get_weather"
    got = await answer(around, rules, asked, *ran("get_weather", '{"degrees": 20}', '{"city": "Rome"}'))
    assert got.text == "21 in Rome"


async def test_after_tool_knows_namespaces_lists_and_any(around):
    history = [user("go"), *ran("shop__pay", "ok")]
    assert (await answer(around, [{"after_tool": "pay", "say": "1"}], *history)).text == "1"
    assert (await answer(around, [{"after_tool": ["x", "pay"], "say": "2"}], *history)).text == "2"
    assert (await answer(around, [{"after_tool": "*", "say": "{{ result }}"}], *history)).text == "ok"
    with pytest.raises(CallFailed, match="the result of shop__pay"):
        await answer(around, [{"after_tool": "refund", "say": "3"}], *history)


async def test_results_of_the_whole_turn_can_be_used(around):
    history = [user("go"), *ran("a", "1", call_id="x"), *ran("b", "2", call_id="y")]
    got = await answer(around, [{"after_tool": "b", "say": "{{ results.a }}+{{ results.b }}"}], *history)
    assert got.text == "1+2"


async def test_turn_counts_user_messages(around):
    rules = [{"turn": 1, "say": "first"}, {"turn": [2, 3], "say": "turn {{ turn }}"}]
    later = [user("a"), Message(role="assistant", content="first"), user("b")]
    assert (await answer(around, rules, user("a"))).text == "first"
    assert (await answer(around, rules, *later)).text == "turn 2"


async def test_system_prompt_and_metadata_choose_the_part_it_plays(around):
    rules = [
        {"system": "You judge", "data": {"passed": True, "reason": "{{ metadata.criteria }}"}},
        {"metadata": {"test_mode": "simulator", "last_response": "regex:(?i)how much"}, "data": {"input": "250"}},
        {"metadata": {"test_mode": "simulator", "deep": {"turn": 2}}, "data": {"input": "yes"}},
        {"say": "agent"},
    ]
    judge = await answer(
        around, rules, Message(role="system", content="You judge."), user("x"), metadata={"criteria": "kind"}
    )
    assert judge.data == {"passed": True, "reason": "kind"}
    assert judge.text == '{"passed":true,"reason":"kind"}'
    asked = {"test_mode": "simulator", "last_response": "How much was it?"}
    assert (await answer(around, rules, user("x"), metadata=asked)).data == {"input": "250"}
    second = {"test_mode": "simulator", "deep": {"turn": 2, "more": 1}}
    assert (await answer(around, rules, user("x"), metadata=second)).data == {"input": "yes"}
    assert (await answer(around, rules, user("x"), metadata={"test_mode": "simulator"})).text == "agent"


async def test_declarations_finish_reason_and_usage_are_passed_on(around):
    rules = [
        {
            "say": "sure?",
            "awaiting_input": True,
            "input_hint": "yes or {{ 'no' }}",
            "finish_reason": "length",
            "usage": {"input_tokens": 3, "output_tokens": 4, "cost": 0.5},
        }
    ]
    got = await answer(around, rules, user("x"))
    assert got.extra == {"awaiting_input": True, "input_hint": "yes or no"}
    assert got.finish_reason == "length"
    assert got.usage == Usage(3, 4, 0.5)


async def test_a_delay_takes_time_and_can_be_cancelled(around):
    started = time.monotonic()
    await answer(around, [{"say": "x", "delay": "50ms"}], user("x"))
    assert time.monotonic() - started >= 0.05
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await answer(around, [{"say": "x", "delay": "1h"}], user("x"))


async def test_fail_is_a_model_that_cannot_be_had(around):
    with pytest.raises(CallFailed, match="no quota for hi") as caught:
        await answer(around, [{"fail": "no quota for {{ user }}"}], user("hi"))
    assert caught.value.fault == "target"


async def test_otherwise_answers_what_no_rule_fits(around):
    rules = [{"when": "never", "say": "x"}]
    assert (await answer(around, rules, user("hi"), otherwise="pardon?")).text == "pardon?"
    assert (await answer(around, rules, user("hi"), otherwise={"data": [1]})).data == [1]
    with pytest.raises(CallFailed, match="'demo' has no rule for 'hi'"):
        await answer(around, rules, user("hi"))


async def test_an_unknown_name_in_a_template_is_an_error_not_an_empty_answer(around):
    with pytest.raises(CallFailed, match="rule 0: bad template: 'nobody' is undefined"):
        await answer(around, [{"say": "hello {{ nobody }}"}], user("hi"))


async def test_templates_cannot_reach_out(around):
    with pytest.raises(CallFailed, match="unsafe"):
        await answer(around, [{"say": "{{ ''.__class__.__mro__ }}"}], user("hi"))


async def test_rules_come_from_a_file_beside_the_connector_or_in_the_root(around, tmp_path):
    write_files(
        tmp_path,
        {
            "connectors/demo/a.yaml": "rules:\n  - say: beside\notherwise: x\n",
            "b.yaml": "- say: root\n",
            "c.json": '{"rules": [{"say": "json"}]}',
        },
    )
    for name, said in (("a.yaml", "beside"), ("b.yaml", "root"), ("c.json", "json")):
        connector = ScriptedConnector("demo.agent", {"rules": name}, around)
        assert (await connector.complete(ModelRequest(messages=[user("x")]))).text == said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules:\n  - when: hi\n    sya: x\n", "r.yaml:3: unknown field 'sya' (did you mean 'say'?)"),
        ("rules:\n  - when: hi\n", "r.yaml:2: the rule answers nothing"),
        ("- say: 1\n", "r.yaml:1: say: wanted text"),
        ("- say: x\n  when: '(['\n", "r.yaml:2: bad regex"),
        ("- say: x\n  metadata:\n    a: 'regex:['\n", "r.yaml:2: bad regex"),
        ("- say: |\n    fine\n    {{ oops\n", "bad template"),
        ("- say: x\n  delay: soon\n", "r.yaml:2: bad duration"),
        ("- hello\n", "r.yaml:1: "),
        ("rules: 3\n", "r.yaml:1: a list of rules is expected"),
        ("rules: []\notherwize: x\n", "r.yaml:2: unknown field 'otherwize' (did you mean 'otherwise'?)"),
        ("- say: [\n", "r.yaml:2: bad YAML"),
        ("", "r.yaml: the rules file is empty"),
    ],
)
async def test_a_mistake_in_a_rules_file_is_told_with_its_line(around, tmp_path, text, words, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"r.yaml": text})
    with pytest.raises(UsageError) as caught:
        ScriptedConnector("demo", {"rules": "r.yaml"}, around)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "connector 'demo' has no rules"),
        ({"rules": "gone.yaml"}, "there is no rules file 'gone.yaml'"),
        ({"rules": [{}]}, "the rule answers nothing"),
    ],
)
async def test_missing_rules_are_usage_errors(around, options, words):
    with pytest.raises(UsageError, match=words):
        ScriptedConnector("demo", options, around)
