"""What helpers of the run print (generators, reporters, hooks) is for the person, never part of the output."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

from vivavoce.containment.captured_output import OutputLog, capture_user_output


@contextmanager
def printing_to_stderr() -> Generator[None]:
    """Keeps stdout clean of what user code prints inside; it is shown on stderr at the end."""
    printed = ""
    try:
        with capture_user_output(), OutputLog() as log:
            try:
                yield
            finally:
                printed = log.text()
    finally:
        sys.stderr.write(printed)
