"""Whole exchanges with a secret anywhere in them: nothing of it is in the tape's file."""

import asyncio
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.metering.prices import PriceList
from vivavoce.project.redaction import Secrets
from vivavoce.project.secret_spellings import in_json
from vivavoce.protocols import Provisions
from vivavoce.sight.mcp_calls.mcp_exchange import McpAnswer, McpRequest
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.proxy.call import Answer, Call
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_writing import TapeWriter

SECRETS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x17F, exclude_characters="*"), min_size=8, max_size=30
).filter(lambda text: not re.fullmatch(r"""[a-z"'_:;,./{}\[\]-]+""", text))
"""Not those that a tape could write itself: `request-` is part of a header's name."""
WORDS = st.text(max_size=12)
FEW = settings(max_examples=40, deadline=None)


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


async def exchanged(path: Path, secret: str, where: str, word: str, cut: int, *, in_header: bool) -> None:
    providers = providers_of({}, "shop")
    server = ProxyServer(0, providers)
    try:
        tap = ConversationTap(
            "shop",
            providers=providers,
            server=server,
            provisions=Provisions(session_id="s"),
            lines=["hi"],
            prices=PriceList({}),
            censor=Censor(Secrets()),
            attempt_tape=recorder(path),
            sees=True,
            takes_faults=False,
        )
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
