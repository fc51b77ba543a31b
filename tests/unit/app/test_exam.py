"""Everything that decides results is part of the exam: read off the declarations, so that none can be forgotten."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.fakes.any_struct import any_struct
from tests.fakes.surroundings import write_files

from vivavoce.app.exam import CONFIG_LEFT_OUT, SETTINGS_LEFT_OUT, config_parts, exam_of, option_parts, setting_parts
from vivavoce.app.planning import planned, run_info
from vivavoce.app.request import RunRequest
from vivavoce.engine.agent_files import sources_of
from vivavoce.engine.run_settings import RunSettings
from vivavoce.plugins.catalog import TARGETS
from vivavoce.plugins.declarations import AgentFields
from vivavoce.project.option import option
from vivavoce.project.project import Project
from vivavoce.project.run_options import RUN_OPTIONS, AttemptOptions
from vivavoce.project.settings import Config, SnapshotConfig
from vivavoce.results.exam import ExamKey

KEY = ExamKey(b"k" * 32)
FILES = {
    "viva.yaml": """\
agents:
  a: {python: 'agent.py:reply', model_proxy: true}
  b: {cmd: [python3, said.py, '${ENV.EXAM_TOKEN}'], env: {MODE: one}, cwd: ., model_proxy: true}
  c: {cmd: [python3, run.py, --data=data.json], cwd: sub, model_proxy: true}
agent: a
variables: {WHO: world}
connectors:
  model: {type: openai, options: {host: 'http://127.0.0.1:9', model: m, key: '${ENV.EXAM_KEY}'}}
  other: {type: openai, options: {host: 'http://127.0.0.1:9', model: m, key: k}}
