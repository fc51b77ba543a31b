"""Facts are made from rows: when they are asked for, before a run is removed, and after a kill."""

import os
import sqlite3
import zlib
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.kept_runs import keep_run, kept_with, start_run
from tests.fakes.results import conversation, plain, timed_out, with_history, wrong_argument
from tests.unit.results.history.test_fact_store import at
from tests.unit.results.history.test_writing import wait_for

from vivavoce.model.case import ScriptedTurn
from vivavoce.model.events import CaseFinished
from vivavoce.results.attachments import AttachmentStore
from vivavoce.results.history import writing as writing_module
from vivavoce.results.history.database import open_to_write, transaction
from vivavoce.results.history.fact_store import unpacked_rows
from vivavoce.results.history.facts import case_hash, facts_of
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import packed
from vivavoce.results.history.sorting_in import sort_in
from vivavoce.results.rows import row_line


def asked(store: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(store)) as look:
        return look.execute(question).fetchall()


def changed(store: Path, *statements: str) -> None:
    with closing(sqlite3.connect(store)) as change, change:
        for statement in statements:
            change.execute(statement)


def waiting(store: Path) -> int:
    with sqlite3.connect(store) as look:
        (found,) = look.execute("SELECT sum(results - facts_upto) FROM runs").fetchone()
    look.close()
    return found


def test_a_run_leaves_its_facts_to_whoever_asks_for_them(store: Path):
    keep_run(store, "one", [at(plain("A"), 1), at(plain("B"), 2)])
    assert waiting(store) == 2
    assert [facts.case_id for facts in History(store).facts()] == ["A", "B"]
    assert waiting(store) == 0
    assert [facts.case_id for facts in History(store).each_fact()] == ["A", "B"]


def test_facts_made_from_rows_are_those_of_the_results(store: Path):
    results = [plain(), conversation(), wrong_argument(), timed_out()]
    keep_run(store, "one", results)
    info = History(store).runs()[0].info
    expected = {facts.key: facts for result in results if (facts := facts_of(info, result)) is not None}
    assert {facts.key: facts for facts in History(store).facts()} == expected


def test_the_facts_of_a_run_that_goes_on_are_there_and_later_ones_are_added(store: Path):
    live = start_run(store, "live", 2)
    live.handle(CaseFinished(at(plain("A"), 1)))
    wait_for(lambda: len(History(store).facts()) == 1)
    live.handle(CaseFinished(at(plain("B"), 2)))
    wait_for(lambda: len(History(store).facts()) == 2)
    live.close()  # no RunFinished: as if it had been killed
    assert [facts.case_id for facts in History(store).facts()] == ["A", "B"]


def test_rows_that_cannot_be_read_give_no_facts_and_hide_no_others(store: Path):
    keep_run(store, "one", [at(plain("A"), 1)])
    keep_run(store, "two", [at(plain("A"), 2), at(plain("B"), 3)])
    with sqlite3.connect(store) as change:
        change.execute("DELETE FROM ready_facts")
        change.execute("UPDATE batches SET rows = x'00' WHERE run = (SELECT no FROM runs WHERE id = 'one')")
        lines = packed([b'{"type": "result"}\n', row_line(at(plain("B"), 3))])
        change.execute("UPDATE batches SET rows = ? WHERE run = (SELECT no FROM runs WHERE id = 'two')", (lines,))
    change.close()
    assert [(facts.case_id, facts.run_id) for facts in History(store).facts()] == [("B", "two")]
    assert waiting(store) == 0


def test_a_case_with_an_attachment_is_known_by_its_bytes_not_by_their_name(store: Path):
    image = "data:image/png;base64," + b64encode(bytes(range(256)) * 4).decode()
    said = [{"type": "image_url", "image_url": {"url": image}}]
    case = structs.replace(plain().case, turns=(ScriptedTurn(content=said),))
    result = structs.replace(plain(), case=case)
    named = AttachmentStore(store.parent).keep(row_line(result))
    assert image.encode() not in named
    live = start_run(store, "one", 1)
    live.handle(CaseFinished(result, named))
    live.close()
    (facts,) = History(store).facts()
    assert facts.case_hash == case_hash(case)


def test_one_run_alone_can_be_sorted_in(store: Path):
    keep_run(store, "one", [at(plain("A"), 1)])
    keep_run(store, "two", [at(plain("A"), 2)])
    writing = open_to_write(store)
    with transaction(writing):
        sort_in(writing, store.parent, 1)
    writing.close()
    assert waiting(store) == 1


