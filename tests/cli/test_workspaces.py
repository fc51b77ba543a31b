"""Agents that work on files, each attempt in a copy of its own: the real process, real files."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import VIVA, VivaProject
from tests.fakes.processes import number_in

from vivavoce.reporters.formats import document_suffixes

EDITOR = """
import json, os, pathlib, sys
request = json.load(sys.stdin)
task = request["messages"][-1]["content"]
assert os.environ["VIVA_WORKSPACE"] == os.getcwd() == request["context"]["workspace"]
exec(task)
print(json.dumps({"content": "done", "tool_calls": []}))
"""
READY = "pathlib.Path({pid!r}).write_text(str(os.getpid())); os.rename({pid!r}, {final!r})"


@pytest.fixture
def shop(project: VivaProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> VivaProject:
    temporary = project.root / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    project.write("editor.py", EDITOR)
    command = json.dumps([sys.executable, "editor.py"])
    project.write("viva.yaml", f"agents: {{editor: {{cmd: {command}}}}}\nagent: editor\n")
    project.write("shop/app.py", "total = 1\n")
    project.write("shop/notes.txt", "old\n")
    project.write("shop/.keep", "")
    return project


def edited(project: VivaProject, task: str, *checks: object, arguments: tuple[str, ...] = (), **fields: object):
    project.cases({"id": "a", "input": task, "workspace": "shop", "assert": list(checks), **fields})
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *arguments)
    return done, [row for row in project.rows() if row["type"] == "result"]


def leftovers(project: VivaProject) -> list[str]:
    return sorted(path.name for path in (project.root / "tmp").glob("viva-*workspaces-*"))


def test_an_agent_that_edits_and_deletes_files(shop: VivaProject):
    done, (row,) = edited(
        shop,
        "pathlib.Path('app.py').write_text('total = 2\\n'); os.remove('notes.txt')",
        {"type": "file", "path": "app.py", "contains": "total = 2"},
        {"type": "file", "path": "notes.txt", "absent": True},
        {"type": "command", "cmd": ["grep", "-c", "total", "app.py"], "contains": "1"},
    )
    assert done.code == 0, done.text
    changes = {change["path"]: change["change"] for change in row["workspace"]["changes"]}
    assert changes == {"app.py": "changed", "notes.txt": "removed"}
    assert row["workspace"]["files"] == [".keep", "app.py"]
    assert (shop.root / "shop" / "app.py").read_text() == "total = 1\n"
    assert leftovers(shop) == []


def test_an_edit_that_was_not_made_fails(shop: VivaProject):
    done, (row,) = edited(shop, "pass", {"type": "file", "path": "app.py", "unchanged": False})
    assert done.code == 1
    assert row["assertions"][0]["reason"] == "app.py is unchanged"


def test_writing_through_a_link_to_the_original_is_told_and_breaks_the_check(shop: VivaProject):
    original = shop.root / "shop"
    done, (row,) = edited(
        shop,
        f"os.symlink({str(original)!r}, 'out'); pathlib.Path('out/app.py').write_text('total = 3\\n')",
        {"type": "file", "path": "app.py", "unchanged": True},
        {"type": "file", "path": "out/app.py", "contains": "3", "negate": True},
    )
    assert done.code == 1
    assert [check["outcome"] for check in row["assertions"]] == ["broken", "broken"]
    assert row["workspace"]["outside"] == ["shop/app.py: changed"]
    assert any("outside the workspace's copy: shop/app.py: changed" in warning for warning in row["warnings"])


def test_an_agent_that_leaves_more_than_the_limit(shop: VivaProject):
    done, (row,) = edited(
        shop,
        "open('core', 'wb').truncate(3 << 30)",
        {"type": "file", "path": "app.py", "unchanged": True},
    )
    assert done.code == 1
    assert row["assertions"][0]["outcome"] == "broken"
    assert any("more than 1 GB" in warning for warning in row["warnings"])
    assert leftovers(shop) == []


def test_attempts_in_parallel_do_not_see_each_other(shop: VivaProject):
    """Each waits, outside its copy, until all four have written, and then looks at what is in its copy."""
    meeting = str(shop.root / "meeting")
    task = (
        f"os.makedirs({meeting!r}, exist_ok=True); mine = str(os.getpid()); pathlib.Path(mine).touch(); "
        f"pathlib.Path({meeting!r}, mine).touch()\n"
        f"import time\nwhile len(os.listdir({meeting!r})) < 4: time.sleep(0.01)\n"
        "assert sorted(os.listdir()) == sorted(['.keep', 'app.py', 'notes.txt', mine]), os.listdir()"
    )
    done, (row,) = edited(shop, task, {"type": "file", "path": "app.py"}, arguments=("--runs", "4", "-j", "4"))
    assert done.code == 0, done.text
    assert [len(run["workspace"]["changes"]) for run in row["run_details"]] == [1, 1, 1, 1]


def test_kept_workspaces_stay_and_the_row_says_where(shop: VivaProject):
    done, (row,) = edited(
        shop, "os.remove('notes.txt')", {"type": "file", "path": "app.py"}, arguments=("--keep-workspaces",)
    )
    assert done.code == 0, done.text
    kept = Path(row["workspace"]["kept_at"])
    assert sorted(path.name for path in kept.iterdir()) == [".keep", "app.py"]


async def test_ctrl_c_removes_the_copies(shop: VivaProject):
    final = shop.root / "pid"
    task = READY.format(pid=str(shop.root / "pid.new"), final=str(final)) + "; import time; time.sleep(600)"
    shop.cases({"id": "a", "input": task, "workspace": "shop"})
    with subprocess.Popen(
        [VIVA, "test", "-i", "cases.jsonl", "-o", "out.jsonl"],
        cwd=shop.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as viva:
        await number_in(final)
        assert leftovers(shop) != []
        viva.send_signal(signal.SIGINT)
        _, said = viva.communicate(timeout=120)
    assert viva.returncode == 130, said
    assert leftovers(shop) == []


PYTHON = """
import pathlib