run: {connector: model}
""",
    "agent.py": "from lib import prices\n\ndef reply(text):\n    return 'fine'\n\nother = reply\n",
    "said.py": "print('fine')\n",
    "sub/run.py": "print('fine')\n",
    "lib/prices.py": "price = 1\n",
    "lib/hooks.py": "def begin(ctx):\n    return None\n",
    "sub/data.json": "1",
    "checks.py": "import rules\n\ndef fine(output):\n    return True\n",
    "rules.py": "limit = 1\n",
    "verify.py": "raise SystemExit(0)\n",
    "scripts/checks.py": "def fine(output):\n    return True\n",
    "plug.py": "",
    "ctx.json": '{"metadata": {"a": 1}}',
    "tapes/.keep": "",
    "assistants/judge/package.yao": '{"name": "judge", "connector": "model"}',
    "assistants/judge/prompts.yml": "- role: system\n  content: Judge for $ENV.EXAM_COMPANY\n",
}
CHECKS = [{"type": "script", "script": "checks:fine"}, {"type": "command", "cmd": ["python3", "verify.py"]}]
CASES = (
    {"id": "1", "input": "hi ${ENV.EXAM_WORD}", "assert": {"type": "script", "script": "scripts:checks.fine"}},
    {"id": "2", "input": "hi", "agent": "b", "assert": {"type": "agent", "use": "agents:judge", "value": "fine"}},
    {"id": "3", "input": "hi", "agent": "c", "before": "lib.hooks:begin", "assert": CHECKS},
)
ENVIRONMENT = {"EXAM_TOKEN": "token-one", "EXAM_KEY": "key-one", "EXAM_WORD": "word-one", "EXAM_COMPANY": "company-one"}


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_every_field_of_the_settings_counts_unless_it_is_listed_with_a_reason(seed: int):
    was, now = any_struct(RunSettings, Random(seed)), any_struct(RunSettings, Random(seed + 1))
    for field in structs.fields(RunSettings):
        changed = structs.replace(was, **{field.name: getattr(now, field.name)})
        same = KEY.hashes(setting_parts(changed)) == KEY.hashes(setting_parts(was))
        expected = field.name in SETTINGS_LEFT_OUT or getattr(now, field.name) == getattr(was, field.name)
        assert same is expected, field.name


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_every_field_of_the_configuration_counts_unless_it_is_listed_with_a_reason(seed: int):
    pattern = SnapshotConfig(normalise=["uuid" if seed % 2 else "time"])  # a random one may be no pattern
    was, now = (any_struct(Config, Random(n), snapshots=one) for n, one in ((seed, SnapshotConfig()), (~seed, pattern)))
    for field in structs.fields(Config):
        changed = structs.replace(was, **{field.name: getattr(now, field.name)})
        before, after = (KEY.hashes(config_parts(Project(root=Path("/none"), config=one))) for one in (was, changed))
        same = before == after
        expected = field.name in CONFIG_LEFT_OUT or getattr(now, field.name) == getattr(was, field.name)
        assert same is expected, field.name


def test_no_reason_is_given_for_what_is_not_there():
    assert set(SETTINGS_LEFT_OUT) <= {field.name for field in structs.fields(RunSettings)}
    assert set(CONFIG_LEFT_OUT) <= {field.name for field in structs.fields(Config)}


OTHERWISE: dict[str, Any] = {
    "agent": "b",
    "connector": "other",
    "user": "somebody",
    "team": "others",
    "locale": "de-de",
    "context": "ctx.json",
    "runs": 7,
    "timeout": "7m",
    "judge_timeout": "7m",
    "strict_protocol": True,
    "faults": ("model:429@2",),
    "before": "scripts:checks.fine",
    "after": "scripts:checks.fine",
    "simulator": "viva.simulator",
    "on_missing_input": "fail",
    "max_turns": 7,
    "replay": "tapes",
    "interactive": True,
    "config": "other.yaml",
}
"""Another value for each option that decides results."""


def test_every_option_that_decides_results_is_tried():
    assert set(OTHERWISE) == {one.name for one in RUN_OPTIONS if one.decides_result}


class MoreOptions(AttemptOptions):
    """What is declared some day."""

    pause: str | None = option("--pause", default=None, decides_result=True, help="Wait before each conversation.")
    motto: str | None = option("--motto", default=None, help="Decides nothing.")


def test_an_option_that_only_an_attempt_reads_is_part_of_the_exam():
    assert option_parts(MoreOptions(pause="2s", motto="m")) == {"pause": "2s"}


def test_an_option_that_is_added_later_makes_no_older_result_stale():
    assert option_parts(MoreOptions()) == option_parts(AttemptOptions()) == {}


def test_an_option_that_is_a_part_already_is_none_twice():
    given = {one.name: OTHERWISE[one.name] for one in AttemptOptions.declared if one.decides_result}
    assert option_parts(AttemptOptions(**given)) == {"runs": 7}


@contextmanager
def exam_room(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    write_files(folder, FILES)
    (folder / "other.yaml").write_text(FILES["viva.yaml"].replace("WHO: world", "WHO: moon"))
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    with patch.context() as patched:
        patched.chdir(folder)
        for name, value in ENVIRONMENT.items():
            patched.setenv(name, value)
        yield


async def sat(**options: Any) -> tuple[object, ...]:
    """The exam of a run, what else a file of another one is refused for, and how many runs each case needs."""
    request = RunRequest.of({"inputs": ("cases.jsonl",), **options}, {})
    async with planned(request) as ready:
        info = run_info(ready)
        return exam_of(ready), info.agent_id, info.connector, info.identity, info.runs_per_case


@pytest.mark.parametrize("name", OTHERWISE)
async def test_an_option_that_decides_results_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    with exam_room(tmp_path, monkeypatch):
        was = await sat()
        assert await sat() == was
        assert await sat(**{name: OTHERWISE[name]}) != was


CHANGES: dict[str, tuple[str, str, str]] = {
    "function": ("viva.yaml", "agent.py:reply", "agent.py:other"),
    "command": ("viva.yaml", "said.py,", "said.py, -v,"),
    "environment of a command": ("viva.yaml", "MODE: one", "MODE: two"),
    "folder of a command": ("viva.yaml", "cwd: .", "cwd: scripts"),
    "variable": ("viva.yaml", "WHO: world", "WHO: moon"),
    "model of a connector": ("viva.yaml", "model: m, key: '${", "model: n, key: '${"),
    "price": ("viva.yaml", "agent: a\n", "agent: a\nprices: {m: {input: 1, output: 2}}\n"),
    "awaiting": ("viva.yaml", "agent: a\n", "agent: a\nawaiting: {tools: [ask]}\n"),
    "normalised snapshots": ("viva.yaml", "agent: a\n", "agent: a\nsnapshots: {normalise: [uuid]}\n"),
    "replay": ("viva.yaml", "agent: a\n", "agent: a\nreplay: {reuse: true}\n"),
    "plug-in": ("viva.yaml", "agent: a\n", "agent: a\nplugins: [plug.py]\n"),
    "default of an option": ("viva.yaml", "run: {", "run: {max_turns: 3, "),
    "source of an agent": ("agent.py", "'fine'", "'fine' + ''"),
    "script in the folder of a command": ("sub/run.py", "'fine'", "'fine '"),
    "script of a command": ("said.py", "'fine'", "'fine '"),
    "script of a check": ("scripts/checks.py", "True", "False"),
    "package of a judge": ("assistants/judge/package.yao", '"judge"', '"judge!"'),
    "module that an agent imports": ("lib/prices.py", "1", "2"),
    "file in the folder of a command": ("sub/data.json", "1", "2"),
    "script that a check names by its module": ("checks.py", "True", "False"),
    "module that such a script imports": ("rules.py", "1", "2"),
    "command of a check": ("verify.py", "0", "1"),
    "hook of a case": ("lib/hooks.py", "None", "{}"),
    "prompt of a judge": ("assistants/judge/prompts.yml", "Judge for", "Be strict for"),
}


@pytest.mark.parametrize("what", [*CHANGES, *ENVIRONMENT])
async def test_what_an_agent_or_a_judge_is_made_of_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
):
    with exam_room(tmp_path, monkeypatch):
        was = await sat()
        if what in ENVIRONMENT:
            monkeypatch.setenv(what, "another value")
        else:
            file, old, new = CHANGES[what]
            text = (tmp_path / file).read_text()
            assert old in text
            (tmp_path / file).write_text(text.replace(old, new))
        assert await sat() != was


WRITTEN = ("told.md", ["--prompt", "told.md"], {"K": "told.md"}, "run told.md", "--prompt=told.md", ["notes", "x"])
"""How a field may name a file, or a folder with one."""


@pytest.mark.parametrize("kind", TARGETS.built_in)
def test_a_file_that_any_field_of_any_kind_names_is_a_source(tmp_path: Path, kind: str):
    write_files(tmp_path, {"told.md": "x", "notes/a.md": "x", "notes/run.log": "x"})
    project = Project(root=tmp_path, config=Config())
    for field in structs.fields(TARGETS.load(kind).fields or AgentFields):
        for written in WRITTEN:
            found = [path.name for path in sources_of({field.name: written}, project)]
            expected = ["a.md"] if written == WRITTEN[-1] else ["told.md"]
            assert found == ([] if field.name in ("cwd", "description", "model") else expected), (field.name, written)


NO_PART = {
    "inputs messages pattern keywords marks tags last_failed failed_first shard sample seed": "which cases run",
    "order parallel executor fail_fast maxfail budget time_limit allow_not_run strict": "when and where they run",
    "early_stop skip_interactive resume retries": "whether a result is final: asked of each result, and never a pass",
    "keep_workspaces cov watch dry_run history keep title": "what is kept beside the results",
    "update_snapshots record record_missing replay_only fresh_judges drift": "settings: parts by other names",
    "baseline update_baseline confirm quarantine pass_with_no_tests": "the exit code, from all results at the end",
    "outputs junitxml reporter verbose quiet format": "how results are shown",
}
"""The options that are no part of the exam by themselves, and what they decide instead."""


def test_every_other_option_has_a_reason_to_be_none():
    listed = [name for names in NO_PART for name in names.split()]
    assert sorted(listed) == sorted(one.name for one in RUN_OPTIONS if not one.decides_result)
