"""The end of a run whose agent blocks the event loop and cannot be interrupted: what finished is kept."""

import os
import posix
from typing import NoReturn

from vivavoce.app.history_keeping import HistoryKeeping
from vivavoce.app.outputs import Outputs
from vivavoce.containment.guard_process import sign_off
from vivavoce.containment.loop_watch import Stuck
from vivavoce.engine.run import Run
from vivavoce.errors import EXIT_BROKEN, EXIT_INTERRUPTED


def give_up(stuck: Stuck, run: Run, outputs: Outputs, keeping: HistoryKeeping) -> NoReturn:
    """Ends the process from another thread: the main one will never come back."""
    try:
        run.report_waiting()
        outputs.close()
        keeping.close()
        kept = f"what finished is in {outputs.files[0]}; --resume goes on from there" if outputs.files else ""
        told = (
            f"viva: case {stuck.case!r}: the agent blocks the event loop at {stuck.place} and cannot be interrupted:"
            f" use await, or a plain def ({kept or 'nothing was kept'})\n"
        )
        os.write(2, told.encode(errors="replace"))
    finally:
        code = EXIT_INTERRUPTED if stuck.stop_wanted else EXIT_BROKEN
        sign_off(code)
        # Not os._exit: while a run goes on, that one reports the code under test.
        posix._exit(code)  # pyright: ignore[reportPrivateUsage]
