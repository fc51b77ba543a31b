"""Python functions, objects and classes as agents, loaded from real files."""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.user_agents import say, target_of

from vivavoce.containment.captured_output import OutputLog, capture_user_output
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.message import AgentReply, Message, ToolCall
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext, Partial, Target


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def agent(code: str, name: str = "answer", **config: Any) -> Target:
    Path("agent.py").write_text(code)
    return target_of("python", Path.cwd(), python=f"agent.py:{name}", **config)


@pytest.mark.parametrize(
    "code",
    [
        "def answer(messages): return messages[-1]['content'].upper()",
        "async def answer(messages): return messages[-1]['content'].upper()",
        "def answer(messages):\n  yield 'H'\n  yield 'I'",
        "async def answer(messages):\n  yield 'H'\n  yield {'content': 'I'}",
        "def answer(text): return text.upper()",
        "def answer(prompt, context): return prompt.upper()",
        "def answer(anything: str): return anything.upper()",
        "from __future__ import annotations\ndef answer(anything: str): return anything.upper()",
        "def answer(): return 'HI'",
        "class Bot:\n  async def __call__(self, message): return message.upper()\nanswer = Bot()",
        "class answer:\n  def __call__(self, messages, context): return messages[0]['content'].upper()",
        "import functools\ndef f(x, input): return input.upper()\nanswer = functools.partial(f, 1)",
        "answer = lambda messages: iter(['H', 'I'])",
        "def answer(messages): return b'HI'",
        "def answer(messages, *, ctx): return {'content': 'HI'}",
    ],
)
async def test_every_shape_of_callable_answers(code: str):
    assert [reply.text for reply in await say(agent(code), "hi")] == ["HI"]


async def test_the_whole_conversation_is_passed_on():
    target = agent("def answer(messages): return ' '.join(f\"{m['role']}:{m['content']}\" for m in messages)")
    replies = await say(target, "two", history=(Message(role="system", content="one"),))
    assert replies[0].text == "system:one user:two"
    turns = await say(agent("def answer(messages): return str(len(messages))"), "a", "b", "c")
    assert [reply.text for reply in turns] == ["1", "3", "5"]


