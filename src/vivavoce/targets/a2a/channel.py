"""The way to one agent: requests go out in its dialect, answers and streams are read into the turn."""

import asyncio
from collections.abc import Mapping

import msgspec

from vivavoce.errors import CallFailed
from vivavoce.metering.clock import now_ms
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.message import ExchangeStatus
from vivavoce.model.value_count import TOO_MANY, has_many_values
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.notation.hidden_calls import unread
from vivavoce.notation.json_text import repeats_a_key
from vivavoce.targets.a2a.failures import (
    Failure,
    cut_off,
    of_content,
    of_http_status,
    of_rpc_error,
    protocol_error,
    unanswered_poll,
)
from vivavoce.targets.a2a.strange_fields import may_be_about_calls
from vivavoce.targets.a2a.task_reading import TaskReading
from vivavoce.targets.a2a.wire import (
    OUTPUT_MODES,
    Interface,
    Request,
    Said,
    message_request,
    task_request,
    version_headers,
)
from vivavoce.targets.http_exchange import ConnectionBroken, HttpAnswer, HttpCaller, NotReached
from vivavoce.targets.stream_deadline import Deadline
from vivavoce.wording.quoting import quote_bytes

SSE = "text/event-stream"
_FIRST_WAIT_S, _LONGEST_WAIT_S, _GROWTH = 0.2, 2.0, 1.5
_MOST_OF_AN_ERROR_PAGE = 2**16
_QUOTED = 300


