"""The process in which synchronous scripts run, so that a hanging one can be killed."""

import asyncio
import inspect
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

import msgspec

from vivavoce.containment.user_errors import UserCode
from vivavoce.containment.user_functions import UserFunction
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonValue
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.scripts.finder import find_script
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.scripts.script_wire import (
    HEADER_BYTES,
    ScriptReply,
    ScriptRequest,
    frame,
    frame_length,
    reply_for,
    script_problem,
)


def serve(root: str, scripts: str, end_of_output: bytes) -> None:
    """Reports that it is ready, then answers requests until viva closes the pipe or dies."""
    project = Project(root=Path(root), config=Config(scripts=scripts))
    requests, replies = _private_pipes()
    inbox: SimpleQueue[ScriptRequest | None] = SimpleQueue()
    busy = threading.Event()
    threading.Thread(target=_receive, args=(requests, inbox, busy), daemon=True).start()
    replies.write(frame(ScriptReply()))
    replies.flush()
    while (request := inbox.get()) is not None:
        reply = frame(_answer(request, project))
        for stream in (sys.stdout, sys.stderr):
            with suppress(ValueError, OSError):  # the script closed it
                stream.flush()
        with suppress(OSError):
            os.write(2, end_of_output)
        busy.clear()
        replies.write(reply)
        replies.flush()


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Takes stdin and stdout away from the scripts: they read nothing, and print to stderr's pipe."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure")  # noqa: B009 - TextIO does not declare it
        reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return requests, replies


def _receive(requests: BinaryIO, inbox: "SimpleQueue[ScriptRequest | None]", busy: threading.Event) -> None:
    while (request := _next_request(requests)) is not None:
        busy.set()
        inbox.put(request)
    if busy.is_set():
        os._exit(1)  # viva has died: end also a script that never returns
    inbox.put(None)


def _next_request(requests: BinaryIO) -> ScriptRequest | None:
    """Returns the next request; None when viva has closed the pipe or died."""
    header = requests.read(HEADER_BYTES)
    body = requests.read(frame_length(header))
    is_whole = len(header) == HEADER_BYTES and len(body) == frame_length(header)
    return msgspec.json.decode(body, type=ScriptRequest) if is_whole else None


def _answer(request: ScriptRequest, project: Project) -> ScriptReply:
    try:
        function = UserFunction(find_script(request.ref, project))
        with UserCode(lambda error: script_problem(request.ref, error)):
            result: Any = function(*request.args, ctx=request.ctx)
            if inspect.isawaitable(result):
                result = asyncio.run(_awaited(result))
            elif inspect.isgenerator(result):
                result = list(result)
        return ScriptReply(value=as_json(result))
    except NotJson as problem:
        return ScriptReply(kind="failed", what=f"script {request.ref!r} returned what is not JSON: {problem}")
    except (AssertionError, CallFailed, UsageError) as error:
        return reply_for(error)


async def _awaited(result: JsonValue) -> JsonValue:
    return await result
