"""`-i agents:…` and `-i scripts:…` in the real process."""

import json

import pytest
from tests.cli.conftest import VivaProject

SCRIPT = """
import json, sys, time

def main(request, ctx):
    print("printed by the generator")
    return {"cases": [{"id": f"G{n}", "input": f"say {n}", "assert": {"type": "contains", "value": f"say {n}"}}
                      for n in range(1, request.get("count", 1) + 1)]}

def told(request, ctx):
    return [{"id": "told", "input": json.dumps({"request": request, "mode": ctx["metadata"]["test_mode"],
                                                "skip": ctx["options"]["skip"]})}]

def some_bad():
    return [{"id": "good", "input": "x"}, {"id": "good", "input": "y"}, {"input": "no id"}, "prose"]

def unknown_judge():
    return [{"id": "good", "input": "x"},
            {"id": "bad", "input": "x", "assert": {"type": "agent", "use": "agents:nobody", "value": "fine"}}]

def breaks():
    raise ValueError("out of ideas")

def hangs():
    while True:
        pass
"""
AGENT = """
def generate(messages):
    return REPLY
"""


@pytest.fixture
def generating(project: VivaProject) -> VivaProject:
    project.write("scripts/gen.py", SCRIPT)
    return project


def agent_that_says(project: VivaProject, reply: str) -> None:
    project.write("generator.py", f"REPLY = {reply!r}\n{AGENT}")
    project.write(
        "viva.yaml",
        "agents:\n  echo: {python: agent.py:echo, description: says it again}\n"
        "  gen: {python: generator.py:generate}\nagent: echo\n",
    )


def test_a_script_makes_cases_and_they_run(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen?count=3", "-o", "out.jsonl")
    assert done.code == 0, done.text
    assert generating.statuses() == {"G1": "passed", "G2": "passed", "G3": "passed"}
    assert "printed by the generator" in done.err
    assert "printed by the generator" not in done.out


def test_an_agent_makes_cases_and_they_run(project: VivaProject):
    agent_that_says(project, '```json\n{"cases": [{"id": "A", "input": "hi", "expected": "echo: hi"}]}\n```')
    done = project.viva("test", "-i", "agents:gen?count=1", "-n", "echo", "-o", "out.jsonl")
    assert done.code == 0, done.text
    assert project.statuses() == {"A": "passed"}


def test_the_generator_is_told_about_the_target(generating: VivaProject):
    agent_that_says(generating, "[]")
    done = generating.viva("test", "-i", "scripts:gen.told?focus=errors&count=2", "-n", "echo", "-o", "out.jsonl")
    assert done.code == 0, done.text
    told = json.loads(generating.rows()[1]["input"])
    assert told == {
        "request": {
            "target_agent": "echo",
            "target_description": "says it again",
            "target_tools": [],
            "focus": "errors",
            "count": 2,
        },
        "mode": "generator",
        "skip": {"history": True},
    }


def test_dry_run_saves_what_was_made_and_the_file_runs(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen?count=2", "--dry-run", "-o", "made.jsonl")
    assert done.code == 0
    assert "2 of 2 cases selected" in done.out
    again = generating.viva("test", "-i", "made.jsonl", "-o", "out.jsonl")
    assert again.code == 0, again.text
    assert list(generating.statuses()) == ["G1", "G2"]


def test_bad_cases_are_warned_of_and_the_good_ones_run(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen.some_bad", "-o", "out.jsonl")
    assert done.code == 0, done.text
    assert generating.statuses() == {"good": "passed"}
    assert "scripts:gen.some_bad:2: duplicate id 'good', first used by case 1" in done.err
    assert '{"input":"no id"}' in done.err
    assert done.err.count("warning:") == 3


def test_under_strict_one_bad_case_ends_the_run_before_it_begins(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen.some_bad", "--strict", "-o", "out.jsonl")
    assert done.code == 2
    assert "duplicate id 'good'" in done.err
    assert not (generating.root / "out.jsonl").exists()


def test_a_case_that_names_an_agent_nobody_knows_is_one_of_the_bad(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen.unknown_judge", "-o", "out.jsonl")
    assert done.code == 0, done.text
    assert generating.statuses() == {"good": "passed"}
    assert "unknown agent 'nobody'" in done.err


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("I would rather not.", "its reply holds no JSON: I would rather not."),
        ('{"cases": []}', 'its reply holds no cases: {"cases": []}'),
        ('{"cases": [{"id": "A", "inp', "the reply was broken JSON and had to be repaired"),
        ("", "its reply holds no JSON: (nothing)"),
        ('[{"input": "x"}]', "'id' is missing"),
    ],
    ids=["prose", "zero cases", "half-broken", "empty", "all bad"],
)
def test_a_generator_that_makes_nothing_is_quoted(project: VivaProject, reply: str, says: str):
    agent_that_says(project, reply)
    done = project.viva("test", "-i", "agents:gen")
    assert done.code == 2
    assert says in done.err


def test_half_broken_json_gives_what_can_be_saved_and_says_so(project: VivaProject):
    agent_that_says(project, '{"cases": [{"id": "A", "input": "one"}, {"id": "B", "input": "tw')
    done = project.viva("test", "-i", "agents:gen", "-o", "out.jsonl")
    assert done.code == 0
    assert list(project.statuses()) == ["A", "B"]
    assert "broken JSON and had to be repaired" in done.err
    assert project.viva("test", "-i", "agents:gen", "--strict").code == 2


def test_a_generator_that_breaks_is_exit_3_with_the_reason(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen.breaks")
    assert done.code == 3
    assert "generator scripts:gen.breaks failed:" in done.err
    assert "out of ideas" in done.err


def test_a_generator_that_never_ends_is_cut_off(generating: VivaProject):
    done = generating.viva("test", "-i", "scripts:gen.hangs", "--timeout", "500ms", timeout=200)
    assert done.code == 3
    assert "timed out after 500ms" in done.err


@pytest.mark.parametrize("ref", ["scripts:nothing", "agents:nobody", "scripts:gen.nothing"])
def test_a_generator_that_is_not_there_is_exit_2(generating: VivaProject, ref: str):
    assert generating.viva("test", "-i", ref).code == 2


def test_the_shipped_generator_needs_only_a_connector(project: VivaProject):
    project.write(
        "connectors/offline/writer.conn.yao",
        json.dumps({"type": "scripted", "options": {"rules": "writer.rules.yaml"}}),
    )
    project.write(
        "connectors/offline/writer.rules.yaml",
        'rules:\n  - say: |\n      {"cases": [{"id": "G001", "input": "hi"}]}\n',
    )
    for flags in (
        ["-i", "agents:viva.generator?connector=offline.writer"],
        ["-i", "agents:viva.generator", "-c", "offline.writer"],
    ):
        done = project.viva("test", *flags, "-n", "echo", "--dry-run")
        assert done.code == 0, done.text
        assert "agents:viva.generator::G001" in done.out
    without = project.viva("test", "-i", "agents:viva.generator", "-n", "echo")
    assert without.code == 2
    assert "no connector (give -c CONNECTOR" in without.err


def test_listing_and_validating_call_no_generator(generating: VivaProject):
    for command in ("list", "validate"):
        done = generating.viva(command, "-i", "scripts:gen")
        assert done.code == 2
        assert "cannot be used here" in done.err
