"""What a fault answers in place of a provider is read by the readers of that provider's API."""

import json
from typing import Any

import pytest

from vivavoce.notation.fault_notation import read_fault
from vivavoce.sight.dialects.anthropic import ANTHROPIC
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.dialects.gemini import GEMINI
from vivavoce.sight.dialects.responses import RESPONSES
from vivavoce.sight.faults.bodies.shape import Spoken
from vivavoce.sight.faults.failing import REFUSAL
from vivavoce.sight.faults.made_answers import BODIES, made_answer, spoken_answer
from vivavoce.sight.model_answer import Answer, read_answer

APIS = (CHAT, RESPONSES, ANTHROPIC, GEMINI)


def made(fault: Any, api: str, *, stream: bool = False) -> Answer:
    answer = made_answer(read_fault(fault), api, "m-1", stream=stream)
    assert answer is not None
    return answer


def test_every_api_that_viva_reads_has_its_bodies():
    assert set(BODIES) == {api.name for api in APIS}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
async def test_a_refusal_and_silence_are_read_as_such(api: Dialect, stream: bool):
    refusal = await read_answer(api, made("model:refusal", api.name, stream=stream))
    assert refusal.text == ("" if api is GEMINI else REFUSAL)
    assert refusal.unread == ()
    if api in (ANTHROPIC, GEMINI):
        assert refusal.finish_reason == "content_filter"
    empty = await read_answer(api, made("model:empty", api.name, stream=stream))
    assert (empty.text, empty.calls, empty.finish_reason, empty.unread) == ("", (), "stop", ())


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)
async def test_an_answer_that_is_too_long_says_so(api: Dialect, stream: bool):
    said = await read_answer(
        api, spoken_answer(Spoken(text="Half a", finish="length", model="m-1"), api.name, stream=stream)
    )
    assert (said.text, said.finish_reason, said.unread) == ("Half a", "length", ())


@pytest.mark.parametrize(
    ("api", "kind", "status", "found"),
    [
        ("chat", "429", 429, "rate_limit_exceeded"),
        ("responses", "500", 500, "server_error"),
        ("anthropic", "429", 429, "rate_limit_error"),
        ("anthropic", "529", 529, "overloaded_error"),
        ("gemini", "429", 429, "RESOURCE_EXHAUSTED"),
        ("gemini", "503", 503, "UNAVAILABLE"),
        ("chat", "context_length", 400, "context_length_exceeded"),
        ("responses", "context_length", 400, "context_length_exceeded"),
        ("anthropic", "context_length", 400, "prompt is too long"),
        ("gemini", "context_length", 400, "INVALID_ARGUMENT"),
    ],
)
def test_an_error_has_the_providers_own_body(api: str, kind: str, status: int, found: str):
    answer = made(f"model:{kind}", api, stream=True)
    assert answer.status == status
    assert answer.headers == {"content-type": "application/json"}
    assert found in json.dumps(json.loads(answer.body))


@pytest.mark.parametrize("api", BODIES)
@pytest.mark.parametrize("kind", ["429", "500", "502", "503", "529", "context_length"])
def test_the_case_says_what_the_error_says(api: str, kind: str):
    answer = made({"at": "model", "kind": kind, "message": "not today"}, api)
    assert json.loads(answer.body)["error"]["message"] == "not today"


def test_a_client_is_asked_to_wait():
    fault = {"at": "model", "kind": "429", "retry_after": "1500ms"}
    answer = made(fault, "gemini")
    assert (answer.headers["retry-after"], answer.headers["retry-after-ms"]) == ("2", "1500")
    assert json.loads(answer.body)["error"]["details"][0]["retryDelay"] == "1.5s"


@pytest.mark.parametrize("kind", ["slow", "stall", "cut", "malformed", "length"])
def test_other_faults_need_the_real_answer(kind: str):
    assert made_answer(read_fault(f"model:{kind}"), "chat", "m-1", stream=False) is None
