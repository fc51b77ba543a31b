from pathlib import Path

import pytest

from vivavoce.app.executing import executor_for
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.errors import UsageError
from vivavoce.executors.local import LocalExecutor
from vivavoce.project.project import Project


def resources_of(tmp_path: Path, *, interactive: bool = False) -> RunResources:
    return RunResources(Project(root=tmp_path), RunSettings(interactive=interactive))


def test_local_is_an_executor_like_any_other(tmp_path: Path):
    assert isinstance(executor_for("local", 4, resources_of(tmp_path, interactive=True)), LocalExecutor)


def test_a_person_can_only_be_asked_here(tmp_path: Path):
    with pytest.raises(UsageError, match="--interactive does not go with --executor ray"):
        executor_for("ray", 4, resources_of(tmp_path, interactive=True))


def test_an_unknown_executor_is_told_with_the_nearest_known_one(tmp_path: Path):
    with pytest.raises(UsageError, match=r"unknown executor 'rai' .*did you mean 'ray'"):
        executor_for("rai", 4, resources_of(tmp_path))
