"""Inspect AI as shipped: its own openai-compatible provider, its own log."""

import json
import shutil
import subprocess
from pathlib import Path

from benchmarks.cases import PARALLEL
from benchmarks.peers.install import into_virtualenv
from benchmarks.peers.peer import Peer


class InspectAi(Peer):
    name = "inspect-ai"
    version = "0.3.285"
    written = "inspect_pings.py"
    behind = 20.0
    openai = "3.49.0"

    def put_in_place(self) -> None:
        into_virtualenv(self.home, [f"inspect-ai=={self.version}", f"openai=={self.openai}"])

    def command(self, cases: Path, url: str, room: Path) -> list[str]:
        shutil.rmtree(room / "logs", ignore_errors=True)
        return [
            *(str(self.home / "bin" / "inspect"), "eval", self.written),
            *("--model", "openai-api/mock/m", "--model-base-url", f"{url}/v1", "-M", "api_key=none"),
            *("--max-connections", str(PARALLEL), "--max-samples", str(PARALLEL)),
            *("--log-dir", "logs", "--display", "none"),
        ]

    def passed(self, said: str, room: Path) -> int:
        """By the scores in its log, which its own tool reads."""
        [log] = (room / "logs").glob("*.eval")
        dump = [str(self.home / "bin" / "inspect"), "log", "dump", "--header-only", str(log)]
        results = json.loads(subprocess.run(dump, capture_output=True, check=True).stdout).get("results")
        if results is None:
            return 0
        accuracy = results["scores"][0]["metrics"]["accuracy"]["value"]
        return round(accuracy * results["completed_samples"])
