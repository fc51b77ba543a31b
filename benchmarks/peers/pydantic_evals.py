"""pydantic-evals, its task calling aiohttp itself: the fastest a user of it could write."""

from importlib.metadata import version
from pathlib import Path

from benchmarks.peers.install import into_virtualenv
from benchmarks.peers.peer import Peer


class PydanticEvals(Peer):
    name = "pydantic-evals"
    version = "2.62.0"
    written = "pydantic_evals_task.py"
    behind = 1.0

    def put_in_place(self) -> None:
        into_virtualenv(self.home, [f"pydantic-evals=={self.version}", f"aiohttp=={version('aiohttp')}"])

    def command(self, cases: Path, url: str, room: Path) -> list[str]:
        return [str(self.home / "bin" / "python"), self.written]

    def passed(self, said: str, room: Path) -> int:
        last = said.split()[-2:]
        return int(last[0]) if last[1:] == ["passed"] else 0
