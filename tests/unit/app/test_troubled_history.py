"""A history that is damaged, locked, older or newer: a clear message from what asks it, and a run goes on."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.examine import examine
from vivavoce.cli.main import viva
from vivavoce.errors import VivaError
from vivavoce.results.history import database
from vivavoce.results.history.reading import History

GOOD = {"id": "A", "input": "hi", "expected": "echo: hi"}
BAD = {"id": "B", "input": "hi", "expected": "no"}
ASKING = [
    "history",
    "history --case A",
    "flaky",
    "baseline set main",
    "diff last~1 last",
    "view --no-browser",
    "show last",
]
"""Commands that cannot do without the history."""


@pytest.fixture
async def store(root: Path, request_for: MakeRequest) -> Path:
    """Three runs, their facts sorted in, and a baseline as a file."""
    for _ in range(2):
        await examine(request_for(GOOD, BAD, agent="a", runs=2))
    await examine(request_for(GOOD, BAD, agent="a", runs=2, baseline="main", update_baseline=True))
    path = root / ".viva" / "history.db"
    assert len(History(path).facts("A")) == 3
    return path


def changed(store: Path, *statements: str) -> None:
    connection = sqlite3.connect(store)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def invoked(command: str) -> Result:
    """Runs a command outside the event loop of the test: some have their own."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(CliRunner().invoke, viva, command.split(), standalone_mode=False).result()


def asked(command: str) -> str:
    """Returns what a person is told; the command must not break in another way."""
    done = invoked(command)
    assert isinstance(done.exception, VivaError), (command, done.output, done.exception)
    return str(done.exception)


async def runs_on(request_for: MakeRequest, capsys: pytest.CaptureFixture[str]) -> str:
    """Every way in which a run asks the history by the way; returns what it warned of."""
    capsys.readouterr()
    outcome = await examine(request_for(GOOD, BAD, agent="a", runs=2, baseline="main", order="risk"))
    assert (outcome.summary.passed, outcome.summary.failed, outcome.exit_code) == (1, 1, 0)
    return capsys.readouterr().err


@pytest.mark.parametrize("command", ASKING)
async def test_a_newer_one_is_left_alone(store: Path, command: str):
    changed(store, "PRAGMA user_version = 99")
    assert "written by a newer viva (version 99" in asked(command)
    assert "update viva" in asked(command)


async def test_a_run_goes_on_beside_a_newer_one(
    store: Path, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    changed(store, "PRAGMA user_version = 99")
    said = await runs_on(request_for, capsys)
    assert "the order knows nothing of earlier runs" in said
    assert "this run is not (wholly) in the history" in said


@pytest.mark.parametrize("command", [*ASKING, "history import out.jsonl"])
async def test_a_damaged_one_is_set_aside(store: Path, command: str):
    store.write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    assert "the history was damaged and is set aside as history.damaged-" in asked(command)
    assert not store.exists()


async def test_a_run_goes_on_after_a_damaged_one(
    store: Path, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    store.write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    assert "was damaged and is set aside" in await runs_on(request_for, capsys)
    assert len(History(store).runs()) == 1, "the next history has this run"


@pytest.mark.parametrize(
    "damage", ["UPDATE facts SET attempts = x'5b5b'", "UPDATE facts SET status = 'nonsense'", "DROP TABLE facts"]
)
async def test_damaged_facts_are_a_message_and_a_run_goes_on(
    store: Path, damage: str, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    kept = store.read_bytes()
    changed(store, damage)
    assert "the history was damaged" in asked("history --case A")
    store.write_bytes(kept)
    changed(store, damage)
    await runs_on(request_for, capsys)


@pytest.fixture
def locked(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(database, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(database, "_BUSY_S", 0.0)
    holder = sqlite3.connect(store, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    holder.execute("UPDATE runs SET finished = finished")
    yield
    holder.close()


@pytest.mark.usefixtures("locked")
@pytest.mark.parametrize("command", [*ASKING, "history import out.jsonl"])
async def test_a_locked_one_says_that_another_program_holds_it(store: Path, command: str):
    said = asked(command)
    assert "database is locked" in said
    assert "another program holds it" in said
    assert store.exists(), "nothing is wrong with the file"


@pytest.mark.usefixtures("locked")
async def test_a_run_goes_on_beside_a_locked_one(request_for: MakeRequest, capsys: pytest.CaptureFixture[str]):
    assert "database is locked" in await runs_on(request_for, capsys)


OLDER: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE batches ADD COLUMN outcomes BLOB NOT NULL DEFAULT ''",
        "ALTER TABLE batches ADD COLUMN heads BLOB NOT NULL DEFAULT ''",
    ),
    2: (),
    3: (),
}
_FACT_TABLES = ("facts", "fact_cases", "fact_runs")


@pytest.mark.parametrize("version", OLDER)
async def test_an_older_one_is_read_and_then_brought_up_to_date(
    store: Path, version: int, request_for: MakeRequest, capsys: pytest.CaptureFixture[str]
):
    without_facts = [f"DROP TABLE {name}" for name in _FACT_TABLES] if version < 3 else []
    back = ("ALTER TABLE runs DROP COLUMN facts_upto", f"PRAGMA user_version = {version}")
    changed(store, *OLDER[version], *without_facts, *back)
    for command in ("history", "flaky", "diff last~1 last", "show last", "baseline set other"):
        done = invoked(command)
        assert done.exception is None, (command, done.exception)
    assert "damaged" not in await runs_on(request_for, capsys)
    assert len(History(store).facts("A")) == 4
