"""The cases every contender is given, and the commands that work them off."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT

VIVA = str(Path(sys.executable).parent / "viva")
PARALLEL = 32

AGENT = """
{kind} agent(messages):
    return "pong: all is well"
"""


@dataclass(frozen=True)
class Bench:
    """What every part of the benchmark works with."""

    folder: Path
    """Scratch: everything written goes here."""
    quick: bool

    @property
    def repeats(self) -> int:
        return 3 if self.quick else 7


def write_cases(path: Path, count: int, says: str = "pong") -> Path:
    with path.open("w") as out:
        for n in range(count):
            check = {"type": "contains", "value": says}
            out.write(json.dumps({"id": f"T{n:06}", "input": f"ping {n}", "assert": check}) + "\n")
    return path


def viva_test(cases: Path, agent: str, folder: Path, *flags: str) -> list[str]:
    return [VIVA, "test", "-i", str(cases), "-n", agent, "-o", str(folder / "out.jsonl"), *flags]


def viva_chat(cases: Path, url: str, folder: Path) -> list[str]:
    return viva_test(cases, f"openai:{url}/v1?model=m", folder, "-j", str(PARALLEL))


def bare_chat(cases: Path, url: str) -> list[str]:
    script = str(ROOT / "benchmarks/bare_loop.py")
    return [sys.executable, script, f"{url}/v1/chat/completions", str(cases), str(PARALLEL)]


def python_agent(folder: Path, kind: str = "def") -> str:
    """A plain Python function as the agent, a `def` or an `async def`, written where the run will look for it."""
    name = f"pong_{kind.replace(' ', '_')}.py"
    (folder / name).write_text(AGENT.format(kind=kind))
    return f"python:{name}:agent"
