"""Resuming belongs to the same exam: whatever decides the results and is another one now runs the cases again."""

import json
import stat
import sys
from collections.abc import Callable

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
def reply(text):
    with open("heard", "a") as heard:
        heard.write(text + "\\n")
    return "fine"

def other(text):
    return reply(text)
"""
CONFIG = """\
agents:
  a: {python: 'agent.py:reply'}
  b: {python: 'second.py:reply'}
  c: {cmd: [python3, said.py, '${ENV.EXAM_TOKEN}'], env: {MODE: one}}
agent: a
variables: {WHO: world}
connectors:
  model: {type: openai, options: {host: http://127.0.0.1:9, model: m, key: '${ENV.EXAM_KEY}'}}
"""
SAID = "import sys\nopen('heard', 'a').write('c\\n')\nprint('fine')\n"
RUN = ["test", "-i", "cases.jsonl", "--no-history"]
ALL = ["a", "b", "c"]

Change = Callable[[VivaProject], "dict[str, object]"]


@pytest.fixture
def examined(project: VivaProject) -> VivaProject:
    project.write("agent.py", AGENT)
    project.write("second.py", AGENT)
    project.write("said.py", SAID)
    project.write("viva.yaml", CONFIG)
    project.write("ctx.json", '{"metadata": {"a": 1}}')
    project.write("hooks.py", "def prepare():\n    pass\n")
    project.cases(*({"id": name, "input": name, "agent": name} for name in ALL))
    done = project.viva(*RUN, "-o", "r.jsonl", EXAM_TOKEN="token-one", EXAM_KEY="key-one")
    assert done.code == 0, done.text
    (project.root / "heard").unlink()
    return project


def replaced(name: str, old: str, new: str) -> Change:
    def change(project: VivaProject) -> dict[str, object]:
        text = (project.root / name).read_text()
        assert old in text
        project.write(name, text.replace(old, new))
        return {}

    return change


def called_with(*flags: str, **env: str) -> Change:
    return lambda _project: {"flags": flags, "env": env}


CHANGES: dict[str, tuple[Change, list[str], str]] = {
    "nothing": (called_with(), [], ""),
    "function": (replaced("viva.yaml", "agent.py:reply", "agent.py:other"), ["a"], "the configuration of agent 'a'"),
    "source": (replaced("agent.py", '"fine"', '"fine" + ""'), ["a"], "the source of agent 'a'"),
    "other source": (replaced("second.py", '"fine"', '"fine" + ""'), ["b"], "the source of agent 'b'"),
    "command": (replaced("viva.yaml", "MODE: one", "MODE: two"), ["c"], "the configuration of agent 'c'"),
    "script": (replaced("said.py", "'fine'", "'fine '"), ["c"], "the source of agent 'c'"),
    "environment": (called_with(EXAM_TOKEN="token-two"), ["c"], "the environment of agent 'c'"),
    "key of a connector": (called_with(EXAM_KEY="key-two"), ALL, "the connectors"),
    "connector options": (replaced("viva.yaml", "model: m,", "model: n,"), ALL, "the connectors"),
    "variables": (replaced("viva.yaml", "WHO: world", "WHO: moon"), ALL, "the variables"),
    "context": (called_with("--ctx", "ctx.json"), ALL, "the context file (--ctx)"),
    "on_missing_input": (called_with("--on-missing-input", "fail"), ALL, "on_missing_input"),
    "max_turns": (called_with("--max-turns", "7"), ALL, "max_turns"),
    "hooks": (called_with("--before", "hooks:prepare"), ALL, "the hooks of the run (--before, --after)"),
    "strict_protocol": (called_with("--strict-protocol"), ALL, "strict_protocol"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_differs_is_said_and_its_cases_run_again(examined: VivaProject, what: str):
    change, again, words = CHANGES[what]
    how = change(examined)
    env = {"EXAM_TOKEN": "token-one", "EXAM_KEY": "key-one", **how.get("env", {})}  # type: ignore[dict-item]
    done = examined.viva(*RUN, "--resume", "r.jsonl", *how.get("flags", ()), **env)  # type: ignore[misc]
    heard = examined.root / "heard"
    assert sorted(heard.read_text().split() if heard.exists() else []) == again, done.text
    assert (f"{words} changed" in done.err) == bool(words), done.err
    assert done.err.count(" changed") == len(words and [words])
    assert done.code == 0


def test_without_the_key_nothing_is_taken_for_the_same(examined: VivaProject):
    key = examined.root / ".viva" / "exam.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.unlink()
    done = examined.viva(*RUN, "--resume", "r.jsonl", EXAM_TOKEN="token-one", EXAM_KEY="key-one")
    assert "it cannot be told" in done.err
    assert "3 cases run again" in done.err


def test_no_value_of_the_environment_can_be_read_or_guessed_from_the_file(examined: VivaProject):
    """The same value has another hash in another project: there is nothing to look up."""
    exam = json.loads((examined.root / "r.jsonl").read_text().splitlines()[0])["exam"]
    assert "token-one" not in json.dumps(exam)
    (examined.root / ".viva" / "exam.key").unlink()
    examined.viva(*RUN, "-o", "again.jsonl", EXAM_TOKEN="token-one", EXAM_KEY="key-one")
    again = json.loads((examined.root / "again.jsonl").read_text().splitlines()[0])["exam"]
    assert exam.keys() == again.keys()
    assert not set(exam.values()) & set(again.values())


CASE_FILES: dict[str, tuple[str, str]] = {
    "an attachment": ("note.txt", "two"),
    "a file of a workspace": ("desk/a.txt", "changed"),
    "the script of a hook": ("hook.py", "print('{}')  # now otherwise"),
}


@pytest.mark.parametrize("what", [*CASE_FILES, "nothing"])
def test_what_cases_name_is_part_of_the_exam(project: VivaProject, what: str):
    project.write("agent.py", "def reply(messages):\n    return 'hello'\n")
    project.write("note.txt", "one")
    project.write("desk/a.txt", "x")
    project.write("hook.py", "print('{}')")
    attached = [{"type": "file", "source": "file://note.txt"}]
    project.cases(
        {"id": "attached", "turns": [{"input": "hi", "attachments": attached}]},
        {"id": "desk", "input": "hi", "workspace": "desk"},
        {"id": "hook", "input": "hi", "hooks": [{"cmd": [sys.executable, "hook.py"]}]},
    )
    run = ("test", "-i", "cases.jsonl", "-n", "python:agent.py:reply", "-o", "r.jsonl")
    assert project.viva(*run).code == 0
    if what != "nothing":
        project.write(*CASE_FILES[what])
    again = project.viva(*run, "--resume", "r.jsonl")
    assert ("a file that cases name changed" in again.err) == (what != "nothing"), again.text


SNAPSHOT_CHANGES: dict[str, Callable[[VivaProject], object]] = {
    "nothing": lambda project: None,
    "another value approved": lambda project: project.write(SNAP, (project.root / SNAP).read_text().replace("b", "c")),
    "none approved any more": lambda project: (project.root / SNAP).unlink(),
}
SNAP = "__snapshots__/cases.jsonl.snap.yaml"


@pytest.mark.parametrize("what", SNAPSHOT_CHANGES)
def test_results_that_were_compared_with_other_snapshots_do_not_count(project: VivaProject, what: str):
    project.write("agent.py", "def reply(text):\n    return 'abba'\n")
    project.cases({"id": "kept", "input": "hi"}, {"id": "snap", "input": "hi", "assert": {"type": "snapshot"}})
    run = ("test", "-i", "cases.jsonl", "-n", "python:agent.py:reply", "-o", "r.jsonl")
    assert project.viva(*run).code == 0
    SNAPSHOT_CHANGES[what](project)
    again = project.viva(*run, "--resume", "r.jsonl")
    changed = what != "nothing"
    assert ("the approved snapshots of cases.jsonl changed or are gone" in again.err) == changed, again.text
    assert ("1 case runs again" in again.err) == changed
    assert again.code == (1 if what == "another value approved" else 0)
