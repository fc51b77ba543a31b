"""Any agent behind an HTTP endpoint of its own: one request for each line, the reply where a path finds it."""

import re
from collections.abc import AsyncIterator, Mapping
from http.cookies import SimpleCookie

import msgspec
from msgspec import structs

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model.value_count import TOO_MANY, has_many_values
from vivavoce.net import web_answers
from vivavoce.net.http_connection import HttpResponse
from vivavoce.net.web_answers import NETWORK_ERRORS, bad_reply, error_text, network_failure
from vivavoce.notation.json_text import repeats_a_key
from vivavoce.notation.possible_names import possible_names
from vivavoce.project.variables import UndefinedVariable, interpolate
from vivavoce.protocols import AgentCard, CallContext, Surroundings, TargetSpec
from vivavoce.targets.call_payload import CallPayload
from vivavoce.targets.http_agent.answer import Answer, AnswerPaths, paths_of
from vivavoce.targets.http_agent.checks import checked_call, used_names
from vivavoce.targets.http_agent.kind import HttpCall, StreamForm
from vivavoce.targets.http_agent.request import Request, RequestWriter, attachments
from vivavoce.targets.reply_reading import decoded, read_text
from vivavoce.wording.quoting import quote_bytes

_SHORT = 300
_STREAMS = {"text/event-stream": "sse", "application/x-ndjson": "ndjson", "application/jsonl": "ndjson"}
_CONVERSATION = frozenset({"messages", "history", "session_id", "thread_id", "session", "context"})
"""Names by which a server can tell which conversation a line belongs to."""


