"""The front door to running user code: its functions, its scripts, what it prints, what it raises."""

from vivavoce.captured_output import OutputLog, capture_user_output, collecting
from vivavoce.daemon_threads import in_daemon_thread
from vivavoce.script_runner import ScriptRunner
from vivavoce.user_errors import UserCode, describe_exception, user_traceback
from vivavoce.user_functions import UserFunction, all_of, call_user_function

__all__ = [
    "OutputLog",
    "ScriptRunner",
    "UserCode",
    "UserFunction",
    "all_of",
    "call_user_function",
    "capture_user_output",
    "collecting",
    "describe_exception",
    "in_daemon_thread",
    "user_traceback",
]
