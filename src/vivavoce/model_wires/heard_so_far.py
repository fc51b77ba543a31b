"""Keeps what a stream sent before it broke or took too long, so that its tool calls are not lost."""

from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType

from msgspec import structs

from vivavoce.errors import CallFailed
from vivavoce.model.message import Unread
from vivavoce.protocols import ModelReply

_REST = Unread("the stream broke off here; what was to come is not known", "the rest of the stream")


class HeardSoFar:
    """`with HeardSoFar() as heard:` around a call of a connector; `heard.reply()` when the call did not end well."""

    __slots__ = ("_reply_so_far", "_token")

    def __init__(self) -> None:
        self._reply_so_far: Callable[[], ModelReply] | None = None
        self._token: Token[HeardSoFar | None] | None = None

    def __enter__(self) -> "HeardSoFar":
        self._reply_so_far = None
        self._token = _listening.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _listening.reset(self._token)
        if kind is None:
            self._reply_so_far = None

    def listen(self, reply_so_far: Callable[[], ModelReply]) -> None:
        self._reply_so_far = reply_so_far

    def reply(self) -> ModelReply:
        """Returns what was heard of the stream that broke, with the missing rest as unread; empty for none."""
        if self._reply_so_far is None:
            return ModelReply()
        try:
            reply = self._reply_so_far()
        except CallFailed as failure:
            return ModelReply(unread=(Unread(failure.what, "the stream"), _REST))
        return structs.replace(reply, finish_reason=None, unread=(*reply.unread, _REST))


_listening: ContextVar[HeardSoFar | None] = ContextVar("heard_so_far", default=None)


def on_broken_stream(reply_so_far: Callable[[], ModelReply]) -> None:
    """For readers of streams: `reply_so_far` returns what was read, for the caller of a stream that broke."""
    if (heard := _listening.get()) is not None:
        heard.listen(reply_so_far)
