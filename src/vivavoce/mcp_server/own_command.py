"""Each tool call is a `viva` process of its own: fresh code of the user, and none of its output on the wire."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from vivavoce.containment.processes import run_command
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, VivaError

_LONGEST = 20_000
"""Characters of one answer: a coding agent reads every one of them."""
_COMMAND = (sys.executable, "-P", "-m", "vivavoce")


async def run_viva(arguments: Sequence[str], root: Path, **variables: str) -> str:
    """What the command answers, in the agent format. Raises VivaError with its words when it exits with 2 or 3.

    The variables are added to its environment. Cancelling ends the command and everything it started.
    """
    env = {**os.environ, "VIVA_FORMAT": "agent", "NO_COLOR": "1", **variables}
    done = await run_command([*_COMMAND, *arguments], cwd=root, env=env, ends_background=True)
    out, said = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.exit_code not in (EXIT_PASSED, EXIT_FAILED):
        words = "\n".join(part for part in (_plain(said), out.strip()) if part)
        raise VivaError(shortened(words) or f"viva ended with {done.how}")
    notes = [line for line in said.splitlines() if line.startswith("viva: ")]
    answer = shortened("\n".join([*(_plain(note) for note in notes), out.strip()]).strip())
    # Some commands find out after their PASS line that it is no pass: the last line decides.
    is_told = any(line.startswith("FAIL") for line in answer.splitlines())
    return answer if done.exit_code == EXIT_PASSED or is_told else f"{answer}\nFAIL: exit code {done.exit_code}"


def shortened(text: str) -> str:
    """The text, or its beginning and its end, where the result is."""
    if len(text) <= _LONGEST:
        return text
    cut = len(text) - _LONGEST
    return f"{text[: _LONGEST * 3 // 4]}\n… ({cut:,} characters left out) …\n{text[-_LONGEST // 4 :]}"


def _plain(said: str) -> str:
    return "\n".join(line.removeprefix("viva: ") for line in said.strip().splitlines())
