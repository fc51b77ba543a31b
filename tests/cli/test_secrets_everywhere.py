"""Every command in a project full of secrets: none is in a byte that it prints or writes."""

from pathlib import Path

import pytest
from tests.fakes.commands import environment, run_viva
from tests.fakes.planted_secrets import SHAPES, PlantedProject

from vivavoce.cli.help_page import COMMANDS as ALL_COMMANDS

pytestmark = pytest.mark.process

CASES = ["-i", "cases.jsonl"]
ALL_REPORTS = [flag for name in ("o.jsonl", "o.json", "o.md", "o.xml", "o.html") for flag in ("-o", name)]


A_RUN = ["test", *CASES, "--update-snapshots", "-v", *ALL_REPORTS]
ANOTHER = ["test", *CASES, "-n", "command", "-o", "again.jsonl", "-v"]


def commands(project: PlantedProject) -> dict[str, list[list[str]]]:
    """Each after those whose files it reads. `o.jsonl` is the run that most of them look at."""
    token, header = project.typed["TOKEN"], project.typed["TYPED_HEADER"]
    return {
        "before a run": [
            ["list", *CASES],
            ["validate", *CASES],
            ["validate", "-i", "bad.jsonl"],
            ["agents"],
            ["agents", "--json"],
            ["plugins"],
            ["test", *CASES, "--dry-run"],
            ["import", "promptfoo", f"{header}.yaml", "-o", "imported"],
            ["mcp-mock", "--url", "http://127.0.0.1:9/", "--header", f"Authorization: Bearer {header}"],
            ["schema", token],
            ["completion", token],
            ["init", "new", "--example", token],
            ["demo", token],
            ["mcp", token],
            ["chat", "-n", token],
            ["view", token],
            ["show", token],
            [token],
        ],
        "a run": [
            ["test", *CASES, "--format", "agent", "--title", f"t {token}"],
            ["test", *CASES, "-n", "nobody", "-o", "nobody.jsonl", "-v"],
            ["test", *CASES, "-n", "http", "-o", "http.jsonl", "--executor", "processes", "-j", "2"],
            ["test", *CASES, "-n", f"agui:{project.address}", "-o", "address.html"],
            ["test", *CASES, "-c", "typed"],
            ["test", *CASES, "--before", "scripts:s.told", "--after", "scripts:s.raises", "--run", "say|world"],
            ["test", *CASES, "-r", "scripts:s.write", "-o", "told.txt", "--run", "say|world"],
            ["test", "-i", f"say {token}", "-n", "http"],
            ["test", *CASES, "--run", token, "-t", header],
        ],
        "recordings": [
            ["test", *CASES, "--record", "tapes"],
            ["tape", "check", "tapes"],
            ["tape", "diff", "tapes"],
            ["test", *CASES, "--replay", "tapes"],
            ["record", *CASES, "-o", "recorded"],
            ["test", *CASES, "-n", "replay:recorded"],
            ["compare", *CASES, "-n", "leaky", "-n", "judge", "-o", "compared.md"],
            ["fuzz", *CASES, "--variants", "2", "--candidates", "1"],
        ],
        "what a run left": [
            A_RUN,
            ANOTHER,
            ["show", "o.jsonl", "-v"],
            ["show", "o.jsonl::tools", "--format", "agent"],
            ["report", "o.jsonl", "-o", "again.html", "-o", "again.md", "-o", "again.xml"],
            ["diff", "o.jsonl", "again.jsonl", "--replies", "-o", "d.html"],
            ["diff", "o.jsonl", "again.jsonl", "--json"],
            ["history"],
            ["history", "--case", token],
            ["history", "import", "o.jsonl"],
            ["merge", "o.jsonl", "again.jsonl", "--last-wins", "-o", "merged.jsonl"],
            ["extract", "o.jsonl", "-o", "extracted"],
            ["freeze", "o.jsonl", "--id", "talk", "-o", "frozen.jsonl"],
        ],
        "what runs tell": [
            A_RUN,
            ANOTHER,
            ["baseline", "set", "main", "o.jsonl"],
            ["baseline", "compare", "main", "again.jsonl"],
            ["flaky", "--json"],
            ["coverage", "o.jsonl", *CASES],
            ["mutate", "o.jsonl", *CASES],
            ["rejudge", "o.jsonl", "-v"],
            ["snapshots", "cases.jsonl"],
            ["shrink", "o.jsonl::say", *CASES, "-o", "small.jsonl", "--candidates", "2"],
            ["label", "o.jsonl", "--set", "say=fail", "--note", token],
            ["calibrate", "o.jsonl", *CASES],
        ],
    }


KINDS = ("before a run", "a run", "recordings", "what a run left", "what runs tell")
WRITTEN = {
    "a run": ("nobody.jsonl", "http.jsonl", "address.html", "told.txt"),
    "recordings": ("tapes", "recorded", "compared.md"),
    "what a run left": ("o.html", "d.html", "merged.jsonl", "extracted", "frozen.jsonl"),
    "what runs tell": ("small.jsonl", "labels.yaml"),
}


def test_no_command_is_left_out(tmp_path: Path):
    project = PlantedProject(tmp_path, "plain")
    kinds = commands(project)
    assert tuple(kinds) == KINDS
    named = {words[0] for kind in kinds.values() for words in kind}
    assert set(ALL_COMMANDS) == named - {project.typed["TOKEN"]}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_command_lets_a_secret_out(tmp_path: Path, shape: str, kind: str):
    project = PlantedProject(tmp_path, shape)
    for number, command in enumerate(commands(project)[kind]):
        # Every other one as in GitHub Actions, which is told what to mask, and only there.
        github = {"GITHUB_ACTIONS": "true"} if number % 2 else {}
        done = run_viva(command, cwd=tmp_path, env=environment(**project.environment, **github))
        lines = (done.stdout + done.stderr).splitlines(keepends=True)
        printed = "".join(line for line in lines if not (github and line.startswith("::add-mask::")))
        assert done.returncode in (0, 1, 2, 3), (command, printed)
        # What the agent itself printed is shown indented; a traceback of viva would begin its line.
        assert not any(line.startswith("Traceback") for line in lines), (command, printed)
        assert project.found_in(printed.encode()) == set(), (command, printed)
        assert project.found_in_new_files() == {}, command
    assert [name for name in WRITTEN.get(kind, ()) if not (tmp_path / name).exists()] == []
