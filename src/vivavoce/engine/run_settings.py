"""The settings of a run that reach its single attempts."""

from msgspec import Struct

from vivavoce.engine.attempt.identity import IdentityFlags, RunContext
from vivavoce.model.case import OnMissingInput, SimulatorSpec
from vivavoce.model.contender import Contender
from vivavoce.model.planned_fault import PlannedFault
from vivavoce.project.run_options import AttemptOptions
from vivavoce.sight.tapes.tape_settings import TapeSettings
from vivavoce.snapshots.book import SnapshotMode


class RunSettings(Struct, frozen=True, kw_only=True):
    """How cases are run: the flags that reach a single attempt. Plain data."""

    options: AttemptOptions = AttemptOptions()
    """As they were given. The fields below are made from options, or may differ from them."""
    agent: str | None = None
    connector: str | None = None
    contenders: tuple[Contender, ...] = ()
    """The agents that are compared; a case is examined with the one whose label is its `agent`."""
    identity: IdentityFlags = IdentityFlags()
    context: RunContext = RunContext()
    timeout_s: float = 300.0
    judge_timeout_s: float = 120.0
    max_turns: int = 20
    simulator: str | None = None
    interactive: bool = False
    on_missing_input: OnMissingInput | None = None
    faults: tuple[PlannedFault, ...] = ()
    """Of `--fault`: they strike every case."""
    record_to: str | None = None
    """A folder that keeps every answer."""
    tapes: TapeSettings = TapeSettings()
    snapshots: SnapshotMode = "compare"
    """Whether missing or changed snapshots may be written. Judging recorded conversations never does."""


def simulator_named(use: str) -> SimulatorSpec:
    """The simulator that `--simulator` names; `agents:` may be left out."""
    return SimulatorSpec(use=use if use.startswith(("agents:", "scripts:")) else f"agents:{use}")
