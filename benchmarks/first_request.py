"""How much CPU a command has used by the time its first request arrives. Reads /proc, so it needs Linux."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 60


@contextmanager
def listening() -> Iterator[tuple[socket.socket, str]]:
    """A socket that accepts connections, and the URL of the server that seems to be there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        yield server, f"http://127.0.0.1:{server.getsockname()[1]}"


def cpu_to_first_request(command: list[str], server: socket.socket, cwd: Path) -> float:
    """Seconds of CPU. The command is ended once its request has come: nobody answers it."""
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with server.accept()[0] as connection:
            connection.settimeout(PATIENCE_S)
            connection.recv(65_536)
            return cpu_of(process.pid)
    finally:
        process.terminate()
        process.wait()


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process, its threads and its children have used so far."""
    total = 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0]) / 1e9
        total += sum(cpu_of(int(child)) for child in (task / "children").read_text().split())
    return total