class Channel:
    """Shared by all conversations with an agent. `others` are interfaces to try when nobody answers at the first,
    or when no card said which dialect it speaks."""

    def __init__(
        self,
        caller: HttpCaller,
        interface: Interface,
        *,
        stream: bool,
        output_modes: tuple[str, ...] = OUTPUT_MODES,
        others: tuple[Interface, ...] = (),
        warnings: tuple[str, ...] = (),
        guess: str = "",
    ) -> None:
        self._caller = caller
        self.interface = interface
        self._stream = stream
        self._output_modes = output_modes
        self._others = list(others)
        self._guess = guess
        self.warnings = warnings
        """Notes about the card; the first reply of every conversation carries them."""

    async def say(
        self, said: Said, headers: Mapping[str, str], reading: TaskReading, deadline: Deadline
    ) -> Failure | None:
        """Sends a message and reads the answer to its end, polling the task while it runs.

        Raises CallFailed when nobody was there to receive it.
        """
        while True:
            interface = self.interface
            request = message_request(interface, said, stream=self._stream, output_modes=self._output_modes)
            try:
                failure = await self.exchange(request, headers, reading, deadline)
            except NotReached as nobody:
                if self._moved_on(interface, because=str(nobody)):
                    continue
                raise CallFailed(str(nobody), fault="target", hint="is the server running?", retryable=True) from None
            if failure is None:
                break
            if not failure.is_wrong_dialect or not self._moved_on(interface):
                return failure.at_a_guess(self._guess)
        if not reading.is_unfinished:
            return None
        failure = await self._poll(headers, reading, deadline)
        return unanswered_poll(failure) if failure is not None and self._stream else failure

    def _moved_on(self, interface: Interface, because: str = "") -> bool:
        """Whether there is another interface to try; other conversations may have found it already."""
        if self.interface is not interface:
            return True
        if not self._others:
            return False
        self.interface = self._others.pop(0)
        if because:
            told = f"the card names {interface.url}, where nobody answers ({because}): {self.interface.url} was used"
            self.warnings = (*self.warnings, told)
        return True

    async def _poll(self, headers: Mapping[str, str], reading: TaskReading, deadline: Deadline) -> Failure | None:
        """Asks for the task until it is over. Some servers answer a message before they work on it."""
        if not reading.task_id:
            return protocol_error(f"the task is {reading.state} and has no id to ask for it by")
        wait_s = _FIRST_WAIT_S
        while reading.is_unfinished:
            await asyncio.sleep(wait_s)
            wait_s = min(wait_s * _GROWTH, _LONGEST_WAIT_S)
            request = task_request(self.interface, reading.task_id)
            try:
                failure = await self.exchange(request, headers, reading, deadline)
            except NotReached as nobody:
                return cut_off(str(nobody))
            if (missed := deadline.turn_missed()) is not None and reading.is_unfinished:
                what = f"{missed}, and the task is still {reading.state or 'unfinished'}"
                return Failure(status=ExchangeStatus.TRUNCATED, error=what)
            if failure is not None:
                return failure
        return None

    # ── one request ──

    async def exchange(
        self, request: Request, headers: Mapping[str, str], reading: TaskReading, deadline: Deadline
    ) -> Failure | None:
        """Sends one request and reads its answer into the turn. Raises NotReached."""
        sent = {
            "Content-Type": "application/json",
            "Accept": f"application/json, {SSE}",
            **version_headers(self.interface),
            **headers,
        }
        if request.body is None:
            del sent["Content-Type"]
        try:
            # Only a stream has to show signs of life.
            async with asyncio.timeout_at(deadline.first() if self._stream else deadline.turn_ends) as scope:
                async with self._caller.request(request.method, request.url, request.body, sent) as answer:
                    return await self._read(answer, request, reading, deadline, scope)
        except TimeoutError:
            return None if reading.is_over else cut_off(deadline.missed())
        except ConnectionBroken as broken:
            return None if reading.is_over else cut_off(str(broken))
        except FrameTooLarge as too_large:
            return protocol_error(f"the server sent {too_large}")

    async def _read(
        self, answer: HttpAnswer, request: Request, reading: TaskReading, deadline: Deadline, scope: asyncio.Timeout
    ) -> Failure | None:
        content_type = answer.headers.get("content-type", "")
        media_type = content_type.partition(";")[0].strip().lower()
        if media_type == SSE and answer.status < 300:
            return await self._read_stream(answer, request, reading, deadline, scope)
        body = bytearray()
        async for chunk in answer.chunks():
            body += chunk
            if answer.status >= 300 and len(body) > _MOST_OF_AN_ERROR_PAGE:
                break
        if media_type == SSE:
            splitter = SseSplitter()
            body = b"".join([*splitter.feed(bytes(body)), splitter.rest()])
        return self._read_whole(answer.status, content_type, bytes(body), request, reading)

    def _read_whole(
        self, status: int, content_type: str, body: bytes, request: Request, reading: TaskReading
    ) -> Failure | None:
        if has_many_values(body):
            return protocol_error(f"the server sent an answer of {TOO_MANY}")
        try:
            value: JsonValue = msgspec.json.decode(body)
        except (ValueError, RecursionError):
            return of_http_status(status, body, request) if status >= 300 else of_content(status, content_type, body)
        if repeats_a_key(body.decode()):
            return protocol_error(f"the answer has an object with a key written twice: {quote_bytes(body, _QUOTED)}")
        error = value.get("error") if is_object(value) else None
        # A gateway before the agent knows nothing of JSON-RPC: its errors have no code.
        if is_object(error) and self._is_rpc and (status < 400 or "code" in error):
            return of_rpc_error(error, request, self.interface)
        if status >= 300 or error:
            return of_http_status(status, body, request)
        return self._take(value, reading, streamed=False)

    async def _read_stream(
        self, answer: HttpAnswer, request: Request, reading: TaskReading, deadline: Deadline, scope: asyncio.Timeout
    ) -> Failure | None:
        splitter = SseSplitter()
        async for chunk in answer.chunks():
            for frame in splitter.feed(chunk):
                if (failure := self._take_frame(frame, request, reading)) is not None:
                    return failure
                deadline.move(scope, over=reading.is_over)
        # Some servers close right after the last line, without the blank one that ends an event.
        if (rest := splitter.rest()) and self._take_frame(rest, request, reading) is not None:
            return cut_off(f"it ended in the middle of an event: {quote_bytes(rest, _QUOTED)}")
        if splitter.stray:
            reading.unread.append(unread(splitter.stray.decode(errors="replace"), "a line that is no event"))
        if not reading.heard_anything:
            return cut_off("it ended without a single event")
        return None

    def _take_frame(self, frame: bytes, request: Request, reading: TaskReading) -> Failure | None:
        try:
            event: JsonValue = msgspec.json.decode(frame)
        except (ValueError, RecursionError):
            return protocol_error(f"the stream sent what is not JSON: {quote_bytes(frame, _QUOTED)}")
        if repeats_a_key(frame.decode()):
            return protocol_error(f"the stream sent an object with a key twice: {quote_bytes(frame, _QUOTED)}")
        error = event.get("error") if is_object(event) else None
        if is_object(error):
            if self._is_rpc:
                return of_rpc_error(error, request, self.interface)
            code = error.get("code")
            return of_http_status(code if isinstance(code, int) else 500, frame, request)
        return self._take(event, reading, streamed=True)

    def _take(self, value: JsonValue, reading: TaskReading, *, streamed: bool) -> Failure | None:
        if self._is_rpc:
            if not is_object(value) or "result" not in value:
                return protocol_error(f"the answer is no JSON-RPC response: {quote_bytes(msgspec.json.encode(value))}")
            beside = {key: inner for key, inner in value.items() if key not in ("jsonrpc", "id", "result", "error")}
            if may_be_about_calls(beside):
                reading.unread.append(unread(beside, "beside the result of the JSON-RPC response", "call"))
            value = value["result"]
        reading.take(value, now_ms(), streamed=streamed)
        return None

    @property
    def _is_rpc(self) -> bool:
        return self.interface.transport == "JSONRPC"
