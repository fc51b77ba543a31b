"""What the cases of the last runs took, in a small file beside the history: `.viva/pace.jsonl`, one line per run.

Reading it is fast; reading the results of ten runs at the end of each run would not be.
"""

from pathlib import Path
from zlib import crc32

import msgspec
from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.result import NOT_JUDGED, CaseResult, RunInfo, Status
from vivavoce.project.private_files import make_state_folder
from vivavoce.project.whole_files import write_whole

MOST_RUNS = 20
"""More than are compared: runs of other suites may stand between."""
_encode = msgspec.json.Encoder(enc_hook=str).encode


class CasePace(Struct, frozen=True, array_like=True, gc=False):
    """One case in one run: what an attempt took on average; None where that is not known."""

    key: str
    agent: str
    asked: int
    """A checksum of the case's input: earlier runs of a changed case are not comparable."""
    duration_ms: float | None = None
    tokens: float | None = None
    cost: float | None = None


class RunPace(Struct, frozen=True):
    run_id: str
    cases: tuple[CasePace, ...] = ()


_decode = msgspec.json.Decoder(RunPace).decode


def pace_of(info: RunInfo, result: CaseResult) -> CasePace | None:
    """Returns the averages over the attempts that say something about the agent; None when there is none."""
    counted = [
        one for one in result.attempts if one.status not in NOT_JUDGED and _says_something(one.status, one.fault)
    ]
    if not counted:
        return None
    used = [one.usage for one in counted if one.usage is not None]
    case = result.case
    return CasePace(
        key=case.key,
        agent=info.agent_for(case.agent, case.origin.path),
        asked=asked_of(case),
        duration_ms=_mean([one.duration_ms for one in counted if not one.replayed]),
        tokens=_mean([float(one.input_tokens + one.output_tokens) for one in used]),
        cost=_mean([one.cost for one in used if one.cost is not None]),
    )


def asked_of(case: Case) -> int:
    return crc32(_encode((case.turns, case.history, case.options)))


def read_paces(path: Path) -> list[RunPace]:
    """Returns the runs, oldest first. A line that cannot be read, and a file that is not there, say nothing."""
    found: list[RunPace] = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            found.append(_decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return found


def write_paces(path: Path, runs: list[RunPace]) -> None:
    """Writes the newest of these runs, whole or not at all. Raises OSError."""
    make_state_folder(path.parent)
    write_whole(b"".join(_encode(run) + b"\n" for run in runs[-MOST_RUNS:]), path)


def _says_something(status: Status, fault: str | None) -> bool:
    return status is Status.PASSED or fault in (None, "agent")


def _mean(values: list[float]) -> float | None:
    return round(sum(values) / len(values), 9) if values else None
