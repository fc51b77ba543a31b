"""A model provider on loopback: chat completions, responses, messages and generateContent, streamed and not.

The model has one plan: find the order, refund it, say so. Ids are new in every answer, as with real providers.
`python -m tests.fakes.model_provider` runs it alone and prints its address.
"""

import gzip
import json
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CALLS = (("find_order", {"order": "A-17"}), ("refund", {"order": "A-17", "amount": 30}))
DONE = "Refunded order A-17."
HELLO = "Hello! How can I help?"
TOKENS = (100, 20)
Move = tuple[str, dict[str, Any]] | str


def next_move(results: int, said: str, tools: str) -> Move:
    """What the model does after so many tool results since the user spoke."""
    if "refund" not in said.lower() or "find_order" not in tools:
        return HELLO
    return CALLS[results] if results < len(CALLS) else DONE


class ModelProvider:
    """The server. `requests` keeps (path, headers, body) of everything that was asked."""

    def __init__(self, *, zipped: bool = False, break_after: int | None = None) -> None:
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.zipped = zipped
        self.break_after = break_after
        """After so many bytes of an answer the connection is cut."""
        self.answers: dict[str, Any] = {}
        """Fixed answers by the end of a path, for other APIs."""
        provider = self

        class Handler(_Handler):
            owner = provider

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "ModelProvider":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self.requests]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: ModelProvider

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the base class calls it so

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            self._answer(json.loads(raw))
        except json.JSONDecodeError:
            self._answer(raw.decode(errors="replace"))

    def _answer(self, body: Any) -> None:
        path = self.path.partition("?")[0]
        self.owner.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        for end, fixed in self.owner.answers.items():
            if path.endswith(end):
                return self._send(json.dumps(fixed).encode())
        if path.endswith("/chat/completions"):
            return self._said(chat(body), body.get("stream"), chat_events)
        if path.endswith("/responses"):
            return self._said(response(body), body.get("stream"), response_events)
        if path.endswith("/messages"):
            return self._said(message(body), body.get("stream"), message_events)
        if "generateContent" in path.replace("G", "g"):
            return self._said(content(body), "stream" in path, content_events)
        return self._send(b'{"error": {"message": "no such path"}}', status=404)

    def _said(self, answer: dict[str, Any], streamed: Any, events: Any) -> None:
        if streamed:
            self._send_events(events(answer))
        else:
            self._send(json.dumps(answer).encode())

    def _send(self, body: bytes, status: int = 200) -> None:
        if self.owner.zipped:
            body = gzip.compress(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Request-Id", uuid.uuid4().hex)
        if self.owner.zipped:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.owner.break_after is None else body[: self.owner.break_after])
        if self.owner.break_after is not None:
            self.close_connection = True

    def _send_events(self, events: Iterator[tuple[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        sent = 0
        for name, data in events:
            text = data if isinstance(data, str) else json.dumps(data)
            piece = (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()
            if self.owner.break_after is not None and sent + len(piece) > self.owner.break_after:
                break
            self.wfile.write(piece)
            self.wfile.flush()
            sent += len(piece)
        self.close_connection = True


def _halves(text: str) -> tuple[str, str]:
    middle = len(text) // 2
    return text[:middle], text[middle:]


# ── chat completions ──


def chat(body: Any) -> dict[str, Any]:
    since = 0
    said = ""
    for one in body["messages"]:
        if one["role"] == "user":
            since, said = 0, json.dumps(one["content"])
        since += one["role"] == "tool"
    move = next_move(since, said, json.dumps(body.get("tools") or body["messages"]))
    spoken: dict[str, Any] = {"role": "assistant", "content": move if isinstance(move, str) else None}
    if not isinstance(move, str):
        function = {"name": move[0], "arguments": json.dumps(move[1])}
        spoken["tool_calls"] = [{"id": f"call_{uuid.uuid4().hex[:12]}", "type": "function", "function": function}]
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex[:10]}",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": body.get("model"),
        "choices": [
            {"index": 0, "message": spoken, "finish_reason": "stop" if isinstance(move, str) else "tool_calls"}
        ],
        "usage": {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)},
    }


def chat_events(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    choice, head = answer["choices"][0], {**answer, "object": "chat.completion.chunk"}
    usage = head.pop("usage")

    def piece(delta: dict[str, Any], reason: str | None = None) -> tuple[str, Any]:
        return "", {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    said = choice["message"]
    if said["content"]:
        for half in _halves(said["content"]):
            yield piece({"role": "assistant", "content": half})
    for at, call in enumerate(said.get("tool_calls", ())):
        first, second = _halves(call["function"]["arguments"])
        begun = {"index": at, **call, "function": {**call["function"], "arguments": first}}
        yield piece({"role": "assistant", "content": None, "tool_calls": [begun]})
        yield piece({"tool_calls": [{"index": at, "function": {"arguments": second}}]})
    yield piece({}, choice["finish_reason"])
    yield "", {**head, "choices": [], "usage": usage}
    yield "", "[DONE]"


# ── responses ──


def response(body: Any) -> dict[str, Any]:
    items = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
    since, said = 0, ""
    for item in items:
        if item.get("role") == "user":
            since, said = 0, json.dumps(item["content"])
        since += item.get("type") == "function_call_output"
    move = next_move(since, said, json.dumps(body.get("tools") or []))
    if isinstance(move, str):
        text = {"type": "output_text", "text": move, "annotations": []}
        output: dict[str, Any] = {"type": "message", "role": "assistant", "status": "completed", "content": [text]}
    else:
        named = {"name": move[0], "arguments": json.dumps(move[1]), "call_id": f"call_{uuid.uuid4().hex[:12]}"}
        output = {"type": "function_call", "status": "completed", **named}
    usage = {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": f"resp_{uuid.uuid4().hex[:12]}",
        "object": "response",
        "created_at": 1_790_000_000,
        "status": "completed",
        "model": body.get("model"),
        "output": [{"id": f"item_{uuid.uuid4().hex[:8]}", **output}],
        "usage": {**usage, **details},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def response_events(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    number = 0

    def event(kind: str, **fields: Any) -> tuple[str, Any]:
        nonlocal number
        number += 1
        return kind, {"type": kind, "sequence_number": number, **fields}

    item = answer["output"][0]
    yield event("response.created", response={**answer, "output": [], "status": "in_progress", "usage": None})
    begun = {**item, "content": []} if item["type"] == "message" else {**item, "arguments": ""}
    yield event("response.output_item.added", output_index=0, item={**begun, "status": "in_progress"})
    if item["type"] == "function_call":
        place = {"item_id": item["id"], "output_index": 0}
        for half in _halves(item["arguments"]):
            yield event("response.function_call_arguments.delta", **place, delta=half)
        done = {"arguments": item["arguments"], "name": item["name"]}
        yield event("response.function_call_arguments.done", **place, **done)
    else:
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        part = item["content"][0]
        yield event("response.content_part.added", **place, part={**part, "text": ""})
        for half in _halves(part["text"]):
            yield event("response.output_text.delta", **place, delta=half, logprobs=[])
        yield event("response.output_text.done", **place, text=part["text"], logprobs=[])
        yield event("response.content_part.done", **place, part=part)
    yield event("response.output_item.done", output_index=0, item=item)
    yield event("response.completed", response=answer)


# ── messages ──


def message(body: Any) -> dict[str, Any]:
    since, said = 0, ""
    for one in body["messages"]:
        blocks = one["content"] if isinstance(one["content"], list) else [{"type": "text", "text": one["content"]}]
        results = sum(block.get("type") == "tool_result" for block in blocks)
        if one["role"] == "user" and not results:
            since, said = 0, json.dumps(one["content"])
        since += results
    move = next_move(since, said, json.dumps(body.get("tools") or []))
    if isinstance(move, str):
        block: dict[str, Any] = {"type": "text", "text": move}
    else:
        block = {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:12]}", "name": move[0], "input": move[1]}
    return {
        "id": f"msg_{uuid.uuid4().hex[:12]}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [block],
        "stop_reason": "end_turn" if isinstance(move, str) else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1]},
    }


def message_events(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    block = answer["content"][0]
    head = {**answer, "content": [], "stop_reason": None}
    yield "message_start", {"type": "message_start", "message": head}
    is_text = block["type"] == "text"
    begun = {"type": "text", "text": ""} if is_text else {**block, "input": {}}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": begun}
    for half in _halves(block["text"] if is_text else json.dumps(block["input"])):
        delta = {"type": "text_delta", "text": half} if is_text else {"type": "input_json_delta", "partial_json": half}
        yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    last = {"stop_reason": answer["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": last, "usage": {"output_tokens": TOKENS[1]}}
    yield "message_stop", {"type": "message_stop"}


# ── generateContent ──


def content(body: Any) -> dict[str, Any]:
    since, said = 0, ""
    for one in body["contents"]:
        results = sum("functionResponse" in part for part in one["parts"])
        if one.get("role", "user") == "user" and not results:
            since, said = 0, json.dumps(one["parts"])
        since += results
    move = next_move(since, said, json.dumps(body.get("tools") or []))
    part: dict[str, Any] = {"text": move} if isinstance(move, str) else {}
    if not isinstance(move, str):
        part = {"functionCall": {"name": move[0], "args": move[1]}}
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": TOKENS[0], "candidatesTokenCount": TOKENS[1]},
        "responseId": uuid.uuid4().hex[:10],
    }


def content_events(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    candidate = answer["candidates"][0]
    part = candidate["content"]["parts"][0]
    pieces = [{"text": half} for half in _halves(part["text"])] if "text" in part else [part]
    for at, piece in enumerate(pieces):
        one = {"index": 0, "content": {"role": "model", "parts": [piece]}}
        if at == len(pieces) - 1:
            yield "", {**answer, "candidates": [{**one, "finishReason": "STOP"}]}
        else:
            yield "", {"candidates": [one]}


if __name__ == "__main__":
    with ModelProvider() as running:
        print(running.url, flush=True)
        threading.Event().wait()
