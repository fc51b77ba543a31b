"""Whole exchanges with a secret anywhere in them: nothing of it is in the tape's file."""

import asyncio
import itertools
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import iter_texts
from vivavoce.project.redaction import Secrets
from vivavoce.project.secret_spellings import in_json
from vivavoce.protocols import Provisions
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import Provider, providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import McpAnswer, McpRequest
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_reading import read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter

SECRETS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_characters="*"), min_size=8, max_size=30
).filter(lambda text: not re.fullmatch(r"""[a-z"'_:;,./{}\[\]-]+""", text))
"""Not those that a tape could write itself: `request-` is part of a header's name."""
WORDS = st.text(max_size=12)
FEW = settings(max_examples=at_most(40), deadline=None)


def recorder(path: Path) -> AttemptTape:
    writer = TapeWriter(path)
    writer.begin("case", 1)
    return AttemptTape("case", 1, normaliser=Normaliser(), writer=writer)


def kept(path: Path) -> str:
    return path.read_bytes().decode()


def holds(text: str, secret: str) -> bool:
    return secret in text or in_json(secret) in text or json.dumps(secret)[1:-1] in text


def request_with(secret: str, where: str, word: str) -> dict[str, Any]:
    said = f"{word}{secret}{word}"
    arguments = json.dumps({"key": said})
    call = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": arguments}}
    messages: dict[str, list[dict[str, Any]]] = {
        "system": [{"role": "system", "content": said}, {"role": "user", "content": "hi"}],
        "user": [{"role": "user", "content": [{"type": "text", "text": said}]}],
        "arguments": [{"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [call]}],
        "result": [{"role": "tool", "tool_call_id": "c1", "content": json.dumps({"found": said})}],
        "elsewhere": [{"role": "user", "content": "hi"}],
    }
    body: dict[str, Any] = {"model": "m", "messages": messages[where]}
    return {**body, "metadata": {"k": said}, "x_other": {said: said}} if where == "elsewhere" else body


WIRES: dict[str, tuple[str, str]] = {
    "chat": ("openai", "/v1/chat/completions"),
    "responses": ("openai", "/v1/responses"),
    "anthropic": ("anthropic", "/v1/messages"),
    "gemini": ("gemini", "/v1beta/models/m:streamGenerateContent"),
    "other": ("openai", "/v1/things"),
}


def asked(wire: str, said: str) -> dict[str, Any]:
    """A request with a text in every place that a model API has for one."""
    call, result = {"key": said, said: [said]}, json.dumps({"found": said})
    bodies: dict[str, dict[str, Any]] = {
        "responses": {
            "instructions": said,
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": said}]},
                {"type": "function_call", "call_id": "c1", "name": "pay", "arguments": json.dumps(call)},
                {"type": "function_call_output", "call_id": "c1", "output": result},
            ],
        },
        "anthropic": {
            "system": [{"type": "text", "text": said}],
            "messages": [
                {"role": "user", "content": said},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "pay", "input": call}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": result}]},
            ],
        },
        "gemini": {
            "systemInstruction": {"parts": [{"text": said}]},
            "contents": [
                {"role": "user", "parts": [{"text": said}]},
                {"role": "model", "parts": [{"functionCall": {"name": "pay", "args": call}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "pay", "response": {"found": said}}}]},
            ],
        },
    }
    tools = [{"name": "pay", "description": said, "parameters": {"properties": {said: {"enum": [said]}}}}]
    other = {"messages": [{"role": "user", "content": said}]}
    return {"model": "m", "tools": tools, "metadata": call, **bodies.get(wire, other)}


