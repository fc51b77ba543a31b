"""`--before` and `--after` around a whole run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import FakeResources, case_of
from tests.fakes.results import run_info, summary_of
from tests.fakes.surroundings import write_files

from vivavoce.app.run_hooks import RunHooks
from vivavoce.engine.wiring import RunSettings
from vivavoce.errors import CallFailed, UsageError
from vivavoce.project.settings import Config

HOOKS = """
def before(run): return {"WORD": "moin"}
def after(run, summary, data): open(FILE, "w").write(f"{summary['total']} {data['WORD']}")
def breaks(run): raise ValueError("boom")
"""


@asynccontextmanager
async def hooks(root: Path, before: str | None, after: str | None) -> AsyncIterator[tuple[RunHooks, FakeResources]]:
    write_files(root, {"scripts/around.py": f"FILE = {str(root / 'after')!r}\n{HOOKS}"})
    resources = FakeResources({"fake": FakeTarget()}, RunSettings(agent="agents:viva.simulator"), root, Config())
    try:
        yield RunHooks(before, after, resources, case_of(input="hi")), resources
    finally:
        await resources.close()


async def test_what_before_returns_is_a_variable_of_every_case_and_goes_to_after(tmp_path: Path):
    async with hooks(tmp_path, "around.before", "around.after") as (around, resources):
        await around.run_before(run_info(1))
        assert resources.variables == {"WORD": "moin"}
        await around.run_after(run_info(1), summary_of([]))
    assert (tmp_path / "after").read_text() == "0 moin"
    assert around.all_well


async def test_a_before_that_fails_is_raised(tmp_path: Path):
    async with hooks(tmp_path, "around.breaks", None) as (around, _):
        with pytest.raises(CallFailed, match="boom"):
            await around.run_before(run_info(1))


async def test_an_after_that_fails_is_a_warning_and_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    async with hooks(tmp_path, None, "around.breaks") as (around, _):
        await around.run_after(run_info(1), summary_of([]))
    assert not around.all_well
    assert "viva: warning: " in capsys.readouterr().err


@pytest.mark.parametrize(("before", "after", "flag"), [("nope.x", None, "--before"), (None, "nope.x", "--after")])
async def test_a_script_that_does_not_exist_is_told_at_its_flag(
    tmp_path: Path, before: str | None, after: str | None, flag: str
):
    with pytest.raises(UsageError) as caught:
        async with hooks(tmp_path, before, after):
            pass
    assert caught.value.at == flag
