"""`viva validate` and `viva test` refuse the same things, before anything runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from vivavoce.app.opening import open_project
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.app.validating import checked
from vivavoce.engine.plan.plan import Selection
from vivavoce.errors import VivaError

AGENT = "def echo(messages):\n    return {'content': messages[-1]['content']}\n"
CONFIG = "agent: echo\nagents:\n  echo: {python: 'agent.py:echo'}\n"
GOOD: dict[str, Any] = {"id": "A", "input": "hello there"}


def with_assert(**fields: Any) -> dict[str, Any]:
    return {**GOOD, "assert": fields}


CASES: list[Any] = [
    *({**GOOD, **wrong} for wrong in ({"turns": [{"input": "x"}]}, {"inptu": "x"}, {"timeout": "5x"}, {"runs": 0})),
    *({**GOOD, **wrong} for wrong in ({"min_pass": 3, "runs": 2}, {"tags": 3}, {"agent": "nobody"}, {"priority": 9})),
    *(
        {**GOOD, **wrong}
        for wrong in ({"options": 3}, {"faults": ["model:429"]}, {"mocks": [{"name": "x", "answer": 1}]})
    ),
    *({**GOOD, **wrong} for wrong in ({"faults": ["nonsense"]}, {"mocks": [{"nme": "x"}]}, {"workspace": "nowhere"})),
    *({**GOOD, **wrong} for wrong in ({"min_score": 2}, {"min_score": 0}, {"simulator": {"use": "nobody"}}, {"id": 3})),
    *({**GOOD, **wrong} for wrong in ({"before": "scripts:nowhere"}, {"attachments": ["no.png"]}, {"assert": "x"})),
    *({**GOOD, **wrong} for wrong in ({"messages": {"use": "scripts:nowhere"}}, {"checkpoints": [{"id": "c"}]})),
    *({**GOOD, **wrong} for wrong in ({"resume": {"approved": True, "x": []}}, {"user": 3}, {"weight": 1})),
    {"id": "A"},
    {"id": "A", "turns": []},
    {"id": "A", "turns": [{"inpt": "x"}]},
    {"id": "A", "turns": [{"input": "x", "assert": {"type": "contians", "value": "x"}}]},
    {"id": "A", "input": ""},
    "text",
    3,
    with_assert(type="contians", value="x"),
    with_assert(type="contains", value=""),
    with_assert(type="contains"),
    with_assert(type="contains", vlaue="x"),
    with_assert(type="regex", value="("),
    with_assert(type="regex", value="/x/"),
    with_assert(type="regex", value="x*"),
    with_assert(type="json_path", value=1, path="$.a["),
    with_assert(type="json_schema", value={"type": "objekt"}),
    with_assert(type="similar", value="x", threshold=2),
    with_assert(type="latency", value="5x"),
    with_assert(type="tool_called"),
    with_assert(type="tool_called", value=" padded"),
    with_assert(type="script", value="scripts:nowhere"),
    with_assert(type="agent", use="nobody", value="x"),
    with_assert(type="agent", value="is kind"),
    with_assert(type="snapshot", of="everything"),
    with_assert(type="command", cmd=[]),
    with_assert(type="contains", value="x", weight=-1),
    with_assert(tools={"forbid": "x", "forbidd": []}),
    with_assert(tools={"forbid": [""]}),
    with_assert(tools={"require": [{"name": "x", "count": {"exact": 1, "max": 2}}]}),
    with_assert(tools={"require": [{"name": "x", "args_match": {"a": "("}}]}),
    with_assert(text={"must_match": "("}),
    with_assert(timing={"max_duration_ms": "long"}),
    with_assert(tool={"forbid": ["x"]}),
]
CONFIGS = [
    "agent: nobody\n",
    CONFIG + "run: {timeout: 5x}\n",
    CONFIG + "run: {simulator: nobody}\n",
    CONFIG + "runn: {}\n",
    "agent: echo\nagents:\n  echo: {python: 'missing.py:echo'}\n",
    "agent: echo\nagents:\n  echo: {python: 'agent.py:missing'}\n",
    "agent: echo\nagents:\n  echo: {pyhton: 'agent.py:echo'}\n",
    "agent: echo\nagents:\n  echo: {cmd: [no-such-program]}\n",
    "agent: echo\nagents:\n  echo: {http: {url: 'ftp://x', body: x}}\n",
    "agent: echo\nagents:\n  echo: {python: 'agent.py:echo', otel: {wait: long}}\n",
    "agent: echo\nagents:\n  echo: {python: 'agent.py:echo', model_proxy: {upstream: {openai: nowhere}}}\n",
    "agent: echo\nagents:\n  echo: {python: 'agent.py:echo', shows_calls: perhaps}\n",
]


async def refused(text: str, config: str, root: Path) -> tuple[str, str]:
    """What `viva validate` and what `viva test` say; empty where they say nothing."""
    (root / "agent.py").write_text(AGENT)
    (root / "viva.yaml").write_text(config)
    (root / "cases.jsonl").write_text(text)
    flags = {"inputs": ("cases.jsonl",), "config": None}
    request = RunRequest.of(flags, reads_stdin=True)
    try:
        found = await checked(open_project(None, inputs=("cases.jsonl",)), request, Selection())
        validated = "; ".join(problem.what for problem in found.problems)
    except VivaError as problem:
        validated = problem.what
    try:
        async with planned(request):
            return validated, ""
    except VivaError as problem:
        return validated, problem.what


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.dumps(case)[:90])
async def test_a_broken_case_is_refused_by_both(case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    validated, tested = await refused(json.dumps(case), CONFIG, tmp_path)
    assert (bool(validated), bool(tested)) == (True, True), (validated, tested)


@pytest.mark.parametrize("text", ["", "\n\n", "{", '{"id": "A"', "[]", "nonsense", "\x00"])
async def test_a_broken_file_is_refused_by_both(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    validated, tested = await refused(text, CONFIG, tmp_path)
    assert bool(tested), validated


@pytest.mark.parametrize("config", CONFIGS)
async def test_a_broken_configuration_is_refused_by_both(config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    validated, tested = await refused(json.dumps(GOOD), config, tmp_path)
    assert (bool(validated), bool(tested)) == (True, True), (validated, tested)


@pytest.mark.parametrize(
    ("run", "why"),
    [
        ("{executor: nowhere}", "unknown executor 'nowhere'"),
        ("{before: nowhere}", "script 'nowhere' not found"),
        ("{after: nowhere}", "script 'nowhere' not found"),
    ],
)
async def test_what_only_a_run_needs_is_found_without_one(
    run: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    validated, _ = await refused(json.dumps(GOOD), f"{CONFIG}run: {run}\n", tmp_path)
    assert why in validated


async def test_what_is_in_order_is_refused_by_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    good = with_assert(tools={"forbid": ["x"]}, text={"must_match": "hello"})
    assert await refused(json.dumps(good), CONFIG, tmp_path) == ("", "")
