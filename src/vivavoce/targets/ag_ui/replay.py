"""`agui-replay:DIR`: recorded streams played back byte for byte, through the very reader live ones go through."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import structs

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.notation.references import parse_params
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import CallContext, Partial, Session, Surroundings, TargetSpec
from vivavoce.targets.ag_ui.exchange import Answer, Exchange
from vivavoce.targets.ag_ui.recording import STRUCK_OUT, AgentRunMeta
from vivavoce.targets.ag_ui.target import AgUiTarget
from vivavoce.targets.http_exchange import ConnectionBroken
from vivavoce.targets.recording_folder import folder_of
from vivavoce.wording.plurals import counted

_TIMINGS = ("real", "none")
_AGAIN = "record it again"


class AgUiReplayTarget(AgUiTarget):
    """The same sessions over recorded answers; `?timing=none` plays them at once."""

    def __init__(self, spec: TargetSpec, surroundings: Surroundings) -> None:
        super().__init__(spec, surroundings)
        folder, _, query = str(spec.config.get("agui-replay") or "").partition("?")
        timing = parse_params(query).get("timing", "real")
        if timing not in _TIMINGS:
            raise UsageError(f"unknown timing {timing!r}", hint=f"known: {', '.join(_TIMINGS)}")
        found = [path for path in (Path(folder), surroundings.project.root / folder) if folder and path.is_dir()]
        if not found:
            raise UsageError(f"no folder of recordings: {folder!r}", hint="make one with `viva record -o DIR`")
        self._folder = found[0]
        self._in_real_time = timing == "real"
        self._opened: dict[str, ReplayExchange] = {}
        """By session id: the exchange of a session that is just being opened."""

    @property
    def _where(self) -> str:
        return str(self._folder)

    async def open(self, context: CallContext) -> Session:
        session = await super().open(context)
        return DoubtedSession(session, self._opened.pop(context.session_id))

    def _exchange(self, context: CallContext, variables: Mapping[str, JsonValue]) -> Exchange:
        folder = self._folder / folder_of(context.case_id)
        runs = sorted(folder.glob("*.meta.json"))
        if not runs:
            what = f"no recording of case {context.case_id!r} in {self._folder}"
            raise CallFailed(what, fault="test", hint="record it with `viva record`")
        exchange = ReplayExchange(runs, self._surroundings.secrets, in_real_time=self._in_real_time)
        self._opened[context.session_id] = exchange
        return exchange


class ReplayExchange:
    """Answers the first request with the first recording, and so on."""

    def __init__(self, runs: list[Path], secrets: Secrets, *, in_real_time: bool) -> None:
        self.is_struck = False
        """Whether a secret was struck out of an answer that was played."""
        self._runs = runs
        self._secrets = secrets
        self._in_real_time = in_real_time
        self._next = 0

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer]:
        if self._next >= len(self._runs):
            there = counted(len(self._runs), "run")
            what = f"the recording {self._runs[0].parent} ends after {there}, but one more was asked for"
            raise CallFailed(what, fault="test", hint=_AGAIN)
        path = self._runs[self._next]
        self._next += 1
        _same_question(path, self._secrets.overwritten(body))
        meta, answer = _read(path)
        self.is_struck = self.is_struck or meta.struck
        yield ReplayedAnswer(meta, answer, in_real_time=self._in_real_time)

    async def close(self) -> None:
        """Nothing is held open."""


class DoubtedSession:
    """A session over recorded answers. From the first struck-out secret on, checks that it could fail are in doubt."""

    def __init__(self, session: Session, exchange: ReplayExchange) -> None:
        self._session = session
        self._played = exchange

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        return self._doubted(await self._session.send(line, transcript))

    def so_far(self) -> AgentReply:
        """What was seen of a turn that broke."""
        return self._doubted(self._session.so_far() if isinstance(self._session, Partial) else AgentReply())

    async def close(self) -> None:
        await self._session.close()

    def _doubted(self, reply: AgentReply) -> AgentReply:
        return structs.replace(reply, unread=(*reply.unread, STRUCK_OUT)) if self._played.is_struck else reply


class ReplayedAnswer:
    """A recorded answer, in the chunks and at the pace in which it came."""

    def __init__(self, meta: AgentRunMeta, body: bytes, *, in_real_time: bool) -> None:
        self._meta = meta
        self._body = body
        self._in_real_time = in_real_time
        self._sent = asyncio.get_running_loop().time()

    @property
    def status(self) -> int:
        return self._meta.status

    @property
    def headers(self) -> Mapping[str, str]:
        return {name.lower(): value for name, value in self._meta.headers}

    @property
    def is_complete(self) -> bool:
        return False

    def chunks(self) -> AsyncIterator[bytes]:
        return self._played()

    async def _played(self) -> AsyncGenerator[bytes]:
        start = 0
        for at_ms, length in self._meta.chunks_ms_len:
            if self._in_real_time:
                elapsed = asyncio.get_running_loop().time() - self._sent
                await asyncio.sleep(max(0.0, at_ms / 1000 - elapsed))
            yield self._body[start : start + length]
            start += length
        if start < len(self._body):
            yield self._body[start:]
        if self._meta.read_error is not None:
            raise ConnectionBroken(self._meta.read_error)


def _read(path: Path) -> tuple[AgentRunMeta, bytes]:
    """A recorded answer: what is known of it, and its bytes. Raises CallFailed for files that are damaged or gone."""
    meta = _decoded(path)
    answer = _bytes_of(path, ".sse")
    if any(length < 0 for _, length in meta.chunks_ms_len) or _length(meta) > len(answer):
        raise _damaged(path, f"its answer has {len(answer)} bytes, not {_length(meta)}")
    return meta, answer


def _decoded(path: Path) -> AgentRunMeta:
    try:
        return msgspec.json.decode(path.read_bytes(), type=AgentRunMeta)
    except (OSError, msgspec.DecodeError) as error:
        raise _damaged(path, str(error)) from None


def _bytes_of(meta: Path, suffix: str) -> bytes:
    """A file beside the one that says what is known of the answer."""
    path = meta.with_name(meta.name.replace(".meta.json", suffix))
    try:
        return path.read_bytes()
    except OSError as error:
        raise _damaged(meta, f"{path.name}: {error.strerror}") from None


def _length(meta: AgentRunMeta) -> int:
    return sum(length for _, length in meta.chunks_ms_len)


def _damaged(path: Path, why: str) -> CallFailed:
    return CallFailed(f"the recording {path.parent} is damaged: {path.name}: {why}", fault="test", hint=_AGAIN)


def _same_question(meta: Path, body: bytes) -> None:
    """A recording answers the line it was made for; a changed test must not pass on an old answer."""
    recorded, asked = _last_words(_bytes_of(meta, ".request.json")), _last_words(body)
    if recorded != asked:
        what = f"the recording {meta.parent.name} was made for {recorded!r}, but the test now says {asked!r}"
        raise CallFailed(what, fault="test", hint=_AGAIN)


def _last_words(body: bytes) -> str:
    """The last message of the user in a request."""
    try:
        run: JsonValue = msgspec.json.decode(body)
    except (ValueError, RecursionError):
        return ""
    run = run.get("body", run) if is_object(run) else {}
    messages = run.get("messages")
    said = [m for m in messages if is_object(m) and m.get("role") == "user"] if is_array(messages) else []
    return msgspec.json.encode(said[-1].get("content")).decode() if said else ""
