"""A history of 500 runs with 1,000 cases each, for the pages of `viva view`. Seeded."""

import random
from datetime import UTC, datetime
from pathlib import Path

from vivavoce.model.case import Case, Origin
from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Status, Summary
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.results.history.database import open_to_write, transaction
from vivavoce.results.history.fact_store import add_facts, fact_row, run_number
from vivavoce.results.history.facts import CaseFacts, facts_of
from vivavoce.results.history.writing import NewResult, RunWriter
from vivavoce.results.rows import row_line

RUNS, CASES = 500, 1_000
WITH_ROWS = 2
"""The newest runs have their conversations too; writing half a million of them would take minutes."""
_HOUR_S = 3_600


def write_many_runs(path: Path) -> None:
    draw = random.Random(19)
    store = open_to_write(path)
    try:
        for run in range(RUNS):
            began = 1_700_000_000 + run * _HOUR_S
            started = datetime.fromtimestamp(began, UTC).isoformat()
            info = RunInfo(run_id=f"run-{run:04}", started_at=started, agent_id="shop", total_cases=CASES)
            results = [_result(draw, began, case) for case in range(CASES)]
            passed = sum(one.status is Status.PASSED for one in results)
            totals = Summary(total=CASES, passed=passed, failed=CASES - passed, duration_ms=60_000)
            has_rows = run >= RUNS - WITH_ROWS
            rows = [NewResult(one.case.key, one.status, row_line(one), None) for one in results] if has_rows else []
            RunWriter(store, info).append(rows, totals, finished=True)
            with transaction(store):
                found = (facts_of(info, one) for one in results)
                facts: list[CaseFacts] = [one for one in found if one is not None]
                add_facts(store, run_number(store, info), [fact_row(one) for one in facts])
                store.execute("UPDATE runs SET facts_upto = results")
    finally:
        store.close()


def _result(draw: random.Random, began: int, number: int) -> CaseResult:
    status = Status.PASSED if draw.random() < (0.7 if number % 25 == 0 else 0.998) else Status.FAILED
    reply = AgentReply(text=f"answer {draw.randrange(3)}", usage=Usage(800, 76, 0.0031))
    turn = Turn(number=1, line=Line(content="ask"), reply=reply)
    attempt = Attempt(
        status=status,
        transcript=Transcript(turns=(turn,)),
        started_ms=began * 1000 + number,
        duration_ms=draw.lognormvariate(7, 0.5),
    )
    case = Case(id=f"T{number:04}", origin=Origin("tests/shop.jsonl", number + 1))
    return CaseResult(case=case, status=status, attempts=(attempt,))
