"""MCP requests on tape: which are the same, what is kept, and what is played."""

from pathlib import Path

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonValue
from vivavoce.project.redaction import Secrets
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import (
    CALL,
    INITIALIZE,
    LIST_TOOLS,
    REFUSED,
    McpAnswer,
    McpRequest,
    mcp_entry,
    mcp_fingerprint,
    taped,
    taped_answer,
)
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry
from vivavoce.sight.tapes.tape_reading import read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter

PLAIN = Censor(Secrets())


def call(**arguments: JsonValue) -> McpRequest:
    return McpRequest(server="shop", method=CALL, params={"name": "refund", "arguments": arguments})


def key(request: McpRequest) -> str:
    return mcp_fingerprint(request, Normaliser(), PLAIN).key


class Server:
    def __init__(self) -> None:
        self.asked = 0

    async def __call__(self) -> McpAnswer:
        self.asked += 1
        return McpAnswer(result={"number": self.asked})


def tapes(folder: Path) -> tuple[AttemptTape, TapeWriter]:
    writer = TapeWriter(folder / "a.tape.jsonl")
    writer.begin("case", 1)
    return AttemptTape("case", 1, normaliser=Normaliser(), writer=writer), writer


@pytest.mark.parametrize(
    ("method", "is_listing"),
    [(INITIALIZE, True), (LIST_TOOLS, True), ("resources/list", True), (CALL, False), ("resources/read", False)],
)
def test_a_listing_may_be_answered_again_and_a_call_not(method: str, is_listing: bool):
    assert McpRequest(server="shop", method=method).is_listing is is_listing


def test_equal_arguments_are_the_same_request_in_any_order_and_others_are_not():
    assert key(call(a=1, b=2)) == key(call(b=2, a=1))
    assert key(call(a=1)) != key(call(a=2))
    assert key(call()) != key(McpRequest(server="other", method=CALL, params=call().params))


def test_a_secret_is_struck_out_of_what_is_kept_and_the_entry_says_so():
    secrets = Secrets()
    secrets.add("sk-very-secret-1")
    answer = McpAnswer(result={"key": "sk-very-secret-1"})
    entry = mcp_entry(call(), answer, 1.26, Censor(secrets))
    assert entry.struck
    assert "sk-very" not in str(entry.chunks)
    assert not mcp_entry(call(), McpAnswer(result={}), 1.26, Censor(secrets)).struck


async def test_an_answer_is_kept_and_played_without_the_server(tmp_path: Path):
    recording, writer = tapes(tmp_path)
    server = Server()
    assert await taped(call(order=7), recording, PLAIN, server) == McpAnswer(result={"number": 1})
    playing = AttemptTape("case", 1, normaliser=Normaliser(), tape=read_tape(writer.path))
    assert await taped(call(order=7), playing, PLAIN, server) == McpAnswer(result={"number": 1})
    refusal = await taped(call(order=8), playing, PLAIN, server)
    assert server.asked == 1
    assert refusal.error is not None
    assert (refusal.error["code"], "no recording fits" in refusal.error["message"]) == (REFUSED, True)


@pytest.mark.parametrize("text", ["{}", '{"result": null}', "{", "[]"])
def test_a_damaged_answer_is_an_error(text: str):
    with pytest.raises(CallFailed) as caught:
        taped_answer(Entry(case="", kind="mcp", chunks=[(0.0, text)]))
    assert caught.value.fault == "test"
