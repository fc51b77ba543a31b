"""viva's own output survives what user code does to descriptors 1 and 2."""

import subprocess
import sys

import pytest

HOSTILE = {
    "closes the descriptors": "os.close(1); os.close(2)",
    "closes what Python began with": "sys.__stdout__.close(); sys.__stderr__.close()",
    "closes every low descriptor": "os.closerange(0, 50)",
    "puts a file in their place": "os.dup2(os.open('/dev/null', os.O_WRONLY), 1)",
}


@pytest.mark.parametrize("deed", HOSTILE)
def test_what_is_said_afterwards_arrives(deed: str):
    code = (
        "import os, sys\n"
        "from vivavoce.containment.own_streams import own_streams\n"
        "with own_streams():\n"
        f"    {HOSTILE[deed]}\n"
        "    print('still here')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "still here\n", done.stderr


def test_an_escape_sequence_does_not_pass():
    code = "from vivavoce.containment.own_streams import own_streams\nwith own_streams():\n    print('a\\x1b[2Jb')\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "a\\x1b[2Jb\n"


def test_a_missing_stream_takes_everything():
    code = "import sys\nsys.stdout = None\nfrom vivavoce.containment.own_streams import own_streams\n"
    code += "with own_streams():\n    print('nobody hears')\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