def test_what_is_too_much_at_once_waits_and_none_is_lost_or_made_twice(store: Path):
    keep_run(store, "one", [at(plain(f"A{n}"), n) for n in range(450)])
    keep_run(store, "two", [at(plain(f"B{n}"), n) for n in range(450)])
    writing = open_to_write(store)
    left: list[int] = []
    for _ in range(9):
        with transaction(writing):
            sort_in(writing, store.parent, most=250)
        left.append(waiting(store))
    writing.close()
    assert left[0] in range(500, 651)  # whole batches of at most 200
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0
    assert len({facts.case_id for facts in History(store).facts()}) == 900


def test_a_short_run_makes_few_facts_of_others(store: Path, monkeypatch: pytest.MonkeyPatch):
    keep_run(store, "long", [at(plain(f"A{n}"), n) for n in range(900)])
    monkeypatch.setattr(writing_module, "_MOST_WITHOUT_FACTS", 500)
    keep_run(store, "short", [at(plain("B"), 1)])
    assert waiting(store) == 901 - 200  # one batch: none is handled in part
    keep_run(store, "another", [at(plain(f"C{n}"), n) for n in range(450)])
    assert waiting(store) in range(501, 752)


def test_ready_facts_are_those_that_the_rows_give(store: Path):
    judged = [at(plain(), 1), at(conversation(), 2), at(wrong_argument(), 3), at(timed_out(), 4)]
    keep_run(store, "one", [*judged, at(with_history(), 5)])
    (ready,) = asked(store, "SELECT facts FROM ready_facts")
    from_ready = History(store).facts()
    assert len(unpacked_rows(ready[0])) == len(from_ready) == 5
    changed(store, "UPDATE runs SET facts_upto = 0", "DELETE FROM facts")
    assert History(store).facts() == from_ready


def test_facts_of_a_name_that_sqlite_cannot_hold_are_there_too(store: Path):
    odd = structs.replace(plain(), case=structs.replace(plain().case, id="half \ud83d"))
    keep_run(store, "one", [at(plain("A"), 1), at(odd, 2)])
    assert [facts.case_id for facts in History(store).facts()] == ["A", "half \\ud83d"]


def test_facts_that_were_sorted_in_are_not_kept_ready(store: Path):
    keep_run(store, "one", [at(plain(f"A{n}"), n) for n in range(450)])
    assert len(asked(store, "SELECT start FROM ready_facts")) > 1
    assert len(History(store).facts()) == 450
    assert asked(store, "SELECT start FROM ready_facts") == []


@pytest.mark.parametrize("packed", [b"\x00\xff", zlib.compress(b'[{"key":"a.jsonl::A","case_id":"A","agent":"bot"}]')])
def test_ready_facts_of_another_viva_or_of_nobody_are_made_from_the_rows(store: Path, packed: bytes):
    keep_run(store, "one", [at(plain("A"), 1)])
    changed(store, f"UPDATE ready_facts SET facts = x'{packed.hex()}'")
    assert [facts.case_id for facts in History(store).facts()] == ["A"]


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_store_from_before_facts_were_ready_gives_its_facts(store: Path, mode: int, monkeypatch: pytest.MonkeyPatch):
    keep_run(store, "one", [at(plain("A"), 1)])
    changed(store, "DROP TABLE ready_facts", "PRAGMA user_version = 4")
    if mode == 0o400:
        monkeypatch.setattr(History, "_sorted_in", lambda _: False)  # as where it may not be written
    assert [facts.case_id for facts in History(store).facts()] == ["A"]
    assert (mode == 0o400) == (asked(store, "PRAGMA user_version") == [(4,)])


def test_removed_runs_leave_facts_without_anybody_asking(store: Path):
    kept_with(store, "one", [at(plain("A"), 1)], keep=1)
    kept_with(store, "two", [at(plain("A"), 2)], keep=1)
    assert [facts.run_id for facts in History(store).facts()] == ["one", "two"]


def test_a_store_that_cannot_be_written_to_still_gives_all_facts(store: Path, monkeypatch):  # type: ignore[no-untyped-def]
    keep_run(store, "one", [at(plain("A"), 1)])
    if os.geteuid() == 0:  # root may write everywhere: then the opening itself refuses

        def refuse(_: Path) -> sqlite3.Connection:
            raise sqlite3.OperationalError("attempt to write a readonly database")

        monkeypatch.setattr("vivavoce.results.history.reading.open_to_write", refuse)
    else:
        store.chmod(0o400)
        store.parent.chmod(0o500)
    assert [facts.case_id for facts in History(store).facts()] == ["A"]
    store.parent.chmod(0o700)
    assert waiting(store) == 1
