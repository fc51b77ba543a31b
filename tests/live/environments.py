"""Virtualenvs of the live tests: one for each framework, since they cannot share one.

`tests/live/envs/NAME.txt` pins everything that stands in it. They are built when a test first needs them and kept
outside of the tree, in `~/.cache/viva-live` (or `VIVA_LIVE_CACHE`). viva itself is put on their path, so that every
checkout can use them; what it needs is installed beside the framework, which shows that the two fit.

    python -m tests.live.environments            builds all of them, one after the other
    python -m tests.live.environments NAME …     builds these
    python -m tests.live.environments --pin NAME REQUIREMENT …   writes NAME.txt anew from what pip finds now
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVS = Path(__file__).parent / "envs"
CACHE = Path(os.environ.get("VIVA_LIVE_CACHE") or Path.home() / ".cache" / "viva-live")
IN_EVERY_RUN = ("langgraph", "openai-agents", "pydantic-ai", "smolagents")
"""The lightest: `make test` builds and runs them. `make live` builds the others, which are skipped until then."""


def names() -> list[str]:
    return sorted(path.stem for path in ENVS.glob("*.txt"))


def python_of(name: str, *, build: bool) -> Path | None:
    """The interpreter of a framework's virtualenv; None where it was never built and shall not be."""
    place = CACHE / f"{name}-{_digest(name)}"
    python = place / "bin" / "python"
    if not (place / "ready").exists():
        if not build:
            return None
        CACHE.mkdir(parents=True, exist_ok=True)
        with (CACHE / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one at a time: several test processes may need one
            if not (place / "ready").exists():
                # Everything is pinned: nothing to look up, and what viva needs is there already.
                _build(place, ["--no-deps", "--no-compile", "-r", str(ENVS / f"{name}.txt")], _needs())
    return python


def environment() -> dict[str, str]:
    """Variables under which viva runs in such a virtualenv: this checkout's viva, no telemetry, no colours."""
    # Compiled modules are kept, as the Makefile says: pip compiles none, and the frameworks have thousands.
    dropped = ("VIVA_", "PYTEST_", "PYTHONDONTWRITEBYTECODE")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    return {**kept, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1", "OTEL_SDK_DISABLED": "true"}


def _digest(name: str) -> str:
    pinned = (ENVS / f"{name}.txt").read_bytes()
    return hashlib.sha256(pinned + "\n".join(_needs()).encode() + sys.version.encode()).hexdigest()[:12]


def _needs() -> list[str]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def _build(place: Path, *several: Sequence[str]) -> None:
    for older in CACHE.glob(f"{place.name.rpartition('-')[0]}-????????????"):
        shutil.rmtree(older)
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for requirements in several:
        done = subprocess.run([*pip, *requirements], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{place.name} cannot be built:\n{done.stderr[-4000:]}")
    (place / "ready").touch()


def pin(name: str, requirements: Sequence[str]) -> None:
    """Installs the requirements into a new virtualenv and writes down what came of it."""
    place = CACHE / f"{name}-pinning"
    shutil.rmtree(place, ignore_errors=True)
    _build(place, [*requirements, *_needs()])
    freeze = [str(place / "bin" / "python"), "-m", "pip", "freeze", "--disable-pip-version-check"]
    found = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout
    head = f"# python -m tests.live.environments --pin {name} {' '.join(requirements)}\n"
    (ENVS / f"{name}.txt").write_text(head + found)
    ready = CACHE / f"{name}-{_digest(name)}"
    shutil.rmtree(place)
    print(f"wrote {ENVS / name}.txt; {ready.name} is built when it is needed")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pin"]:
        pin(sys.argv[2], sys.argv[3:])
    else:
        for wanted in sys.argv[1:] or names():
            print(python_of(wanted, build=True))