async def test_an_agent_of_words_alone_is_not_quietly_shown_less():
    seen = Line(
        content=[{"type": "text", "text": "what is it?"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
    )
    with pytest.raises(
        CallFailed, match=r"takes a text only, and not \[image_url\] \(take `messages` instead\)"
    ) as caught:
        await say(agent("def answer(text): return text"), line=seen)
    assert caught.value.fault == "test"
    [reply] = await say(agent("def answer(messages): return str(len(messages[0]['content']))"), line=seen)
    assert reply.text == "2"


async def test_the_context_tells_who_asks_and_how():
    target = agent(
        "def answer(messages, context):\n"
        "  return {'data': [context.session_id, context['case_id'], context.turn, context.identity.user_id,\n"
        "                   context.identity['locale'], context.metadata, context.options['mode'], context.variables]}"
    )
    context = CallContext(session_id="s9", case_id="T9", identity=Identity(user_id="ann"), variables={"V": 1})
    line = Line(content="hi", options=CallOptions(mode="fast", metadata={"m": 1}))
    [reply] = await say(target, line=line, context=context)
    assert reply.data == ["s9", "T9", 1, "ann", "en-us", {"m": 1}, "fast", {"V": 1}]


async def test_a_second_parameter_of_any_name_is_the_context():
    [reply] = await say(agent("def answer(messages, info): return info.session_id"), "hi")
    assert reply.text == "s1"


async def test_a_class_is_made_once_for_each_conversation():
    target = agent(
        "class Counter:\n"
        "  def __init__(self): self.seen = 0\n"
        "  def __call__(self, messages):\n"
        "    self.seen += 1\n"
        "    return str(self.seen)",
        "Counter",
    )
    for _ in range(2):
        assert [reply.text for reply in await say(target, "a", "b")] == ["1", "2"]


async def test_tool_calls_and_declarations_are_read():
    code = (
        "def answer(m): return {'content': 'ok', 'tools': [{'name': 'pay', 'args': {'n': 1}}], 'awaiting_input': True}"
    )
    [reply] = await say(agent(code), "hi")
    assert reply.calls == (ToolCall(name="pay", args={"n": 1}),)
    assert reply.awaiting is True


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def answer(m): raise ValueError('boom')", "ValueError: boom (agent.py:1)"),
        ("async def answer(m):\n  return 1/0", "ZeroDivisionError: division by zero (agent.py:2)"),
        ("def answer(m):\n  yield 'a'\n  raise OSError('gone')", "OSError: gone (agent.py:3)"),
        ("async def answer(m):\n  yield 'a'\n  raise OSError('gone')", "OSError: gone (agent.py:3)"),
        ("import sys\ndef answer(m): sys.exit(2)", "RuntimeError: sys.exit(2) was called (agent.py:2)"),
        ("import sys\nasync def answer(m): sys.exit(2)", "RuntimeError: sys.exit(2) was called (agent.py:2)"),
        ("def answer(m): raise TimeoutError('slow')", "TimeoutError: slow (agent.py:1)"),
        ("import asyncio\nasync def answer(m): raise asyncio.CancelledError", "CancelledError (agent.py:2)"),
        ("def answer(m): return {'score': float('nan')}", "the agent answered what is not JSON: $.score is NaN"),
        (
            "class Odd:\n  def __getattr__(self, name): raise KeyError(name)\ndef answer(m): return Odd()",
            "the agent answered what is not JSON: reading it raised KeyError: 'model_dump' (agent.py:2)",
        ),
        ("def answer(m): return b'\\xff'", "the agent answered bytes that are not UTF-8 text (byte 0)"),
        ("def answer(a, b, c): ...", "TypeError: answer() missing 1 required positional argument: 'c'"),
        (
            "class answer:\n  def __init__(self): raise KeyError('no')\n  def __call__(self, m): ...",
            "KeyError: 'no' (agent.py:2)",
        ),
    ],
)
async def test_an_agent_that_breaks_is_told_with_its_own_line(code: str, said: str):
    with pytest.raises(CallFailed) as caught:
        await say(agent(code), "hi")
    assert str(caught.value) == said
    assert caught.value.fault == "agent"


async def test_a_class_whose_objects_cannot_be_called_is_the_tests_fault():
    made = "class Thing: ...\nclass answer:\n  def __new__(cls): return Thing()"
    with pytest.raises(CallFailed, match="an object of class answer cannot be called") as caught:
        await say(agent(made), "hi")
    assert caught.value.fault == "test"
    assert "object.method" in (caught.value.hint or "")


async def test_what_it_prints_belongs_to_the_reply(capsys: pytest.CaptureFixture[str]):
    target = agent("import sys\ndef answer(m):\n  print('thinking')\n  print('hm', file=sys.stderr)\n  return 'ok'")
    with capture_user_output():
        [reply] = await say(target, "hi")
    assert reply == AgentReply(text="ok", logs="thinking\nhm\n", shows_calls=False)
    assert capsys.readouterr() == ("", "")


async def test_what_it_printed_before_it_broke_goes_to_the_case_with_its_traceback():
    target = agent("def answer(m):\n  print('thinking')\n  raise ValueError('boom')")
    with capture_user_output(), OutputLog() as log, pytest.raises(CallFailed):
        await say(target, "hi")
    assert log.text() == ("thinking\n  agent.py:3 in answer\n    raise ValueError('boom')\nValueError: boom\n")


@pytest.mark.parametrize(
    "code",
    ["import time\ndef answer(m): time.sleep(600)", "import asyncio\nasync def answer(m): await asyncio.sleep(600)"],
)
async def test_an_agent_that_never_answers_can_be_left(code: str):
    target = agent(code)
    began = time.perf_counter()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await say(target, "hi")
    assert time.perf_counter() - began < 60


