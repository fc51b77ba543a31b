"""The scripts' own process, spoken to as viva speaks to it."""

import subprocess
import sys
from pathlib import Path

import pytest

from vivavoce.scripts.script_wire import HEADER_BYTES, ScriptReply, ScriptRequest, frame

REQUEST = frame(ScriptRequest(ref="scripts:x", args=[], ctx={}))


@pytest.mark.parametrize("written", [0, HEADER_BYTES - 3, HEADER_BYTES, len(REQUEST) - 1])
def test_it_ends_when_viva_died_while_writing_a_request(tmp_path: Path, written: int):
    code = f"from vivavoce.scripts.script_worker import serve; serve({str(tmp_path)!r}, 'scripts', b'end')"
    worker = subprocess.run([sys.executable, "-c", code], input=REQUEST[:written], capture_output=True, timeout=60)
    assert (worker.returncode, worker.stdout, worker.stderr) == (0, frame(ScriptReply()), b"")
