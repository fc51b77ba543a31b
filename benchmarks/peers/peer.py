"""A peer: where it lives, how it is installed, how the cases are run by it, and the proof that it ran them."""

import shutil
from abc import ABC, abstractmethod
from pathlib import Path

from benchmarks.measure import ROOT, CommandFailed, Cost, cost_of
from benchmarks.peers.install import CannotInstall

HOMES = ROOT / "build" / "peers"
WRITTEN = Path(__file__).parent / "written"
LIMIT_S = 240


class PeerFailed(Exception):
    """The peer did not do what was asked of it; its time means nothing."""


class Peer(ABC):
    """One other tool, at one version, in a folder of its own."""

    name: str
    version: str
    written: str
    """What a user of it would write: a file of the folder `written`."""
    behind: float | None
    """How many times viva's wall time it is promised to take, at least; None where nothing is promised."""
    rounds = 3
    """Interleaved runs, of which the median counts."""
    env: tuple[tuple[str, str], ...] = ()

    @property
    def home(self) -> Path:
        return HOMES / self.name

    def install(self) -> str | None:
        """Puts the peer into its folder unless it is there; the answer is why not, if not."""
        try:
            self.put_in_place()
        except CannotInstall as failure:
            return f"not installed: {failure}"
        return None

    def run(self, cases: Path, count: int, url: str, folder: Path) -> Cost:
        """One measured run, believed only when the peer's own output shows `count` passes."""
        room, said = folder / self.name, HOMES / f"{self.name}.txt"
        room.mkdir(exist_ok=True)
        shutil.copy(WRITTEN / self.written, room)
        env = {**dict(self.env), "MOCK_URL": url, "CASES": str(cases), "HOME": str(room)}
        command = self.command(cases, url, room)
        try:
            cost = cost_of(command, cwd=room, env=env, limit_s=LIMIT_S, output=said)
        except CommandFailed as failure:
            raise PeerFailed(f"failed: exit code {failure.exit_code}, see {said.relative_to(ROOT)}") from None
        passed = self.passed(said.read_text(errors="replace"), room)
        if passed != count:
            raise PeerFailed(f"not counted: {passed} of {count} cases passed, see {said.relative_to(ROOT)}")
        return cost

    @abstractmethod
    def put_in_place(self) -> None: ...

    @abstractmethod
    def command(self, cases: Path, url: str, room: Path) -> list[str]:
        """Run in `room`, with the cases and the server in CASES and MOCK_URL too."""

    @abstractmethod
    def passed(self, said: str, room: Path) -> int:
        """How many cases passed, by the peer's own account."""