class HttpAgentTarget:
    """Built from the fields of kind.HttpFields."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        try:
            self._call = checked_call(spec.config.get("http"))
        except UsageError as problem:
            raise UsageError(f"agent {spec.id!r}: {problem.what}", hint=problem.hint) from None
        self._uses = used_names(self._call)
        self._paths = paths_of(self._call)
        self._surroundings = surroundings
        self.card = AgentCard(
            id=spec.id, kind=spec.kind, description=spec.config.get("description") or "", where=self._call.url
        )

    async def open(self, context: CallContext) -> "HttpAgentSession":
        if context.frontend_tools:
            raise CallFailed(
                f"agent {self.card.id!r} is a plain HTTP agent: the case's front-end tools would never be sent",
                fault="test",
                hint="front-end tools are for AG-UI agents",
            )
        known: Mapping[str, JsonValue] = {**self._surroundings.project.config.variables, **context.variables}
        secrets = self._surroundings.secrets
        try:
            writer = RequestWriter(self._call, known, secrets)
            thread_id = interpolate(context.thread_id or context.session_id, known, secrets)
        except UndefinedVariable as undefined:
            raise UsageError(f"agent {self.card.id!r}: {undefined}") from None
        return HttpAgentSession(self._call, self._paths, self._uses, writer, context, thread_id, self._surroundings)

    async def close(self) -> None: ...


class HttpAgentSession:
    """One conversation: remembers the session id and the cookies that the server gave it."""

    def __init__(
        self,
        call: HttpCall,
        paths: AnswerPaths,
        uses: frozenset[str],
        writer: RequestWriter,
        context: CallContext,
        thread_id: str,
        surroundings: Surroundings,
    ) -> None:
        self._call = call
        self._paths = paths
        self._uses = uses
        self._writer = writer
        self._payload = CallPayload(context)
        self._provisions = context.provisions
        self._ids = {"session_id": context.session_id, "thread_id": thread_id}
        self._http = surroundings.http
        self._secrets = surroundings.secrets
        self._session: JsonValue = None
        self._cookies: dict[str, str] = {}
        self._answer: Answer | None = None

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        self._answer = None
        self._refuse_what_is_never_sent(line, transcript)
        request = self._writer.request(self._names(line, transcript))
        reply = await self._sent(request, line.text)
        if transcript.turns and self._uses.isdisjoint(_CONVERSATION) and not self._call.cookies:
            return structs.replace(reply, warnings=(*reply.warnings, _NO_CONVERSATION))
        return reply

    def so_far(self) -> AgentReply:
        """What was seen of a stream that broke."""
        return AgentReply() if self._answer is None else self._answer.so_far()

    async def close(self) -> None: ...

    def _names(self, line: Line, transcript: Transcript) -> JsonObject:
        messages = self._payload.messages(line, transcript)
        context = self._payload.context(line, transcript)
        return {
            **self._ids,
            "message": line.text,
            "messages": messages,
            "history": messages[:-1] if line.content else messages,
            "attachments": attachments(line.content),
            "session": self._session,
            "turn": context["turn"],
            "context": context,
            "metadata": context["metadata"],
            "variables": context["variables"],
        }

    def _refuse_what_is_never_sent(self, line: Line, transcript: Transcript) -> None:
        if transcript.history and self._uses.isdisjoint({"messages", "history"}):
            raise _never_sent("the case's earlier messages", "{{ messages }} or {{ history }}")
        if attachments(line.content) and self._uses.isdisjoint({"messages", "attachments"}):
            raise _never_sent("the line's attachments", "{{ attachments }} or {{ messages }}")

    async def _sent(self, request: Request, said: str) -> AgentReply:
        url = self._secrets.mask(str(request.url.with_query(None)))
        headers = {**({} if self._provisions is None else self._provisions.headers), **request.headers}
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        try:
            sent = self._http.request(request.method, request.url, headers=headers, body=request.body)
            with await sent as response:
                if response.status >= 300:
                    reason = self._secrets.mask(error_text(await web_answers.beginning(response)))
                    raise web_answers.refused(url, response, reason, _HINTS.get(response.status))
                self._remember(response)
                kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
                if (form := self._stream_form(kind)) is not None:
                    return await self._streamed(form, web_answers.bounded(response), said)
                content = await web_answers.whole(response)
        except NETWORK_ERRORS as error:
            raise network_failure(url, error) from None
        if "html" in kind:
            raise web_answers.web_page(url, content)
        return self._read(content, kind, url, said)

    def _stream_form(self, kind: str) -> StreamForm | None:
        """How the answer is read as a stream; None when it came in one piece."""
        wanted = self._call.stream
        told = _STREAMS.get(kind)
        if told is None and (not wanted or "json" in kind or "html" in kind):
            return None
        if isinstance(wanted, StreamForm):
            return wanted if told in (None, wanted.format) else structs.replace(wanted, format=told)
        named = told or (wanted if isinstance(wanted, str) else "ndjson")
        return StreamForm(format="sse" if named == "sse" else "ndjson")

    async def _streamed(self, form: StreamForm, chunks: AsyncIterator[bytes], said: str) -> AgentReply:
        names: set[bytes] = set()
        pieces = web_answers.events(chunks, names) if form.format == "sse" else _lines(chunks)
        answer = self._answer = Answer(self._paths, streamed=True, only_last=form.take == "last")
        words: list[str] = []
        async for piece in pieces:
            if piece.strip() in (b"", b"[DONE]"):
                continue
            if self._paths.reply is None:
                words.append(_plain_piece(piece))
            else:
                answer.add(_document(piece, "a piece of the stream"))
        self._session = self._session if answer.session is None else answer.session
        if self._paths.reply is None:
            reply = read_text("".join(words[-1:] if form.take == "last" else words), said)
        else:
            reply = answer.reply(said)
        told = possible_names([name.decode(errors="replace") for name in sorted(names)], "the names of events")
        return structs.replace(reply, unread=(*reply.unread, *told)) if told else reply

    def _read(self, content: bytes, kind: str, url: str, said: str) -> AgentReply:
        if not content.strip():
            raise bad_reply(f"{url} answered with an empty body")
        if self._paths.reply is None and "json" not in kind and not content.lstrip().startswith((b"{", b"[")):
            return read_text(decoded(content), said)
        answer = Answer(self._paths)
        answer.add(_document(content, f"the answer of {url}"))
        self._session = self._session if answer.session is None else answer.session
        return answer.reply(said)

    def _remember(self, response: HttpResponse) -> None:
        name = self._call.session_header
        if name is not None and (given := response.headers.get(name)) is not None:
            self._session = given
        if self._call.cookies:
            for written in response.headers.getall("Set-Cookie", ()):
                self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(written).items()}


_HINTS = {
    401: "check the headers of the agent",
    403: "check the headers of the agent",
    404: "check the url of the agent",
    405: "check the method of the agent",
    422: "check the body of the agent",
    429: "too many requests: try again later or lower --parallel",
}
_NO_CONVERSATION = (
    "the request does not say which conversation it belongs to: use {{ session_id }}, {{ messages }} or `cookies: true`"
)


def _never_sent(what: str, names: str) -> CallFailed:
    return CallFailed(f"{what} would never be sent", fault="test", hint=f"use {names} in the agent's request")


def _document(content: bytes, what: str) -> JsonValue:
    try:
        document: JsonValue = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        problem = bad_reply(f"{what} is no JSON ({error}): {quote_bytes(content, _SHORT)}")
        if (form := _looks_streamed(content)) is not None:
            problem.hint = f"is it a stream? Then write `stream: {form}` at the agent"
        raise problem from None
    if repeats_a_key(content.decode()):
        raise bad_reply(f"{what} has an object with a key written twice: {quote_bytes(content, _SHORT)}")
    return document


def _looks_streamed(content: bytes) -> str | None:
    """The form of a stream whose content type does not say so; None when it does not look like one."""
    if re.match(rb"\s*(?:data|event|id|retry):", content):
        return "sse"
    lines = content.split(b"\n", 2)
    return "ndjson" if len(lines) > 1 and all(line.lstrip()[:1] in (b"{", b"[") for line in lines[:2]) else None


def _plain_piece(piece: bytes) -> str:
    """The words of an event that is a text; one that is an object needs a path."""
    if piece.lstrip().startswith((b"{", b"[")):
        raise CallFailed(
            f"the stream sends JSON, and nothing says where its text is: {quote_bytes(piece, _SHORT)}",
            fault="test",
            hint="set `reply` to the path of the text in each event",
        )
    return decoded(piece)


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The lines of a body as they become whole."""
    left: list[bytes] = []
    async for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        left.append(first)
        for line in rest:
            yield _line(left)
            left = [line]
    yield _line(left)


def _line(pieces: list[bytes]) -> bytes:
    line = b"".join(pieces)
    if has_many_values(line):
        raise bad_reply(f"the stream has a line of {TOO_MANY}")
    return line
