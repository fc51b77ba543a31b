"""DeepEval as `deepeval test run`: one parametrised test per case, a metric without a model."""

import re
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers.install import into_virtualenv
from benchmarks.peers.peer import Peer


class DeepEval(Peer):
    name = "deepeval"
    version = "4.3.1"
    written = "test_deepeval_pings.py"
    behind = 10.0
    rounds = 2  # it reads and writes its whole run again after every test: over a minute for 1,000
    env = (("DEEPEVAL_TELEMETRY_OPT_OUT", "1"), ("CONFIDENT_OPEN_BROWSER", "0"))

    def put_in_place(self) -> None:
        into_virtualenv(self.home, [f"deepeval=={self.version}", f"aiohttp=={version('aiohttp')}"])

    def command(self, cases: Path, url: str, room: Path) -> list[str]:
        return [str(self.home / "bin" / "deepeval"), "test", "run", self.written, "--display", "failing"]

    def passed(self, said: str, room: Path) -> int:
        """By pytest's last word."""
        counts = re.findall(r"(\d+) passed", said)
        return int(counts[-1]) if counts else 0
