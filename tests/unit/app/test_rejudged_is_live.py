"""Nothing changed, so every recorded verdict comes out again: all assertion types, through real files and helpers.

The property over random conversations at the agents' socket is in tests/unit/engine/test_rejudge.py; this page adds the
types that look at more than the transcript, and the way through case file, result file and snapshots.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.fakes.assertion_table import ROWS
from tests.fakes.world import write

import vivavoce
from vivavoce.model.result import Attempt, CaseResult
from vivavoce.plugins.catalog import ASSERTIONS

pytestmark = pytest.mark.process

TIMED = {"latency", "max_duration_ms", "max_gap_ms"}
"""Their reasons tell times, which a result file keeps to the microsecond."""
BY_CASES = {"script_test"}
"""Judges a script test; no case file can ask for it."""
FAKED = {"agent", "script", "snapshot"}
"""Types whose rows need the fakes of the table."""
REPLIES: list[Any] = [
    "Paid 5 EUR.",
    {"content": "Paid 5 EUR.", "tool_calls": [{"name": "pay", "args": {"amount": 5}, "result": {"ok": True}}]},
    {"content": "Shipped.", "tool_calls": [{"name": "pay"}, {"name": "ship", "args": {"to": "Bern"}, "error": "no"}]},
    {"content": "", "data": {"status": "paid", "items": [1, 2]}, "tool_calls": []},
    {"content": '{"a": 1}', "tool_calls": [], "usage": {"input_tokens": 10, "output_tokens": 5, "cost_usd": 0.01}},
    {"content": "What is your name?", "tool_calls": [{"name": ""}]},
    {"content": "Sorry", "finish_reason": "length", "tool_calls": []},
]
PROJECT = {
    "viva.yaml": "agents:\n  judge: {python: helpers.py:judge}\n",
    "helpers.py": "import json\n\n\ndef judge(text):\n"
    '    asked = json.loads(text)["output"]\n'
    '    return json.dumps({"passed": "5" in str(asked), "score": 0.5, "reason": f"saw {asked}"})\n',
    "scripts/checks.py": "def short(output):\n"
    '    return {"pass": len(str(output)) < 12, "message": f"{len(str(output))} characters"}\n\n\n'
    "def broken(output):\n    raise KeyError(output)\n",
    "shop/app.py": "print(1)\n",
    "shop/keep.txt": "as it was\n",
    "shop/old.txt": "x\n",
    "shop/data/order.json": '{"status": "open"}',
}
REAL: list[dict[str, Any]] = [
    {"type": "agent", "use": "judge", "value": "names the amount"},
    {"type": "agent", "use": "judge", "value": "names the amount", "votes": 3, "threshold": 0.4},
    {"type": "script", "use": "scripts:checks.short"},
    {"type": "script", "use": "scripts:checks.broken"},
    {"type": "snapshot"},
    {"type": "snapshot", "of": "tools", "results": True},
    {"type": "snapshot", "of": "conversation", "name": "talk"},
]
"""Checks that ask somebody, in place of the table's fakes."""


def _refused(fields: dict[str, Any]) -> bool:
    """Whether a case file may not say this."""
    return str(fields.get("path", "")).startswith("..")


CHECKS = [
    *(
        {"type": row.type, **row.fields}
        for row in ROWS
        if row.type not in FAKED | BY_CASES and not _refused(row.fields)
    ),
    *REAL,
]
_LISTS = st.lists(st.tuples(st.sampled_from(CHECKS), st.booleans()), max_size=3)


def _negated(check: dict[str, Any]) -> dict[str, Any]:
    return check if check["type"] == "snapshot" else {**check, "negate": True}


@st.composite
def cases(draw: st.DrawFn, number: int) -> dict[str, Any]:
    def some() -> list[dict[str, Any]]:
        return [_negated(check) if turn_round else check for check, turn_round in draw(_LISTS)]

    def line() -> str:
        return str(draw(st.integers(0, len(REPLIES) - 1)))

    fields: dict[str, Any] = {"id": f"T{number}", "workspace": "shop"}
    if draw(st.booleans()):
        return {**fields, "input": line(), "assert": some()}
    fields["turns"] = [{"input": line(), "assertions": some()} for _ in range(draw(st.integers(1, 3)))]
    fields["on_missing_input"] = draw(st.sampled_from(["skip", "fail", "end"]))
    fields["assertions" if draw(st.booleans()) else "final_assertions"] = some()
    if draw(st.booleans()):
        wanted = [check for check in some() if check["type"] != "snapshot"]
        fields["checkpoints"] = [{"id": "c", "assert": wanted, "required": draw(st.booleans())}] if wanted else []
    return {key: value for key, value in fields.items() if value != []}


