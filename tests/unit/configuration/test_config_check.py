"""What is wrong in viva.yaml is told with its own line and path, all of it at once."""

from pathlib import Path

import pytest

from vivavoce.configuration.project_finder import find_project, read_config
from vivavoce.errors import ManyProblems, UsageError
from vivavoce.project.settings import AgentConfig


def complaints(folder: Path, text: str, name: str = "viva.yaml") -> list[str]:
    path = folder / name
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        find_project(folder)
    problems = raised.value.problems if isinstance(raised.value, ManyProblems) else [raised.value]
    return [str(problem).rpartition("/")[2] for problem in problems]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agent: a\nagnets: {}\n", "viva.yaml:2: unknown field 'agnets' (did you mean 'agents'?)"),
        (
            "agents:\n  app:\n    openai: x\n    modle: m\n",
            "4: agents.app: unknown field 'modle' (did you mean 'model'",
        ),
        ("agent: a\n\nidentity: {usr: x}\n", "viva.yaml:3: identity: unknown field 'usr' (did you mean 'user'?)"),
        ("agents:\n  a: {cmd: x}\n  b:\n    cmd: x\n    max_parallel: 0\n", "viva.yaml:5: agents.b.max_parallel: "),
        ("prices:\n  m:\n    input: -1\n", "viva.yaml:3: prices.m.input: wanted a number, 0 or more"),
        ("connectors:\n  a: {}\n", "viva.yaml:2: connectors.a: 'type' is missing"),
        ("tests:\n- a\n- 1\n", "viva.yaml:3: tests[1]: wanted text, found 1 (put it in quotes)"),
        (
            "run:\n  on_missing_input: stop\n",
            "viva.yaml:2: run.on_missing_input: wanted end or fail or skip, found ",
        ),
        ("run: [1]\n", "viva.yaml:1: run: wanted an object, found a list"),
    ],
)
def test_a_mistake_is_told_with_its_own_line_and_path(tmp_path: Path, text: str, said: str):
    [problem] = complaints(tmp_path, text)
    assert said in problem


def test_all_mistakes_are_told_at_once(tmp_path: Path):
    text = "agnets: {}\nagents:\n  a: {pyton: x, rate: 5}\nrun:\n  runs: many\n"
    assert [problem.partition(": ")[0] for problem in complaints(tmp_path, text)] == [
        "viva.yaml:1",
        "viva.yaml:3",
        "viva.yaml:3",
        "viva.yaml:5",
    ]


def test_the_same_in_pyproject(tmp_path: Path):
    [problem] = complaints(tmp_path, "[tool.viva.identity]\nusr = 'x'\n", "pyproject.toml")
    assert "identity: unknown field 'usr' (did you mean 'user'?)" in problem


def test_what_is_in_order_is_read(tmp_path: Path):
    path = tmp_path / "viva.yaml"
    path.write_text("tests: [a, b]\nagents: {a: {cmd: [x, y], env: {A: b}, rate: 1/s}}\n")
    agent = AgentConfig(kind="cmd", rate="1/s", fields={"cmd": ["x", "y"], "env": {"A": "b"}})
    assert read_config(path).agents == {"a": agent}
