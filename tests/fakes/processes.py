"""Whether a process is really gone."""

import asyncio
from pathlib import Path


async def gone(pid: int) -> bool:
    """Waits a while for a process to end; one that only awaits its burial has ended."""
    for _ in range(3000):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().split()[2] == "Z":
            return True
        await asyncio.sleep(0.02)
    return False


async def number_in(file: Path) -> int:
    """The process id a script writes into a file, once it is there."""
    while not file.exists() or not file.read_text().strip():
        await asyncio.sleep(0.01)
    return int(file.read_text())
