"""`viva validate`, `viva list`, `viva test` and pytest refuse the same things, before anything runs."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fakes.broken_inputs import AGENT, BROKEN, CONFIG, CONFIGS, GOOD, ODD, with_assert
from tests.unit.pytest_plugin.suite import Suite

from vivavoce.app.opening import open_project
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.app.validating import checked
from vivavoce.cli.commands.list import command as list_command
from vivavoce.cli.commands.validate import command as validate_command
from vivavoce.engine.plan.plan import Selection
from vivavoce.errors import VivaError
from vivavoce.model.json_value import compact_json


def by_command(command: Callable[..., object], file: str) -> str:
    """What a command that reaches no agent says against a file; nothing where all is in order."""
    try:
        command.main(["-i", file], standalone_mode=False)  # pyright: ignore[reportFunctionMemberAccess]
    except VivaError as problem:
        return str(problem)
    return ""


async def _by_test(file: str) -> str:
    try:
        async with planned(RunRequest.of({"inputs": (file,), "config": None}, reads_stdin=True)):
            return ""
    except VivaError as problem:
        return str(problem)


def refusals(file: str) -> dict[str, str]:
    said = {
        name: by_command(command, file) for name, command in (("validate", validate_command), ("list", list_command))
    }
    return {**said, "test": asyncio.run(_by_test(file))}


def disagreeing(written: dict[str, str], by_pytest: set[str], *, all_broken: bool) -> list[object]:
    """The files that some refuse and others do not; with `all_broken`, also those that nobody refuses."""
    found: list[object] = []
    for file, text in written.items():
        said = {**refusals(file), "pytest": file if file in by_pytest else ""}
        if len({bool(each) for each in said.values()}) > 1 or (all_broken and not all(said.values())):
            found.append((text, said))
    return found


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    monkeypatch.chdir(tmp_path)
    made = Suite(tmp_path)
    made.write("agent.py", AGENT)
    made.write("viva.yaml", CONFIG)
    return made


def refused_by_pytest(suite: Suite) -> set[str]:
    """The files of which pytest collects nothing, or whose case it fails as wrong; a case that ran is accepted."""
    done = suite.pytest("-q", "-rA", "--tb=short", "--continue-on-collection-errors", COLUMNS="1000")
    errors = set(re.findall(r"^ERROR (\S+?\.jsonl)(?! - \w+Error)", done.out, re.MULTILINE))
    return errors | set(
        re.findall(r"^FAILED (\S+?\.jsonl)::.* - Failed: \S+\.(?:jsonl|yaml):\d+: ", done.out, re.MULTILINE)
    )


@pytest.mark.process
@pytest.mark.parametrize("texts", [BROKEN, ODD], ids=["broken", "odd"])
def test_cases_are_refused_by_all_or_by_none(texts: list[str], suite: Suite):
    written = {f"c{number:03}.viva.jsonl": text for number, text in enumerate(texts)}
    for name, text in written.items():
        suite.write(name, text)
    assert disagreeing(written, refused_by_pytest(suite), all_broken=texts is BROKEN) == []


@pytest.mark.process
@pytest.mark.parametrize("config", CONFIGS)
def test_a_broken_configuration_is_refused_by_all(config: str, suite: Suite):
    suite.write("viva.yaml", config)
    suite.write("c.viva.jsonl", compact_json(GOOD))
    assert all(refusals("c.viva.jsonl").values()), refusals("c.viva.jsonl")
    done = suite.pytest("-q")
    assert done.code, done.out
    assert "passed" not in done.last


@pytest.mark.parametrize(
    "agent",
    [
        "{openai: http://127.0.0.1:1/v1, model: m, key: $ENV.VIVA_UNSET}",
        "{openai: http://127.0.0.1:1/v1, model: m, key: '${ENV.VIVA_UNSET}'}",
        "{http: {url: http://127.0.0.1:1, body: {q: '{{ message }}'}, reply: $.a, headers: {a: $ENV.VIVA_UNSET}}}",
        "{cmd: [cat], env: {A: $ENV.VIVA_UNSET}}",
        "{mcp: {cmd: [cat], env: {A: $ENV.VIVA_UNSET}}}",
    ],
)
def test_a_variable_of_an_agent_that_is_not_set_is_refused_by_all(agent: str, suite: Suite):
    suite.write("viva.yaml", f"agents:\n  a: {agent}\n")
    suite.write("c.jsonl", compact_json(GOOD))
    said = refusals("c.jsonl")
    assert all("viva.yaml:2: agent 'a': undefined variable ${ENV.VIVA_UNSET}" in words for words in said.values()), said


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
    for name, text in (("agent.py", AGENT), ("viva.yaml", f"{CONFIG}run: {run}\n"), ("c.jsonl", compact_json(GOOD))):
        (tmp_path / name).write_text(text)
    request = RunRequest.of({"inputs": ("c.jsonl",), "config": None}, reads_stdin=True)
    found = await checked(open_project(None, inputs=("c.jsonl",)), request, Selection())
    assert why in "; ".join(problem.what for problem in found.problems)


def test_what_is_in_order_is_refused_by_nobody(suite: Suite):
    good = with_assert(tools={"forbid": ["x"]}, text={"must_match": "hello"})
    suite.write("c.jsonl", compact_json(good))
    assert set(refusals("c.jsonl").values()) == {""}
