"""One conversation at the proxy: which requests are model calls, and to which turn they belong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.planting import NAME, outcome_of

from vivavoce.metering.prices import PriceList
from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.notation.fault_notation import read_fault
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Provisions
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import Provider, providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.fingerprint import fingerprint
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry
from vivavoce.sight.tapes.tape_reading import Tape

PLAIN = AgentReply(text="ok", shows_calls=False)
PROVIDERS = providers_of({"groq": "http://127.0.0.1:9/x"}, "shop")
OPENAI, GROQ = PROVIDERS["openai"], PROVIDERS["up/groq"]
CALLS = {"choices": [{"message": {"tool_calls": [{"id": "c1", "function": {"name": NAME, "arguments": "{}"}}]}}]}
HELLO = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
ASKED = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def tap_of(
    server: ProxyServer, tape: AttemptTape | None = None, between: CaseInterventions | None = None
) -> ConversationTap:
    return ConversationTap(
        "shop",
        providers=PROVIDERS,
        server=server,
        provisions=Provisions(interventions=between),
        lines=["hi"],
        prices=PriceList([]),
        censor=Censor(Secrets()),
        attempt_tape=tape,
        sees=True,
        takes_faults=True,
    )


@pytest.fixture
def server() -> Iterator[ProxyServer]:
    made = ProxyServer(0, PROVIDERS)
    yield made
    made.close()


@pytest.fixture
def tap(server: ProxyServer) -> ConversationTap:
    return tap_of(server)


async def pass_by(
    tap: ConversationTap,
    answer: Any,
    *,
    path: str = "/v1/chat/completions",
    provider: Provider = OPENAI,
    method: str = "POST",
    asked: Any = ASKED,
) -> None:
    call = Call(provider=provider, method=method, path=path, body=json.dumps(asked).encode())
    assert tap.begin(call) is None
    body = [(0.0, json.dumps(answer).encode())]
    await tap.end(call, Answer(status=200, headers={}, chunks=body, is_whole=True), "")


async def turn(tap: ConversationTap, number: int = 1) -> AgentReply:
    return await tap.end_turn(number, PLAIN, 0.0, 1.0)


async def test_a_model_call_is_seen_in_its_turn(tap: ConversationTap):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, CALLS)
    assert [call.name for call in (await turn(tap)).calls] == [NAME]
    assert (await tap.close()).problem is None


@pytest.mark.parametrize("path", ["/openai/v1/chat/completions", "/v1/messages"])
async def test_a_provider_of_another_name_that_speaks_a_known_api_is_read(tap: ConversationTap, path: str):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    await pass_by(tap, CALLS, provider=GROQ, path=path)
    assert await outcome_of(await turn(tap)) is not Outcome.PASSED


async def test_any_other_api_is_no_model(tap: ConversationTap):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    await pass_by(tap, {"temperature": 3}, provider=GROQ, path="/weather/messages", asked={"city": "Rome"})
    assert await outcome_of(await turn(tap)) is Outcome.PASSED


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", "/v1/responses/resp_1"), ("PUT", "/v1/chat/completions"), ("POST", "/v1/threads/runs")),
        *(("POST", "/v1/files-agent/run"), ("GET", "/v1/realtime")),
    ],
)
async def test_what_a_provider_answers_elsewhere_is_in_doubt(tap: ConversationTap, method: str, path: str):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    await pass_by(tap, {"status": "completed"}, method=method, path=path)
    assert await outcome_of(await turn(tap)) is Outcome.BROKEN


@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/models"), ("POST", "/v1/files"), ("DELETE", "/v1/x/1")])
async def test_what_never_holds_a_call_is_not(tap: ConversationTap, method: str, path: str):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    await pass_by(tap, {"data": []}, method=method, path=path)
    assert await outcome_of(await turn(tap)) is Outcome.PASSED


async def test_a_call_in_the_words_of_an_old_completion_is_in_doubt(tap: ConversationTap):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    await pass_by(tap, {"choices": [{"text": f"<tool_call>{NAME}"}]}, path="/v1/completions")
    assert await outcome_of(await turn(tap)) is Outcome.BROKEN


async def test_calls_after_a_turn_was_judged_belong_to_the_next(tap: ConversationTap):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    assert (await turn(tap)).calls == ()
    await pass_by(tap, CALLS)
    tap.begin_turn(2, Provisions())
    assert [call.name for call in (await turn(tap, 2)).calls] == [NAME]
    assert (await tap.close()).problem is None


async def test_calls_after_the_last_answer_are_an_error(tap: ConversationTap):
    tap.begin_turn(1, Provisions())
    await pass_by(tap, HELLO)
    await turn(tap)
    await pass_by(tap, CALLS)
    end = await tap.close()
    assert (end.fault, NAME in str(end.problem)) == ("agent", True)


async def test_a_call_that_was_under_way_when_its_turn_ended_is_not_lost(
    tap: ConversationTap, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("vivavoce.sight.proxy.conversation_tap._PATIENCE_S", 0.0)
    tap.begin_turn(1, Provisions())
    call = Call(provider=OPENAI, method="POST", path="/v1/chat/completions", body=json.dumps(ASKED).encode())
    tap.begin(call)
    assert await outcome_of(await turn(tap)) is Outcome.BROKEN
    await tap.end(call, Answer(status=200, chunks=[(0.0, json.dumps(CALLS).encode())], is_whole=True), "")
    assert NAME in str((await tap.close()).problem)


async def no_script(ref: str, _: object) -> None:
    raise AssertionError(ref)


async def test_a_fault_that_meets_a_provider_which_fails_by_itself_tested_nothing(server: ProxyServer):
    between = CaseInterventions((read_fault("model:malformed"),), (), no_script)
    tap = tap_of(server, between=between)
    call = Call(provider=OPENAI, method="POST", path="/v1/chat/completions", body=json.dumps(ASKED).encode())
    tap.begin(call)
    refused = Answer(status=401, chunks=[(0.0, b"{}")], is_whole=True)
    await tap.end(call, refused, "", refused)
    assert "had nothing to spoil: the provider answered HTTP 401" in str((await between.close()).problem)


async def test_a_damaged_answer_on_tape_is_an_error(server: ProxyServer, tmp_path: Path):
    call = Call(provider=OPENAI, method="POST", path="/v1/chat/completions", body=json.dumps(ASKED).encode())
    wanted, _ = fingerprint("openai", "POST", call.path, "", call.body, Normaliser())
    entry = Entry(case="a", key=wanted.key, loose=wanted.loose, binary=True, chunks=[(0.0, "no base64!")])
    tape = Tape(path=tmp_path / "t", parts={}, attempts={("a", 1): [entry]})
    tap = tap_of(server, AttemptTape("a", 1, normaliser=Normaliser(), tape=tape))
    tap.begin_turn(1, Provisions())
    answer = tap.begin(call)
    assert answer is not None
    assert answer.status == 404
    assert "the tape is damaged" in str((await tap.close()).problem)
