"""What strangers wrote reaches no terminal as a command: agents' words, and names in case files."""

import base64
import os
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

ESC = "\x1b]0;owned\x07\x1b[2J\u202e"
AGENT = f"""
async def hostile(messages, context):
    text = messages[-1]["content"]
    if text == "raise":
        raise ValueError({ESC!r} + "boom")
    if text == "tool":
        call = {{"name": "pay" + {ESC!r}, "args": {{{ESC!r}: 1}}, "result": {ESC!r}}}
        return {{"content": "done", "tool_calls": [call]}}
    print({ESC!r})
    return {ESC!r}
"""


def harmless(text: str) -> bool:
    return not any(mark in text for mark in ("\x1b", "\x07", "\u202e"))


@pytest.fixture
def hostile(project: VivaProject) -> VivaProject:
    project.write("hostile.py", AGENT)
    project.write("viva.yaml", "agents:\n  hostile: {python: hostile.py:hostile}\nagent: hostile\n")
    return project


@pytest.mark.parametrize("flags", [(), ("-v",)])
def test_ids_names_errors_tools_and_file_names_are_neutral_on_the_console(hostile: VivaProject, flags: tuple[str, ...]):
    failing = {"assert": {"type": "contains", "value": f"zzz{ESC}"}}
    hostile.cases(
        {"id": f"a{ESC}", "name": f"named {ESC}", "description": ESC, "tags": [ESC], "input": ESC, **failing},
        {"id": "b", "input": "raise"},
        {"id": "c", "input": "tool", "assert": {"type": "tool_called", "name": "refund"}},
        {"id": "d", "input": "x", "skip": f"because {ESC}"},
        {"id": "e", "turns": [{"user": f"one {ESC}", **failing}, {"user": "two"}]},
        name=f"ca{ESC}ses.jsonl",
    )
    done = hostile.viva("test", "-i", f"ca{ESC}ses.jsonl", *flags)
    assert done.counts["Total"] == 5, done.text
    assert harmless(done.text), repr(done.text)
    assert "\\x1b" in done.text


@pytest.mark.parametrize("command", ["list", "validate", "test"])
def test_problems_in_hostile_files_are_told_without_obeying_them(hostile: VivaProject, command: str):
    hostile.write("bad.jsonl", f'{{"id": "a{ESC}", "input": "x", "unkn{ESC}own": 1}}\n'.replace("\x1b", "\\u001b"))
    assert harmless(hostile.viva(command, "-i", "bad.jsonl").text)
    hostile.write("bad.yaml", f"name: x\nturns:\n  - user: !!python/object/apply:os.system ['touch {ESC[-1]}owned']\n")
    assert harmless(hostile.viva(command, "-i", "bad.yaml").text)


def test_a_python_tag_in_yaml_runs_nothing(hostile: VivaProject):
    mark = hostile.root / "owned"
    for tag in ("!!python/object/apply:os.system", "!!python/object/new:os.system"):
        hostile.write("bad.yaml", f"name: x\nturns:\n  - user: {tag} ['touch {mark}']\n")
        done = hostile.viva("test", "-i", "bad.yaml")
        assert done.code == 2
        assert f"the tag {tag} is not understood here" in done.text
    assert not mark.exists()


def test_a_deeply_nested_file_does_not_crash_the_process(hostile: VivaProject):
    hostile.write("deep.yaml", "turns: " + "[" * 200_000)
    hostile.write("deep.jsonl", '{"id": "a", "input": ' + "[" * 200_000)
    for name in ("deep.yaml", "deep.jsonl"):
        assert hostile.viva("validate", "-i", name).code == 2


def test_an_attachment_through_a_symbolic_link_out_of_the_project_is_refused(hostile: VivaProject, tmp_path_factory):
    secret: Path = tmp_path_factory.mktemp("outside") / "secret.txt"
    secret.write_text("secret")
    os.symlink(secret.parent, hostile.root / "inside")
    part = {"type": "file", "source": "file://inside/secret.txt"}
    hostile.cases({"id": "a", "input": [{"role": "user", "content": [part]}]})
    done = hostile.viva("test", "-i", "cases.jsonl")
    assert done.code != 0
    assert "lies outside the project" in done.text
    written = [path.read_text() for path in hostile.root.glob("output-*.jsonl")]
    assert not any(base64.b64encode(b"secret").decode() in text for text in written)
