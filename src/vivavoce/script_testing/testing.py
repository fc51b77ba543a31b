"""`t`: what a test function is given, and how the function is run."""

import asyncio
import inspect
from collections.abc import Awaitable
from typing import Any, NoReturn

from vivavoce.containment.user_errors import UserCode, describe_exception, failed_assertion, place_of, user_traceback
from vivavoce.containment.user_functions import UserFunction, in_daemon_thread
from vivavoce.errors import CallFailed, VivaError
from vivavoce.model.verdict import Fault
from vivavoce.script_testing.checks import Checks
from vivavoce.script_testing.engine import CallTerms, Engine, use_engine
from vivavoce.script_testing.notebook import Notebook, Stopped, line_of_the_test
from vivavoce.script_testing.record import ScriptTestRecord
from vivavoce.wording.quoting import shorten


class Testing:
    """`t.check` (also `t.assert_`, and `getattr(t, "assert")`: a keyword in Python), `t.log`, `t.skip`, `t.fatal`."""

    def __init__(self, name: str, notebook: Notebook, checks: Checks) -> None:
        self.name = name
        self.assert_ = checks
        self.check = checks
        setattr(self, "assert", checks)
        self._notebook = notebook

    def log(self, *parts: object) -> None:
        """Notes a line that reports show with the test."""
        self._notebook.log(" ".join(str(part) for part in parts))

    def skip(self, reason: str = "") -> NoReturn:
        """Ends the test here: it does not apply."""
        self._notebook.skip(reason or "the test skipped itself")
        raise Stopped

    def fatal(self, message: str = "") -> NoReturn:
        """Ends the test here: it has failed."""
        self._notebook.failure("Fatal", message or "the test gave up", line_of_the_test())
        raise Stopped


async def run_test(function: UserFunction, name: str, ctx: Any, terms: CallTerms) -> tuple[ScriptTestRecord, str]:
    """What the test did, and the user's own lines of what it raised. Cancelling ends it, loops included."""
    engine = Engine(terms)
    notebook = Notebook(name)
    checks = Checks(notebook, engine)
    t = Testing(name, notebook, checks)

    def run() -> None:
        use_engine(engine)
        made = function(t, ctx, ctx=ctx)
        if inspect.isgenerator(made) or inspect.isasyncgen(made):
            raise TypeError("a test must not yield: nothing of it would be run")
        if inspect.isawaitable(made):
            # A loop of its own: an async test that blocks stalls nobody else.
            made = asyncio.run(_completed(made, checks))
        if made is not None:
            what = f"nothing checks the return value {shorten(repr(made), 80)}: use t.assert_ and return nothing"
            notebook.failure("return", what, 0)

    try:
        with UserCode(_Raised):
            await in_daemon_thread(run)
    except _Raised as raised:
        return _ended_by(raised.error, notebook)
    except VivaError as problem:
        fault: Fault = problem.fault if isinstance(problem, CallFailed) else "test"
        return notebook.record(str(problem), fault), ""
    finally:
        engine.close()
    return notebook.record(), ""


async def _completed(test: Awaitable[object], checks: Checks) -> object:
    returned = await test
    await checks.all_made()
    return returned


def _ended_by(error: BaseException, notebook: Notebook) -> tuple[ScriptTestRecord, str]:
    if isinstance(error, Stopped):
        return notebook.record(), ""
    if isinstance(error, AssertionError):
        notebook.failure("assert", failed_assertion(error), place_of(error).line)
        return notebook.record(), ""
    return notebook.record(describe_exception(error), "test"), user_traceback(error)


class _Raised(Exception):
    def __init__(self, error: BaseException) -> None:
        self.error = error
