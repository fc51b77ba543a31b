"""RESULTS.md: the tables, with the machine and the versions they were taken on."""

import os
import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measure import ROOT
from benchmarks.peers.all import PEERS
from benchmarks.tables import Table

RESULTS = ROOT / "benchmarks" / "RESULTS.md"
PREFACE = "Written by `make bench`. Medians of interleaved repeats, taken in one run; compare ratios, not seconds."


def write_results(tables: list[Table]) -> Path:
    """Promises first, then where they come from."""
    *parts, promises = tables
    head = f"# Results\n\n{PREFACE}\n\n{machine()}\n\n{versions()}\n"
    RESULTS.write_text("\n".join([head, promises.markdown, *(table.markdown for table in parts)]))
    return RESULTS.relative_to(ROOT)


def machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"Machine: {_cpu()}, {os.cpu_count()} cores, {memory:.0f} GB; {platform.system()} {platform.release()}."


def versions() -> str:
    ours = [f"{name} {_version(package)}" for name, package in (("viva", "vivavoce"), ("aiohttp", "aiohttp"))]
    ours += [f"msgspec {_version('msgspec')}", f"uvloop {_version('uvloop')}", f"node {_node()}"]
    ours += [f"event loop {os.environ['VIVA_LOOP']}"]
    theirs = [f"{name} {peer.version}" for name, peer in PEERS.items() if peer.behind]
    return f"Versions: Python {platform.python_version()}, {', '.join(ours)}; peers: {', '.join(theirs)}."


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _node() -> str:
    if not (node := shutil.which("node")):
        return "not installed"
    return subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip().lstrip("v")
