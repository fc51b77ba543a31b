"""A real workspace and a real server for checks on the world, made once for all tests of a process."""

import atexit
import os
import shutil
import tempfile
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from msgspec import structs
from tests.fakes.evidence import evidence, turn

from vivavoce.model.workspace import Workspace
from vivavoce.protocols import Evidence
from vivavoce.workspaces.copying import copy_folder
from vivavoce.workspaces.survey import Limits


def workspace_in(folder: Path, before: dict[str, str], after: dict[str, str | None]) -> Workspace:
    """Copies a folder with these files, then writes (or, for None, removes) those in the copy."""
    original, copy = folder / "shop", folder / "copies" / "shop"
    copy.parent.mkdir(parents=True)
    write(original, before)
    known = copy_folder(str(original), str(copy), Limits())
    write(copy, after)
    return Workspace(folder=os.path.realpath(copy), original=str(original), name="fixtures/shop", before=known)


def write(folder: Path, files: dict[str, str | None] | dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def left(workspace: Workspace | None) -> Evidence:
    """The evidence of an agent that said "Done." and left this."""
    return structs.replace(evidence(turn("Done.")), workspace=workspace)


@cache
def after_the_agent() -> Evidence:
    """A workspace in which `app.py` and `data/order.json` were changed, `new.txt` was added and `old.txt` removed."""
    folder = Path(tempfile.mkdtemp(prefix="viva-test-world-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    before = {
        "app.py": "print(1)\n",
        "keep.txt": "as it was\n",
        "old.txt": "x\n",
        "data/order.json": '{"status": "open"}',
    }
    after = {"app.py": "print(2)\n", "old.txt": None, "data/order.json": '{"status": "paid"}', "new.txt": "hello\n"}
    workspace = workspace_in(folder, before, after)
    Path(workspace.folder, "raw.bin").write_bytes(b"\xff\xfe\x00")
    return left(workspace)


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        pages = {"/health": (200, b'{"status": "up"}'), "/moved": (302, b""), "/away": (302, b"")}
        status, body = pages.get(self.path, (404, b"nothing here"))
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/health" if self.path == "/moved" else "http://198.51.100.1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


@cache
def server() -> str:
    """The address of a server with /health, /moved (to /health) and /away (to another host)."""
    serving = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    Thread(target=serving.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{serving.server_address[1]}"


def nobody() -> str:
    """An address where nobody answers."""
    return "http://127.0.0.1:9/"
