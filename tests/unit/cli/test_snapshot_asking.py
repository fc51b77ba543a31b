"""A person decides about each value that was seen."""

import asyncio
from pathlib import Path

from tests.unit.speakers.seat import seat

from vivavoce.app.snapshot_review import Pending, SeenValue
from vivavoce.cli.snapshot_asking import ask_about
from vivavoce.model.case import AssertionSpec, Case, Origin
from vivavoce.snapshots.places import snap_of
from vivavoce.snapshots.snap_file import SnapFile


def pending(folder: Path, *values: str) -> Pending:
    file = folder / "a.jsonl"
    file.write_text("{}")
    seen = tuple(SeenValue(value, ("seen in run 1 of 2",)) for value in values)
    return Pending(Case(id="A", origin=Origin(str(file), 1)), "output", AssertionSpec(type="snapshot"), seen)


async def decide(one: Pending, *answers: str) -> str:
    with seat() as person:
        asking = asyncio.create_task(ask_about([one], person.terminal))
        for answer in answers:
            await person.sees("uit")
            person.type(f"{answer}\n")
        return await asking


async def test_skipping_a_value_shows_the_next_one_that_was_seen(tmp_path: Path):
    assert await decide(pending(tmp_path, "one", "two"), "s", "a") == "1 accepted, 0 kept, 0 skipped"
    assert SnapFile(snap_of(tmp_path / "a.jsonl")).approved() == {"A": {"output": "two"}}


async def test_keeping_decides_about_all_values(tmp_path: Path):
    told = await decide(pending(tmp_path, "one", "two"), "k")
    assert told == "0 accepted, 1 kept (the agent is to be changed), 0 skipped"
    assert not snap_of(tmp_path / "a.jsonl").exists()


async def test_nothing_to_decide_is_said(tmp_path: Path):
    with seat() as person:
        assert "nothing to review" in await ask_about([], person.terminal)
