"""Everything opened for a run is closed when the run ends."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agents import FakeTarget

from vivavoce.engine.wiring import RunResources, RunSettings, live_name
from vivavoce.plugins.catalog import TARGETS
from vivavoce.plugins.declarations import TargetKind
from vivavoce.project.project import Project
from vivavoce.protocols import TargetSpec


class Plugins(RunResources):
    """Finds each agent as one of a kind that another package brought along."""

    def spec(self, name: str) -> TargetSpec:
        return TargetSpec(id=name, kind="plugin")


class Plugin(FakeTarget):
    closed: list[str]

    def __init__(self, spec: TargetSpec, _surroundings: Any) -> None:
        super().__init__()
        self._id = spec.id

    async def close(self) -> None:
        if self._id.startswith("bad"):
            raise OSError(f"{self._id} is stuck, its key is hunter22")
        self.closed.append(self._id)


async def test_a_target_that_cannot_be_closed_is_told_and_keeps_nothing_else_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    TARGETS.register("plugin", TargetKind(name="plugin", target=Plugin), "test_wiring.py")
    Plugin.closed = []
    resources = Plugins(Project(root=tmp_path), RunSettings())
    resources.secrets.add("hunter22")
    for name in ("one", "bad1", "two", "bad2"):
        resources.target(name)
    TARGETS.forget_file("test_wiring.py")
    closed = asyncio.Event()

    async def close() -> None:
        closed.set()

    resources.surroundings.http.close = close  # type: ignore[method-assign]
    await resources.close()
    assert Plugin.closed == ["one", "two"]
    assert closed.is_set()
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    for line, name in zip(told, ("bad1", "bad2"), strict=True):
        assert line.startswith(f"viva: warning: agent '{name}' could not be closed: CallFailed: plug-in 'plugin'")
        assert f"OSError: {name} is stuck, its key is ***" in line


@pytest.mark.parametrize("kind", list(TARGETS))
def test_every_kind_of_agent_declares_whether_it_shows_calls(kind: str):
    assert getattr(TARGETS.load(kind), "shows_calls", None) in ("always", "when_it_has_some", "never")


class _Callable:
    def __call__(self, text: str) -> str:
        return text


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (str.upper, "python:builtins:str.upper"),
        (print, "python:builtins:print"),
        (_Callable, f"python:{__name__}:_Callable"),
        (_Callable(), f"python:{__name__}:_Callable"),
    ],
)
def test_a_live_object_has_a_name_whatever_it_is(agent: object, name: str):
    assert live_name(agent) == name