def work(messages, context):
    pathlib.Path(context["workspace"], "app.py").write_text(messages[-1]["content"])
    return {"content": "done", "tool_calls": []}
"""


def test_a_python_agent_finds_the_folder_in_its_context(shop: VivaProject):
    shop.write("worker.py", PYTHON)
    done, _ = edited(
        shop,
        "written in ${WORKSPACE}",
        {"type": "file", "path": "app.py", "contains": "written in ${WORKSPACE}"},
        arguments=("-n", "python:worker.py:work"),
    )
    assert done.code == 0, done.text


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("agui:http://127.0.0.1:9/", "(agui) does not run as part of a case"),
        ("openai:http://127.0.0.1:9/v1?model=m", "(openai) does not run as part of a case"),
        ("a2a:http://127.0.0.1:9/", "(a2a) does not run as part of a case"),
        ("mcp:http://127.0.0.1:9/mcp", "(mcp) does not run as part of a case"),
    ],
)
def test_an_agent_behind_an_address_is_refused_at_load(shop: VivaProject, agent: str, words: str):
    shop.cases({"id": "a", "input": '{"list": "tools"}' if "mcp" in agent else "x", "workspace": "shop"})
    done = shop.viva("test", "-i", "cases.jsonl", "-n", agent)
    assert done.code == 2
    assert words in done.text
    assert "cases.jsonl:1" in done.text


@pytest.mark.parametrize(
    ("folder", "words"),
    [("nothing", "there is no folder"), ("shop/app.py", "is not a folder"), ("/etc", "lies outside the project")],
)
def test_a_folder_that_cannot_be_copied_is_refused_at_load(shop: VivaProject, folder: str, words: str):
    shop.cases({"id": "a", "input": "x", "workspace": folder})
    for command in (("test", "-i", "cases.jsonl"), ("validate", "cases.jsonl")):
        done = shop.viva(*command)
        assert done.code == 2, done.text
        assert words in done.text


def test_every_report_shows_the_difference_and_the_files_afterwards(shop: VivaProject):
    files = [f"report{suffix}" for suffix in (*document_suffixes(), ".jsonl")]
    task = "pathlib.Path('app.py').write_text('total = 2\\n')"
    shop.cases({"id": "a", "input": task, "workspace": "shop", "assert": {"type": "contains", "value": "never"}})
    outputs = [argument for name in files for argument in ("-o", name)]
    verbose = shop.viva("test", "-i", "cases.jsonl", "-v", *outputs)
    shown = {name: (shop.root / name).read_text() for name in files}
    shown["-v"] = verbose.text
    shown["--format agent"] = shop.viva("test", "-i", "cases.jsonl", "--format", "agent").text
    for name, text in shown.items():
        assert "+total = 2" in text, name
        # No change and no check names this file: it is there only as one of the files afterwards.
        assert "notes.txt" in text, name


def test_a_file_that_became_a_program_is_told(shop: VivaProject):
    done, _ = edited(shop, "os.chmod('app.py', 0o755)", {"type": "file", "path": "app.py", "unchanged": True})
    assert done.code == 1
    assert "changed app.py (10 bytes → 10 bytes, executable now)" in done.text
