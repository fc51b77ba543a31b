"""LlamaIndex: what its recorded events mean."""

from types import SimpleNamespace

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.model.message import Usage
from vivavoce.targets.frameworks.llama_index import _in_words, read_result
from vivavoce.targets.frameworks.turn_record import TurnRecord


def test_a_failed_tool_has_an_error():
    [call] = said("llama-index", "atlantis").calls
    assert "no such city" in str(call.error)


def test_a_question_to_a_person_is_an_interrupt():
    reply = said("llama-index", "pay")
    assert [(each.reason, each.message) for each in reply.interrupts] == [("input", "Pay 10?")]
    assert [(call.name, call.is_answered) for call in reply.calls] == [("pay", False)]
    assert [late.name for late in said("llama-index", "resume").late_results] == ["pay"]


def test_a_result_alone_tells_its_calls_too():
    output = SimpleNamespace(content="21", is_error=False)
    call = SimpleNamespace(tool_id="c1", tool_name="get_weather", tool_kwargs={"city": "Rome"}, tool_output=output)
    result = SimpleNamespace(
        tool_calls=[call],
        response=SimpleNamespace(content="warm"),
        raw={"usage": {"input_tokens": 3, "output_tokens": 4}},
        structured_response=None,
    )
    seen = TurnRecord()
    read_result(result, seen)
    reply = seen.reply()
    assert (reply.text, reply.usage) == ("warm", Usage(3, 4))
    assert [(call.name, call.args, call.result) for call in reply.calls] == [("get_weather", {"city": "Rome"}, "21")]


@pytest.mark.parametrize(("payload", "words"), [(True, "yes"), (False, "no"), ("Rome", "Rome"), ({"a": 1}, '{"a":1}')])
def test_an_answer_is_words(payload: object, words: str):
    assert _in_words(payload).replace(" ", "") == words