def agent(messages: list[dict[str, Any]], context: dict[str, Any]) -> Any:
    """Leaves something behind, and answers what the line asks for."""
    folder = Path(context["workspace"])
    write(folder, {"app.py": "print(2)\n", "data/order.json": '{"status": "paid"}', "new.txt": "hello\n"})
    (folder / "old.txt").unlink(missing_ok=True)
    return REPLIES[int(messages[-1]["content"])]


def told(attempt: Attempt) -> Any:
    """Everything that judging decides."""
    verdicts = [
        (v.spec, v.outcome, v.score, v.fault, None if v.spec and v.spec.type in TIMED else v.reason)
        for v in (*attempt.all_verdicts(), *(v for c in attempt.checkpoints for v in c.verdicts))
    ]
    reached = [(c.id, c.reached_at_turn) for c in attempt.checkpoints]
    return attempt.status, attempt.fault, verdicts, reached, len(attempt.transcript.turns)


def all_told(results: Sequence[CaseResult]) -> dict[str, Any]:
    return {result.case.id: [told(attempt) for attempt in result.attempts] for result in results}


def judged_twice(folder: Path, written: Sequence[dict[str, Any]]) -> list[CaseResult]:
    """Runs the cases twice (snapshots are written, then compared), judges the second run again and compares."""
    shutil.rmtree(folder, ignore_errors=True)
    write(folder, PROJECT)
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in written))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CI", raising=False)
        vivavoce.run("cases.jsonl", agent=agent, outputs="first.jsonl", history=False)
        # A case that fails otherwise has no snapshot yet. Only CI calls that a failure, as judging again does.
        patch.setenv("CI", "1")
        live = vivavoce.run("cases.jsonl", agent=agent, outputs="out.jsonl", history=False)
        again = vivavoce.rejudge("out.jsonl")
        assert all_told(again.results) == all_told(live.results)
    return list(live.results)


def test_every_type_at_every_place(tmp_path: Path):
    written: list[dict[str, Any]] = []
    for at, check in enumerate(CHECKS):
        reply = str(at % len(REPLIES))
        last: dict[str, Any] = {"workspace": "shop", "id": f"case-{at}", "input": reply, "assert": [check]}
        turns = [{"input": "1", "assertions": [check]}, {"input": reply}]
        ways = [last, {"workspace": "shop", "id": f"turn-{at}", "turns": turns, "final_assertions": [check]}]
        if check["type"] != "snapshot":
            lines = [{"input": line} for line in ("1", reply, "0")]
            tried = {"id": f"tried-{at}", "turns": lines, "checkpoints": [{"id": "c", "assert": [check]}]}
            ways.append({"workspace": "shop", **tried})
        written += ways
    seen = judged_twice(tmp_path / "project", written)
    judged = {v.spec.type for result in seen for one in result.attempts for v in one.all_verdicts() if v.spec}
    assert judged == set(ASSERTIONS.built_in) - BY_CASES


@settings(
    max_examples=5,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_random_cases(tmp_path: Path, data: st.DataObject):
    judged_twice(tmp_path / "project", [data.draw(cases(number)) for number in range(15)])


def test_a_script_test_is_judged_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    tests = "def test_holds(t, ctx):\n    t.assert_.True_(True)\n\n\ndef test_fails(t, ctx):\n    t.fatal('no')\n"
    write(tmp_path, {"assistants/shop/package.yao": '{"name": "Shop"}', "assistants/shop/src/things_test.py": tests})
    monkeypatch.chdir(tmp_path)
    live = vivavoce.run("scripts.shop.things", outputs="out.jsonl", history=False)
    assert len(live.results) == 2
    assert all_told(vivavoce.rejudge("out.jsonl").results) == all_told(live.results)


def test_the_lists_of_this_page_are_whole():
    assert {check["type"] for check in CHECKS} | BY_CASES == set(ASSERTIONS.built_in)
