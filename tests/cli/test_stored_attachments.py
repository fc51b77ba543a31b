"""Attachments of a run: once on disk, named in its lines, still there for reports and for whoever judges again."""

import json
from pathlib import Path

from tests.cli.conftest import VivaProject

PICTURE = b"\x89PNG\r\n" + bytes(range(256)) * 20
AGENT = """
def look(messages):
    return "seen " + messages[-1]["content"][1]["type"]

def judge(messages):
    content = messages[-1]["content"]
    ok = any(part.get("image_url", {}).get("url", "").startswith("data:image/png;base64,") for part in content[1:])
    return {"passed": ok, "reason": "looked at it"}
"""


def shop(project: VivaProject) -> VivaProject:
    project.write("agent.py", AGENT)
    project.write(
        "viva.yaml", "agents:\n  look: {python: agent.py:look}\n  judge: {python: agent.py:judge}\nagent: look\n"
    )
    project.write("pic.png", PICTURE)
    turn = {"input": "what is it?", "attachments": [{"type": "image", "source": "file://pic.png"}]}
    project.cases({"id": "T1", "turns": [turn, turn], "final_assertions": [{"type": "contains", "value": "seen"}]})
    return project


def attached(project: VivaProject) -> list[Path]:
    return list((project.root / ".viva" / "attachments").iterdir())


def test_a_picture_is_stored_once_for_all_turns_runs_and_files(project: VivaProject):
    shop(project)
    for number in (1, 2):
        done = project.viva(
            "test", "-i", "cases.jsonl", "--runs", "3", "-o", f"r{number}.jsonl", "-o", f"r{number}.html"
        )
        assert done.code == 0, done.text
    assert [path.read_bytes() for path in attached(project)] == [PICTURE]
    lines = (project.root / "r1.jsonl").read_text()
    assert "base64," not in lines
    assert lines.count("viva-attachment:image/png;bytes=") == 6
    page = (project.root / "r1.html").read_text()
    assert page.count("data:image/png;base64,iVBORw0K") == 1
    assert page.count('class="picture" data-digest=') == 1
    store = (project.root / ".viva" / "history.db").read_bytes()
    assert b"base64," not in store


def test_a_judge_that_is_asked_later_sees_the_picture(project: VivaProject):
    shop(project)
    assert project.viva("test", "-i", "cases.jsonl", "-o", "r.jsonl").code == 0
    text = (project.root / "cases.jsonl").read_text()
    judged = {"type": "agent", "use": "agents:judge", "value": "it is a picture"}
    case = json.loads(text) | {"final_assertions": [judged]}
    project.cases(case)
    assert project.viva("rejudge", "r.jsonl", "-i", "cases.jsonl").code == 0
    for path in attached(project):
        path.unlink()
    done = project.viva("rejudge", "r.jsonl", "-i", "cases.jsonl")
    assert done.code == 1
    assert "no longer in .viva/attachments" in done.out
    assert project.viva("test", "-i", "cases.jsonl", "--resume", "r.jsonl").code in (0, 1)


def test_a_run_that_is_resumed_or_merged_keeps_its_pictures(project: VivaProject):
    shop(project)
    assert project.viva("test", "-i", "cases.jsonl", "-o", "r.jsonl").code == 0
    before = (project.root / "r.jsonl").read_text()
    done = project.viva("test", "-i", "cases.jsonl", "--resume", "r.jsonl")
    assert done.code == 0, done.text
    assert "viva-attachment:" in before
    done = project.viva("merge", "r.jsonl", "-o", "all.jsonl", "-o", "all.html")
    assert done.code == 0, done.text
    assert "viva-attachment:" in (project.root / "all.jsonl").read_text()
    assert 'class="picture"' in (project.root / "all.html").read_text()
