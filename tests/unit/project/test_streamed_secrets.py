"""A secret in the pieces of a stream, in every way that streams are written."""

import json
from collections.abc import Callable, Iterator
from itertools import chain, pairwise, zip_longest
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.project.redaction import Secrets


def secrets(max_codepoint: int) -> st.SearchStrategy[str]:
    letters = st.characters(min_codepoint=33, max_codepoint=max_codepoint, exclude_characters="*")
    drawn = st.text(letters, min_size=8, max_size=30).filter(lambda text: not text.isalpha())
    # A quote at its edge may be the one that begins a string of the JSON around it: then the JSON is struck, too.
    return drawn.map(lambda text: "k" + text[1:-1] + "k")


SECRETS = secrets(0x17F)
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="*"), max_size=12)


def chat(piece: str, message: int) -> dict[str, Any]:
    return {"id": "c", "choices": [{"index": message, "delta": {"role": "assistant", "content": piece}}]}


def tool_call(piece: str, message: int) -> dict[str, Any]:
    return {"choices": [{"delta": {"tool_calls": [{"index": message, "function": {"arguments": piece}}]}}]}


def anthropic(piece: str, message: int) -> dict[str, Any]:
    delta = {"type": "input_json_delta", "partial_json": piece}
    return {"type": "content_block_delta", "index": message, "delta": delta}


def responses(piece: str, message: int) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "item_id": f"m{message}", "output_index": message, "delta": piece}


def gemini(piece: str, message: int) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": [{"text": piece}], "role": "model"}, "index": message}]}


def ag_ui(piece: str, message: int) -> dict[str, Any]:
    return {"type": "TOOL_CALL_ARGS", "toolCallId": f"t{message}", "delta": piece}


WIRES = [chat, tool_call, anthropic, responses, gemini, ag_ui]


def compact(event: object) -> bytes:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")


FRAMES: dict[str, Callable[[object], bytes]] = {
    "events": lambda event: b"data: " + compact(event) + b"\n\n",
    "events with names": lambda event: b"event: x\r\ndata:" + compact(event) + b"\r\n\r\n",
    "escaped": lambda event: f"data: {json.dumps(event)}\n\n".encode(),
    "lines": lambda event: compact(event) + b"\n",
    "a list over several lines": lambda event: b",\n" + json.dumps([event], indent=2).encode()[1:-1] + b"\n",
}


def cut(text: str, places: list[int]) -> list[str]:
    borders = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(borders)]


def taken_in_turns(pieces: list[str], others: list[str]) -> Iterator[tuple[str, int]]:
    pairs = zip_longest(((piece, 0) for piece in pieces), ((other, 1) for other in others))
    return (one for one in chain.from_iterable(pairs) if one is not None)


def masked(secret: str, body: bytes) -> bytes:
    secrets = Secrets()
    secrets.add(secret)
    struck = secrets.overwritten(body)
    assert len(struck) == len(body), "the borders of chunks would move"
    return struck


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("frame", FRAMES)
@settings(max_examples=15, deadline=None)
@given(
    secret=SECRETS,
    before=WORDS,
    after=WORDS,
    places=st.lists(st.integers(0, 60), max_size=8),
    others=st.lists(WORDS, max_size=3),
)
def test_no_piece_of_a_stream_keeps_its_part_of_a_secret(
    wire: Callable[[str, int], dict[str, Any]],
    frame: str,
    secret: str,
    before: str,
    after: str,
    places: list[int],
    others: list[str],
):
    pieces = cut(f"{before}{secret}{after}", places)
    # Two messages at the same time are told apart line by line.
    others = [] if frame == "a list over several lines" else others
    order = list(taken_in_turns(pieces, others))
    body = b"".join(FRAMES[frame](wire(piece, message)) for piece, message in order)
    struck = masked(secret, body)
    lines = [line.removeprefix(b"data:") for line in struck.splitlines() if not line.startswith(b"event:")]
    if frame == "a list over several lines":
        events = json.loads(b"[" + struck.removeprefix(b",") + b"]")
    else:
        events = [json.loads(line) for line in lines if line]
    said = [next(_said(event, wire("", message))) for event, (_, message) in zip(events, order, strict=True)]
    assert secret not in "".join(said)
    assert secret not in "".join(text for text, (_, message) in zip(said, order, strict=True) if message == 0)


def _said(event: Any, empty: Any) -> Iterator[str]:
    """The text of an event that stands where an empty one has none."""
    if empty == "":
        yield event
    elif isinstance(empty, dict | list):
        for key in empty if isinstance(empty, dict) else range(len(empty)):
            yield from _said(event[key], empty[key])


@settings(max_examples=at_most(60), deadline=None)
@given(secrets(126), st.lists(st.integers(0, 60), max_size=8), st.sampled_from(["data: ", "data:"]))
def test_streams_of_plain_words(secret: str, places: list[int], field: str):
    # What begins like JSON is read as JSON.
    pieces = [piece for piece in cut(secret, places) if piece and piece[0] not in '{["']
    struck = masked(secret, "".join(f"{field}{piece}\n\n" for piece in pieces).encode())
    assert secret not in struck.decode().replace(field, "").replace("\n", "")


def test_plain_words_have_no_escapes():
    assert masked("000000\\\\", b"data: 0\n\ndata: 00000\\\\\n\n") == b"data: *\n\ndata: *******\n\n"


def test_what_stands_around_a_secret_stays():
    body = b'data: {"delta":"my key is hunter-"}\n\ndata: {"delta":"two-sec\\u0072et, bye","n":1}\n\n'
    assert masked("hunter-two-secret", body) == (
        b'data: {"delta":"my key is *******"}\n\ndata: {"delta":"***************, bye","n":1}\n\n'
    )


@pytest.mark.parametrize(
    "filler", ['"', '\\"', '"a":', "\n", '{"a":"b"', "data: x\n", '"\\', "\\u0068unter-two-secret"]
)
def test_hostile_bytes_take_linear_time(filler: str):
    from time import thread_time

    def seconds(times: int) -> float:
        started = thread_time()
        masked("hunter-two-secret", f"data: {filler * times}".encode())
        return thread_time() - started

    assert seconds(200_000) < 20 * max(seconds(40_000), 0.05)
