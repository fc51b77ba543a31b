"""The time limits of agents that stream."""

import pytest

from vivavoce.errors import UsageError
from vivavoce.protocols import TargetSpec
from vivavoce.targets.stream_deadline import Deadline, Limits, read_limits


def test_limits_are_read_from_the_agent_and_default_otherwise() -> None:
    spec = TargetSpec(id="app", kind="agui", config={"idle_timeout": "500ms", "turn_timeout": "2m"})
    assert read_limits(spec) == Limits(idle_s=0.5, turn_s=120.0)


def test_what_is_no_duration_names_the_agent_and_the_field() -> None:
    with pytest.raises(UsageError, match="agent 'app': idle_timeout: "):
        read_limits(TargetSpec(id="app", kind="agui", config={"idle_timeout": "soon"}))


async def test_the_limit_that_was_missed_is_named() -> None:
    assert Deadline(Limits(idle_s=3)).missed() == "nothing came for 3s"
    assert Deadline(Limits(turn_s=0)).missed() == "the turn took longer than 0ms"
