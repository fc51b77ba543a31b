"""No conversation is green while anything it was to show is missing: generated scripts, checkpoints, simulators."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.surroundings import write_files

from vivavoce.app.examine import examine
from vivavoce.app.request import RunRequest
from vivavoce.project.run_defaults import RunDefaults

pytestmark = pytest.mark.slow

AGENT = """
def says(messages):
    return "this is DONE"

def asks(messages):
    return "this is DONE. What else?"

def deletes(messages):
    return {"content": "this is DONE", "awaiting_input": True, "tool_calls": [{"name": "delete_all", "args": {}}]}
"""
NO_LINE = {
    "raises": "raise ValueError('no idea')",
    "raises an exit": "raise SystemExit(0)",
    "stops": "raise StopIteration",
    "nothing": "return None",
    "empty": "return ''",
    "blank": "return ' \\n'",
    "false": "return False",
    "list": "return []",
    "other object": "return {'foo': 1}",
    "no number": "return float('nan')",
    "half JSON": "return '{\"message\": '",
    "error": "return {'error': 'no idea'}",
}
"""What a simulator does that has nothing to say."""
HOLDS, FAILS = {"type": "contains", "value": "DONE"}, {"type": "contains", "value": "NEVER"}
CONFIG = {
    "agents": {name: {"python": f"agent.py:{name}"} for name in ("says", "asks", "deletes")},
    "agent": "says",
    "run": {"max_turns": 6},
}
CHECKS = st.lists(st.booleans(), max_size=2)
SCRIPTS = st.fixed_dictionaries(
    {
        "turns": st.lists(CHECKS, min_size=1, max_size=4),
        "checkpoints": st.lists(st.tuples(st.booleans(), st.booleans()), max_size=3),
        "final": CHECKS,
        "runs": st.integers(1, 3),
        "agent": st.sampled_from(["says", "asks"]),
    }
)


def checks(holding: list[bool]) -> list[dict[str, str]]:
    return [HOLDS if holds else FAILS for holds in holding]


def case_of(script: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The case, and whether everything that it asks for holds."""
    case = {
        "agent": script["agent"],
        "on_missing_input": "end",
        "turns": [{"input": f"line {n}", "assert": checks(turn)} for n, turn in enumerate(script["turns"])],
        "final_assertions": checks(script["final"]),
        "runs": script["runs"],
    }
    if script["checkpoints"]:
        case["checkpoints"] = [
            {"id": f"c{n}", "assert": checks([holds]), "required": required}
            for n, (holds, required) in enumerate(script["checkpoints"])
        ]
    required = [holds for holds, is_required in script["checkpoints"] if is_required]
    return case, all([*script["final"], *required, *(one for turn in script["turns"] for one in turn)])


def statuses(cases: list[dict[str, Any]], folder: Path, patch: pytest.MonkeyPatch) -> list[str]:
    patch.chdir(folder)
    scripts = {f"scripts/s{n}.py": f"def s{n}(messages):\n    {does}\n" for n, does in enumerate(NO_LINE.values())}
    write_files(folder, {"viva.yaml": json.dumps(CONFIG), "agent.py": AGENT, **scripts})
    lines = [json.dumps({"id": f"T{n}", **case}) for n, case in enumerate(cases)]
    (folder / "cases.jsonl").write_text("\n".join(lines) + "\n")
    asked = RunRequest.of({"inputs": ("cases.jsonl",), "outputs": ("out.jsonl",), "history": False}, {})
    (folder / "out.jsonl").unlink(missing_ok=True)
    asyncio.run(examine(asked.with_defaults(RunDefaults())))
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    found = {row["id"]: row["status"] for row in rows if row["type"] == "result"}
    return [found[f"T{n}"] for n in range(len(cases))]


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(scripts=st.lists(SCRIPTS, min_size=20, max_size=20))
def test_a_conversation_passes_exactly_when_all_it_asks_for_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scripts: list[dict[str, Any]]
):
    cases, expected = zip(*map(case_of, scripts), strict=True)
    found = statuses(list(cases), tmp_path, monkeypatch)
    for case, holds, status in zip(cases, expected, found, strict=True):
        assert (status == "passed") is holds, (status, case)


FORMS: dict[str, dict[str, Any]] = {
    "alone": {},
    "after a line": {"turns": [{"input": "hi"}], "agent": "asks"},
    "after a line that is checked": {"turns": [{"input": "hi", "assert": HOLDS}], "agent": "asks"},
    "with checks at the end": {"turns": [{"input": "hi"}], "agent": "asks", "final_assertions": [HOLDS]},
    "before a checkpoint": {"turns": [{"input": "hi"}], "agent": "asks", "checkpoints": [{"id": "c", "assert": FAILS}]},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_simulator_that_has_nothing_to_say_is_never_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str):
    cases = [{**FORMS[form], "simulator": {"use": f"scripts:s{n}"}} for n in range(len(NO_LINE))]
    found = statuses(cases, tmp_path, monkeypatch)
    green = [does for does, status in zip(NO_LINE, found, strict=True) if status not in ("error", "failed")]
    assert green == []


@pytest.mark.parametrize(
    ("check", "status"),
    [
        ({"text": {"must_not_match": "DONE"}}, "failed"),
        ({"tools": {"forbid": ["delete_all"]}}, "failed"),
        ([{"type": "tool_called", "value": "delete_all", "negate": True}], "failed"),
        ({"tools": {"forbid": ["something_else"]}}, "skipped"),
        ([FAILS], "skipped"),
    ],
    ids=str,
)
def test_what_no_further_line_could_mend_fails_though_nobody_had_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: Any, status: str
):
    script = {"agent": "deletes", "turns": [{"input": "one"}, {"input": "two"}]}
    assert statuses([{**script, "assert": check}], tmp_path, monkeypatch) == [status]
