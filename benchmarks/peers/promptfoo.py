"""promptfoo with its openai chat provider and its `contains` assertion."""

import json
from pathlib import Path

from benchmarks.cases import PARALLEL
from benchmarks.peers.install import into_npm_prefix
from benchmarks.peers.peer import HOMES, Peer


class Promptfoo(Peer):
    name = "promptfoo"
    version = "0.121.20"
    """The newest that runs on Node 20 as well."""
    written = "promptfoo.yaml"
    behind = 10.0
    env = (
        ("PROMPTFOO_DISABLE_TELEMETRY", "1"),
        ("PROMPTFOO_DISABLE_UPDATE", "1"),
        ("PROMPTFOO_DISABLE_SHARING", "1"),
        ("PROMPTFOO_DISABLE_REMOTE_GENERATION", "1"),
        ("OPENAI_API_KEY", "none"),
    )

    def put_in_place(self) -> None:
        into_npm_prefix(self.home, [f"promptfoo@{self.version}"])

    def command(self, cases: Path, url: str, room: Path) -> list[str]:
        tests = [{"vars": {"input": json.loads(line)["input"]}} for line in cases.read_text().splitlines()]
        (room / "tests.json").write_text(json.dumps(tests))
        return [
            *(str(self.home / "node_modules" / ".bin" / "promptfoo"), "eval", "-c", self.written),
            *("-j", str(PARALLEL), "-o", "out.json"),
            *("--no-cache", "--no-table", "--no-progress-bar", "--no-share"),
        ]

    def passed(self, said: str, room: Path) -> int:
        """By the statistics in its output file."""
        stats = json.loads((room / "out.json").read_text())["results"]["stats"]
        return stats["successes"] if not (stats["failures"] or stats["errors"]) else 0


class PromptfooUnwritten(Promptfoo):
    """The same, without its database: the figure most in its favour."""

    name = "promptfoo --no-write"
    behind = None

    @property
    def home(self) -> Path:
        return HOMES / Promptfoo.name

    def command(self, cases: Path, url: str, room: Path) -> list[str]:
        return [*super().command(cases, url, room), "--no-write"]
