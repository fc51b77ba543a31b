"""The tables of per-case facts, kept when runs are removed.

`ready_facts` takes those of a batch in one piece when its results are written, which costs little. In the other tables,
where questions find them, `sort_in` puts them later.

A result is identified by its case, its agent and the millisecond it began: the same result from another file, a
merged or a resumed run is not counted twice.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from vivavoce.model.json_value import JsonValue
from vivavoce.model.result import UNSUCCESSFUL, RunInfo, Status
from vivavoce.results.history.facts import CaseFacts, packed_attempts, unpacked_attempts

FACT_TABLES = """
CREATE TABLE IF NOT EXISTS fact_runs (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,
  title TEXT,
  revision TEXT,
  branch TEXT,
  dirty INTEGER
);
CREATE TABLE IF NOT EXISTS fact_cases (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  agent TEXT NOT NULL,
  id TEXT NOT NULL,
  UNIQUE (key, agent)
);
CREATE TABLE IF NOT EXISTS facts (
  case_no INTEGER NOT NULL,
  started INTEGER NOT NULL,
  run INTEGER NOT NULL,
  status TEXT NOT NULL,
  case_hash TEXT NOT NULL,
  configuration TEXT NOT NULL,
  source TEXT,
  reply TEXT NOT NULL,
  attempts BLOB NOT NULL,
  PRIMARY KEY (case_no, started)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ready_facts (
  run INTEGER NOT NULL,
  start INTEGER NOT NULL,
  facts BLOB NOT NULL,
  PRIMARY KEY (run, start)
);
"""
MOST_FACTS = 500_000
"""Case results remembered; with more, the oldest tenth is forgotten."""
FACTS_QUESTION = """
SELECT c.key, c.id, c.agent, f.started, f.status, f.case_hash, f.configuration, f.source, f.reply, f.attempts,
       r.id, r.revision, r.branch, r.dirty, r.title
FROM facts f JOIN fact_cases c ON c.no = f.case_no JOIN fact_runs r ON r.no = f.run
"""
_WORDS = [json_word.encode().hex() for json_word in (f'"{status.value}"' for status in sorted(UNSUCCESSFUL))]
_NOT_PASSED = " OR ".join(f"instr(attempts, x'{word}')" for word in _WORDS)
UNSTEADY = f" WHERE f.case_no IN (SELECT DISTINCT case_no FROM facts WHERE {_NOT_PASSED})"
"""For `read_facts`: the cases of which at least one attempt did not pass, also in a result that counts as passed."""
_IN_ORDER = " ORDER BY f.case_no, f.started"
_STATUS = {status.value: status for status in Status}
FactRow = tuple[str, str, str, int, str, str, str, str | None, str, bytes]
"""The facts of a case in a run: key, agent, id, started, status, case_hash, configuration, source, reply, attempts."""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[FactRow]).decode


def run_number(store: sqlite3.Connection, info: RunInfo) -> int:
    """Returns the number of a run among those that facts are kept of; adds it when it is new."""
    dirty = None if info.dirty is None else int(info.dirty)
    named = (info.run_id, info.started_at, info.title, info.revision, info.branch)
    texts = [None if text is None else storable(text) for text in named]
    store.execute(
        "INSERT OR IGNORE INTO fact_runs (id, started, title, revision, branch, dirty) VALUES (?, ?, ?, ?, ?, ?)",
        (*texts, dirty),
    )
    return store.execute("SELECT no FROM fact_runs WHERE id = ?", (texts[0],)).fetchone()[0]


def fact_row(facts: CaseFacts) -> FactRow:
    return (
        storable(facts.key),
        storable(facts.agent),
        storable(facts.case_id),
        facts.started_ms,
        facts.status.value,
        facts.case_hash,
        facts.configuration_hash,
        facts.source_hash,
        facts.reply_digest,
        packed_attempts(facts.attempts),
    )


def packed_rows(rows: Sequence[FactRow]) -> bytes:
    """The facts of a batch of results, for `ready_facts`."""
    return zlib.compress(_encode(rows), 1)


def unpacked_rows(body: bytes) -> list[FactRow]:
    """Raises zlib.error or msgspec.MsgspecError for what was not packed here."""
    return _decode(zlib.decompress(body))


def add_facts(store: sqlite3.Connection, run: int, rows: Sequence[FactRow]) -> int:
    """Adds what is not there yet, inside the caller's transaction; returns how many were new."""
    store.executemany("INSERT OR IGNORE INTO fact_cases (key, agent, id) VALUES (?, ?, ?)", [row[:3] for row in rows])
    before = store.total_changes
    # The numbers are places in a row. The id is not needed again.
    store.executemany(
        f"INSERT OR IGNORE INTO facts SELECT no, ?4, {run:d}, ?5, ?6, ?7, ?8, ?9, ?10"
        " FROM fact_cases WHERE key = ?1 AND agent = ?2",
        rows,
    )
    return store.total_changes - before


def read_facts(store: sqlite3.Connection, where: str = "", values: Iterable[JsonValue] = ()) -> Iterator[CaseFacts]:
    """Yields facts, those of one case and agent together and oldest first."""
    for row in store.execute(f"{FACTS_QUESTION}{where}{_IN_ORDER}", tuple(values)):
        key, case_id, agent, started, status, case, configuration, source, reply, attempts, *of_run = row
        run_id, revision, branch, dirty, title = of_run
        yield CaseFacts(
            key=key,
            case_id=case_id,
            agent=agent,
            started_ms=started,
            status=_STATUS[status],
            case_hash=case,
            configuration_hash=configuration,
            source_hash=source,
            reply_digest=reply,
            attempts=unpacked_attempts(attempts),
            run_id=run_id,
            revision=revision,
            branch=branch,
            dirty=None if dirty is None else bool(dirty),
            title=title,
        )


def forget_oldest(store: sqlite3.Connection, most: int = MOST_FACTS) -> None:
    """Removes the oldest results, inside the caller's transaction, once there are more than `most`."""
    (found,) = store.execute("SELECT count(*) FROM facts").fetchone()
    if found <= most:
        return
    kept = most - most // 10
    (since,) = store.execute(
        "SELECT started FROM facts ORDER BY started DESC LIMIT 1 OFFSET ?", (max(kept - 1, 0),)
    ).fetchone()
    store.execute("DELETE FROM facts WHERE started < ?", (since,))
    store.execute("DELETE FROM fact_runs WHERE no NOT IN (SELECT DISTINCT run FROM facts)")
    store.execute("DELETE FROM fact_cases WHERE no NOT IN (SELECT DISTINCT case_no FROM facts)")


def storable(text: str) -> str:
    """Replaces half surrogate pairs, which SQLite cannot store as text."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
