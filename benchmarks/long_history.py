"""A history of 100,000 case results: 500 cases in 200 runs, every tenth of them flaky. Seeded."""

import random
from pathlib import Path

from vivavoce.model.result import RunInfo, Status
from vivavoce.results.history.database import open_to_write, transaction
from vivavoce.results.history.fact_store import add_facts, fact_row, run_number
from vivavoce.results.history.facts import AttemptFact, CaseFacts

RUNS, CASES = 200, 500
_FLAKY_RATE, _STEADY_RATE = 0.6, 0.9995
_HOUR_MS = 3_600_000


def write_long_history(path: Path) -> None:
    """Writes the facts as runs leave them in `.viva/history.db`."""
    draw = random.Random(18)
    store = open_to_write(path)
    try:
        with transaction(store):
            for run in range(RUNS):
                info = RunInfo(
                    run_id=f"r{run}", started_at="2026-11-16T00:00:00Z", agent_id="shop", revision=f"{run:040}"
                )
                add_facts(store, run_number(store, info), [fact_row(_fact(draw, run, case)) for case in range(CASES)])
    finally:
        store.close()


def _fact(draw: random.Random, run: int, case: int) -> CaseFacts:
    passed = draw.random() < (_STEADY_RATE if case % 10 else _FLAKY_RATE)
    status = Status.PASSED if passed else Status.FAILED
    return CaseFacts(
        key=f"tests/shop.jsonl::T{case:03}",
        case_id=f"T{case:03}",
        agent="shop",
        started_ms=1_700_000_000_000 + run * _HOUR_MS + case,
        status=status,
        case_hash="c" * 16,
        configuration_hash="d" * 16,
        source_hash="s" * 16,
        reply_digest="f" * 12,
        attempts=(AttemptFact(status, None if passed else "agent", 1_234.5, 800, 76, 0.0031),),
    )
