"""Peers in folders of their own: a virtualenv or an npm prefix each, never the project's environment."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

STAMP = "installed.txt"
LIMIT_S = 600


class CannotInstall(Exception):
    """Why a peer is not here."""


def into_virtualenv(home: Path, requirements: list[str]) -> None:
    if _is_there(home, requirements):
        return
    _afresh(home)
    _call([sys.executable, "-m", "venv", str(home)])
    _call([str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", *requirements])
    _stamp(home, requirements)


def into_folder(home: Path, requirements: list[str]) -> None:
    """Beside whatever Python runs it, through PYTHONPATH."""
    if _is_there(home, requirements):
        return
    _afresh(home)
    _call([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(home), *requirements])
    _stamp(home, requirements)


def into_npm_prefix(home: Path, requirements: list[str]) -> None:
    if _is_there(home, requirements):
        return
    if not (npm := shutil.which("npm")):
        raise CannotInstall("npm is not here")
    _afresh(home)
    _call([npm, "install", "--prefix", str(home), "--no-audit", "--no-fund", "--engine-strict", *requirements])
    _stamp(home, requirements)


def _is_there(home: Path, requirements: list[str]) -> bool:
    stamp = home / STAMP
    return stamp.exists() and stamp.read_text().splitlines() == requirements


def _afresh(home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)


def _stamp(home: Path, requirements: list[str]) -> None:
    """Written last: a half-done installation is done again."""
    (home / STAMP).write_text("\n".join(requirements) + "\n")


def _call(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        raise CannotInstall(f"{Path(command[0]).name} took more than {LIMIT_S} s") from None
    if done.returncode != 0:
        raise CannotInstall(_reason(done.stderr) or f"{Path(command[0]).name} ended with {done.returncode}")


def _reason(said: str) -> str:
    """The installer's word for it, without the hosts and paths of this machine: it goes into the results."""
    errors = [line.strip() for line in said.splitlines() if "error" in line.lower() and "log of this run" not in line]
    return re.sub(r"(https?:/)?/\S+", "…", errors[:2][-1])[:200] if errors else ""