async def test_blocking_agents_answer_side_by_side():
    target = agent("import threading\nall_here = threading.Barrier(6, timeout=60)\ndef answer(m): all_here.wait()")
    await asyncio.gather(*(say(target, "hi") for _ in range(6)))


async def test_fifty_megabytes_are_an_answer_like_any_other():
    [reply] = await say(agent("def answer(m): return 'x' * 50_000_000"), "hi")
    assert len(reply.text) == 50_000_000


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("agent", "names no function (write python:agent:FUNCTION)"),
        ("agent.py:answr", "has no function or object 'answr' (did you mean 'answer'?)"),
        ("agent.py:NUMBER", "is of type int, which cannot be called"),
        (
            "agent.py:bot",
            "of type Bot, which cannot be called (name a function, or one of its methods: agent.py:bot.chat)",
        ),
        ("agent.py:Bot.chat", "is a method without its object (name it on an object of the file"),
        (
            "agent.py:Bot",
            "is a class whose objects cannot be called (give it __call__(self, messages), or name a method: "
            "bot = Bot() in the file and agent.py:bot.chat)",
        ),
        (
            "agent.py:Needy",
            "is a class that needs model to be made (make an object in the file, bot = Needy(…), and name it: "
            "agent.py:bot)",
        ),
        ("gone.py:answer", "not found: there is no gone.py"),
    ],
)
def test_what_cannot_be_an_agent_is_told_at_once(ref: str, said: str):
    needy = "class Needy:\n  def __init__(self, model, *more): ...\n  def __call__(self, m): ...\n"
    code = "NUMBER = 5\ndef answer(m): ...\nclass Bot:\n  def chat(self, m): ...\nbot = Bot()\n"
    Path("agent.py").write_text(code + needy)
    with pytest.raises(UsageError) as caught:
        target_of("python", Path.cwd(), python=ref)
    assert said in str(caught.value)


def test_the_card_describes_it():
    code = 'def answer(m):\n  """Answers politely.\n\n  And more."""'
    assert agent(code).card.description == "Answers politely."
    assert agent(code, description="Ours").card.description == "Ours"
    assert agent(code).card.where == "agent.py:answer"


async def test_a_call_costs_microseconds():
    target = agent("async def answer(messages): return 'ok'")
    session = await target.open(CallContext(session_id="s"))
    line, transcript = Line(content="hi"), Transcript()
    began = time.thread_time()
    for _ in range(2000):
        await session.send(line, transcript)
    assert (time.thread_time() - began) / 2000 < 500e-6


CALLED = "{'tool_calls': [{'name': 'delete_order', 'args': {}}]}"


@pytest.mark.parametrize("kind", ["def", "async def"])
@pytest.mark.parametrize("then", ["raise ValueError('boom')", "import sys; sys.exit(3)", "yield 5"])
async def test_a_generator_that_breaks_keeps_the_calls_it_told_before(kind: str, then: str):
    target = agent(f"{kind} answer(messages):\n  yield 'one moment'\n  yield {CALLED}\n  {then}")
    session = await target.open(CallContext(session_id="s1"))
    with pytest.raises(CallFailed):
        await session.send(Line(content="hi"), Transcript())
    assert isinstance(session, Partial)
    assert ([call.name for call in session.so_far().calls], session.so_far().text) == (["delete_order"], "one moment")


async def test_pieces_of_a_broken_answer_that_nobody_understands_are_unread():
    target = agent(f"def answer(messages):\n  yield {CALLED}\n  yield object()\n  raise ValueError('boom')")
    session = await target.open(CallContext(session_id="s1"))
    with pytest.raises(CallFailed):
        await session.send(Line(content="hi"), Transcript())
    assert isinstance(session, Partial)
    assert "object object" in str(session.so_far().unread[0])
    assert [call.name for call in session.so_far().calls] == ["delete_order"]
