"""Viva as its users have it: compiled once, with its `uvloop` extra or without, and no settings of this shell."""

import compileall
import os

from benchmarks.measure import ROOT
from benchmarks.peers.install import CannotInstall, into_folder

UVLOOP = "uvloop==0.23.0"
_HOME = ROOT / "build" / "peers" / "uvloop"
_OF_THIS_SHELL = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH", "VIVA_DEBUG")


def as_installed() -> None:
    """pip compiles what it installs; a working copy is compiled as it runs, unless the environment forbids it."""
    for name in _OF_THIS_SHELL:
        os.environ.pop(name, None)
    compileall.compile_dir(ROOT / "src", quiet=2)


def with_uvloop(command: list[str]) -> list[str] | None:
    """The same command as one has it after `pip install vivavoce[uvloop]`; None where uvloop cannot be had."""
    try:
        into_folder(_HOME, [UVLOOP])
    except CannotInstall:
        return None
    return ["env", "VIVA_LOOP=uvloop", f"PYTHONPATH={_HOME}", *command]
