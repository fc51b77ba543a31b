"""Broken cases, files and configurations: what every way to run or to check them must refuse alike."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.sources.decoding.case_fields import CaseFields, CheckpointFields, TurnFields

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
    *({**GOOD, **wrong} for wrong in ({"resume": {"approved": True, "x": 1}}, {"user": 3}, {"weight": 1})),
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
FILES = ["", "\n\n", "{", '{"id": "A"', "[]", "nonsense", "\x00"]
_ODD: list[Any] = [3, -1, 0, True, None, "", "x", "5x", " ", [], [3], [""], {}, {"x": 1}, [[]], [{}], 1e400]


def odd_cases() -> Iterator[dict[str, Any]]:
    """Every field of a case, a turn, a checkpoint and of each assertion with each odd value; most of them are wrong."""
    check = {"type": "contains", "value": "x"}
    for value in _ODD:
        for name in _names(CaseFields):
            yield {**GOOD, name: value}
        for name in _names(TurnFields):
            yield {"id": "A", "turns": [{"input": "x", name: value}]}
        for name in _names(CheckpointFields):
            yield {**GOOD, "checkpoints": [{"id": "c", "assert": check, name: value}]}
        for kind in ASSERTIONS:
            yield with_assert(type=kind, value=value)
            yield {**GOOD, "final_assertions": [{"type": kind, "name": value, "path": value}]}


def _names(fields: type[msgspec.Struct]) -> list[str]:
    return [each.encode_name for each in msgspec.structs.fields(fields)]


BROKEN = [*(json.dumps(case) for case in CASES), *FILES]
"""What nobody may accept."""
ODD = [json.dumps(case) for case in odd_cases()][::5]
"""What may be accepted or refused, by all alike: every fifth, so that it does not take long."""