def streamed(wire: str, pieces: list[str]) -> list[dict[str, Any]]:
    """The events of an answer that says these pieces, as text and as a tool's arguments."""
    if wire == "responses":
        ends = {"type": "response.completed", "response": {"status": "completed", "output": []}}
        kinds = ("response.output_text.delta", "response.function_call_arguments.delta")
        return [*({"type": kind, "item_id": kind, "delta": piece} for kind in kinds for piece in pieces), ends]
    if wire == "anthropic":
        texts = [{"type": "text_delta", "text": piece} for piece in pieces]
        inputs = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        deltas = ((0, texts), (1, inputs))
        return [{"type": "content_block_delta", "index": at, "delta": one} for at, found in deltas for one in found]
    if wire == "gemini":
        return [{"candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}}]} for piece in pieces]
    deltas = [{"content": piece} for piece in pieces]
    deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces]
    return [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]


async def streamed_past(path: Path, wire: str, secret: str, words: str, pieces: list[str], is_whole: bool) -> None:
    """Has one call with a streamed answer recorded."""
    providers = providers_of({}, "shop")
    server = ProxyServer(0, providers)
    try:
        tap = tap_of(path, providers, server)
        provider, address = WIRES[wire]
        call = Call(
            provider=providers[provider],
            method="POST",
            path=address,
            query=f"key={secret}",
            headers={"x-api-key": secret},
            body=json.dumps({**asked(wire, f"{words}{secret}"), "stream": True}).encode(),
        )
        assert tap.begin(call) is None
        chunks = [
            (1.0, b"data: " + json.dumps(event, ensure_ascii=len(words) % 2 == 0).encode() + b"\n\n")
            for event in streamed(wire, pieces)
        ]
        headers = {"content-type": "text/event-stream", "request-id": secret}
        await tap.end(call, Answer(status=200, headers=headers, chunks=chunks, is_whole=is_whole), "")
        assert not (await tap.close()).problem
    finally:
        server.close()


def tap_of(path: Path, providers: dict[str, Provider], server: ProxyServer) -> ConversationTap:
    return ConversationTap(
        "shop",
        providers=providers,
        server=server,
        provisions=Provisions(session_id="s"),
        lines=["hi"],
        prices=PriceList({}),
        censor=Censor(Secrets()),
        attempt_tape=recorder(path),
        sees=False,
        takes_faults=False,
    )


@pytest.mark.parametrize("wire", WIRES)
@FEW
@given(SECRETS.map("k~{}".format), WORDS, st.lists(st.integers(0, 40), max_size=6), st.booleans())
def test_a_secret_in_the_pieces_of_any_model_stream(
    wire: str, secret: str, words: str, places: list[int], is_whole: bool
):
    said = f"|{words}{secret}|"
    borders = [0, *sorted(place % (len(said) + 1) for place in places), len(said)]
    pieces = [said[start:end] for start, end in itertools.pairwise(borders)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tape.jsonl"
        asyncio.run(streamed_past(path, wire, secret, words, pieces, is_whole))
        assert not holds(kept(path), secret)
        [entry] = read_tape(path).entries()
        assert entry.struck
        events = [json.loads(piece.removeprefix("data: ")) for _, piece in entry.chunks]
        whole = "".join(filter(None, (text for event in events for text in iter_texts(event) if text not in NAMES)))
        assert secret not in whole


NAMES = {"model", "text_delta", "input_json_delta", "content_block_delta"} | {
    "response.output_text.delta",
    "response.function_call_arguments.delta",
}
"""Texts of events that stand between the pieces and are none."""


async def exchanged(path: Path, secret: str, where: str, word: str, cut: int, *, in_header: bool) -> None:
    providers = providers_of({}, "shop")
    server = ProxyServer(0, providers)
    try:
        tap = tap_of(path, providers, server)
        headers = {"authorization": f"Bearer {secret}"} if in_header else {}
        body = json.dumps(request_with(secret, where, word)).encode()
        call = Call(
            provider=providers["openai"],
            method="POST",
            path="/v1/chat/completions",
            query=f"key={secret}",
            headers=headers,
            body=body,
        )
        assert tap.begin(call) is None
        message = {"role": "assistant", "content": f"{word}{secret}"}
        answer = json.dumps({"choices": [{"index": 0, "message": message}], "usage": {}}).encode()
        pieces = [(0.0, answer[:cut]), (1.0, answer[cut:])]
        told = {"content-type": "application/json", "x-request-id": secret, "set-cookie": secret}
        await tap.end(call, Answer(status=200, headers=told, chunks=pieces, is_whole=True), "")
    finally:
        server.close()


@FEW
@given(
    SECRETS,
    st.sampled_from(["system", "user", "arguments", "result", "elsewhere"]),
    WORDS,
    st.integers(0, 120),
    st.booleans(),
)
def test_a_secret_of_a_header_or_of_the_environment(secret: str, where: str, word: str, cut: int, in_header: bool):
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {} if in_header else {"SHOP_API_KEY": secret}):
        path = Path(folder) / "a.tape.jsonl"
        asyncio.run(exchanged(path, secret, where, word, cut, in_header=in_header))
        assert '"type":"exchange"' in kept(path)
        assert not holds(kept(path), secret)


@FEW
@given(SECRETS, WORDS)
def test_a_secret_in_the_call_of_an_mcp_server(secret: str, word: str):
    said = f"{word}{secret}"
    params = {"name": "pay", "arguments": {"key": said, said: [said]}}
    request = McpRequest(server="shop", method="tools/call", params=params, secrets=[secret])
    answer = McpAnswer(result={"content": [{"type": "text", "text": said}], "structuredContent": {said: said}})

    async def ask() -> McpAnswer:
        return answer

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tape.jsonl"
        assert asyncio.run(McpResponder(Censor(Secrets()), recorder(path)).answer(request, ask)) == answer
        assert '"type":"exchange"' in kept(path)
        assert not holds(kept(path), secret)
