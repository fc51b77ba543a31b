"""User scripts by reference: asynchronous ones here, synchronous ones in a process that can be killed."""

import ast
import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from vivavoce.containment.captured_output import current_log
from vivavoce.containment.user_errors import UserCode
from vivavoce.containment.user_functions import call_user_function
from vivavoce.errors import CallFailed
from vivavoce.metering.expenses import counted_as_setup
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.project.project import Project
from vivavoce.scripts.finder import find_script, places_of, same_name
from vivavoce.scripts.plain_json import NotJson, as_json

if TYPE_CHECKING:
    from vivavoce.scripts.script_process import ScriptProcess
    from vivavoce.scripts.script_wire import ScriptRequest

MAX_PROCESSES = 8
T = TypeVar("T")


class ScriptRunner:
    """protocols.ScriptCaller. AssertionError is a script's verdict; CallFailed means the script itself broke."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._slots = asyncio.Semaphore(MAX_PROCESSES)
        self._idle: list[ScriptProcess] = []
        self._unstoppable: set[asyncio.Task[Any]] = set()
        """Processes being started or killed: a cancelled call may not wait for that, `close` does."""
        self._is_async: dict[str, bool] = {}

    async def call(self, ref: str, *args: Any, ctx: JsonObject | None = None) -> Any:
        """What the script returns. Cancelling ends it, also when it never returns."""
        from vivavoce.scripts.script_wire import ScriptRequest

        plain: JsonArray = msgspec.to_builtins(list(args))
        request = ScriptRequest(ref=ref, args=plain, ctx=msgspec.to_builtins(ctx or {}))
        if ref not in self._is_async:
            self._is_async[ref] = declared_async(ref, self._project)
        return await (self._here(request) if self._is_async[ref] else self._in_a_process(request))

    async def close(self) -> None:
        await asyncio.gather(*(process.close() for process in self._idle), *self._unstoppable)
        self._idle.clear()

    async def _here(self, request: "ScriptRequest") -> JsonValue:
        from vivavoce.scripts.script_wire import script_problem

        function = find_script(request.ref, self._project)
        try:
            with UserCode(lambda error: script_problem(request.ref, error)):
                result = await call_user_function(function, *request.args, ctx=request.ctx)
            return as_json(result)
        except NotJson as problem:
            what = f"script {request.ref!r} returned what is not JSON: {problem}"
            raise CallFailed(what, fault="test") from None
        except CallFailed as failure:
            raise _with_lines_in_log(failure) from None

    async def _in_a_process(self, request: "ScriptRequest") -> Any:
        async with self._slots:
            process = self._idle.pop() if self._idle else await self._started()
            if not process.alive:
                await process.end()
                process = await self._started()
            try:
                reply = await process.call(request, current_log() or sys.stderr)
            except BaseException:
                # The process is killed after any error, also when the call was cancelled.
                await asyncio.shield(self._surely(process.end()))
                raise
            else:
                self._idle.append(process)
        try:
            return reply.result()
        except CallFailed as failure:
            raise _with_lines_in_log(failure) from None

    async def _started(self) -> "ScriptProcess":
        """Returns a new process. A cancelled call still finishes the start, so that no process is left behind."""
        from vivavoce.scripts.script_process import ScriptProcess

        starting = self._surely(ScriptProcess.start(self._project))
        try:
            with counted_as_setup():
                process = await asyncio.shield(starting)
                await process.ready()
        except asyncio.CancelledError:
            await asyncio.shield(self._surely(_end_once_started(starting)))
            raise
        return process

    def _surely(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.create_task(work)
        self._unstoppable.add(task)
        task.add_done_callback(self._unstoppable.discard)
        return task


async def _end_once_started(starting: "asyncio.Task[ScriptProcess]") -> None:
    process = await starting
    await process.end()


def declared_async(ref: str, project: Project) -> bool:
    """Whether the script is an `async def`, read from its text: importing it could already hang."""
    for place in places_of(ref, project):
        file = place.where if isinstance(place.where, Path) else _file_of(place.where, project)
        functions = _functions_in(file)
        for name in place.names:
            for function in functions:
                if same_name(function.name, name):
                    return isinstance(function, ast.AsyncFunctionDef)
    return False


def _file_of(module: str, project: Project) -> Path:
    return project.root.joinpath(*module.split(".")).with_suffix(".py")


def _functions_in(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []  # loading the script will report what is wrong
    return [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _with_lines_in_log(failure: CallFailed) -> CallFailed:
    """Writes the traceback of a crash to the log of what the script printed."""
    if (log := current_log()) is not None:
        for note in getattr(failure, "__notes__", []):
            log.write(f"{note}\n")
    return failure
