import io
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.protocols import Source
from vivavoce.sources.discover import refuse_message, sources_for
from vivavoce.sources.reading.inline import MessageSource

CASES = '{"id": "a", "input": "x"}\n{"id": "b", "input": "y"}\n'
RESULTS = '{"type": "start", "agent_id": "x"}\n'
TEST = "name: t\nturns:\n  - user: hi\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with tests, results and other things, and the working directory in it."""
    files = {
        "tests/b.jsonl": CASES,
        "tests/a.jsonl": CASES,
        "tests/output-20240101000000.jsonl": RESULTS,
        "tests/deep/flow.yaml": TEST,
        "tests/deep/named.viva.yml": "name: empty\n",
        "tests/deep/one.viva.json": '{"turns": [{"user": "x"}]}',
        "tests/deep/report.json": "{}",
        "tests/prompts.yml": "- role: system\n  content: |\n    turns: not here\n",
        "tests/.hidden/c.jsonl": CASES,
        "tests/node_modules/c.jsonl": CASES,
        "tests/notes.txt": "hello",
        "empty/readme.md": "nothing",
        "viva.yaml": "agent: x\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def labels(folder: Path, inputs: Sequence[str], config: Config | None = None) -> list[str]:
    return [source.label for source in sources_for(inputs, Project(root=folder, config=config or Config()))]


def case_ids(source: Source) -> list[str]:
    return [case.id if isinstance(case, Case) else str(case) for case in source.read()]


def problem(folder: Path, *inputs: str) -> str:
    with pytest.raises(UsageError) as caught:
        sources_for(inputs, Project(root=folder))
    return str(caught.value)


def test_a_folder_stands_for_all_tests_below_it_and_nothing_else(folder: Path):
    assert labels(folder, ["tests"]) == [
        "tests/a.jsonl",
        "tests/b.jsonl",
        "tests/deep/flow.yaml",
        "tests/deep/named.viva.yml",
        "tests/deep/one.viva.json",
    ]


def test_a_glob_takes_tests_only(folder: Path):
    assert labels(folder, ["tests/*"]) == labels(folder, ["tests"])
    assert labels(folder, ["tests/*.jsonl"]) == ["tests/a.jsonl", "tests/b.jsonl"]
    assert labels(folder, ["**/*.yaml"]) == ["tests/deep/flow.yaml"]


def test_inputs_keep_their_order_and_no_file_comes_twice(folder: Path):
    inputs = ["tests/b.jsonl", "./tests/b.jsonl", str(folder / "tests/a.jsonl"), "tests/*.jsonl"]
    assert labels(folder, inputs) == ["tests/b.jsonl", "tests/a.jsonl"]


def test_a_named_file_is_taken_whatever_it_holds(folder: Path):
    assert labels(folder, ["tests/deep/report.json", "tests/prompts.yml"]) == [
        "tests/deep/report.json",
        "tests/prompts.yml",
    ]


def test_a_file_is_shown_by_the_path_that_opens_it_from_here(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder / "empty")
    assert labels(folder, [str(folder / "tests/a.jsonl")]) == ["../tests/a.jsonl"]
    assert labels(folder / "empty", ["../tests/a.jsonl"]) == [str(folder / "tests/a.jsonl")]


def test_one_case_of_a_file(folder: Path):
    (by_id,) = sources_for(["tests/a.jsonl::b"], Project(root=folder))
    assert case_ids(by_id) == ["b"]
    (by_line,) = sources_for(["tests/a.jsonl:2"], Project(root=folder))
    assert case_ids(by_line) == ["b"]


def test_picks_of_one_file_are_put_together_and_the_whole_file_beats_them(folder: Path):
    project = Project(root=folder)
    (both,) = sources_for(["tests/a.jsonl::b", "tests/a.jsonl:1", "tests/a.jsonl::b"], project)
    assert case_ids(both) == ["a", "b"]
    for inputs in (["tests/a.jsonl::b", "tests/a.jsonl"], ["tests/a.jsonl", "tests/a.jsonl::b"]):
        (whole,) = sources_for(inputs, project)
        assert case_ids(whole) == ["a", "b"]


def test_a_missing_file_names_the_nearest(folder: Path):
    assert problem(folder, "tests/c.jsonl") == (
        "no such file: tests/c.jsonl (did you mean 'tests/a.jsonl'? --message sends a text)"
    )
    assert problem(folder, "test/a.jsonl") == (
        "no such file: test/a.jsonl (did you mean 'tests/a.jsonl'? --message sends a text)"
    )
    assert "no such file" in problem(folder, "tests/c.jsonl::T1")


def test_a_link_to_nothing_is_told_as_one(folder: Path):
    (folder / "gone.jsonl").symlink_to("nowhere.jsonl")
    assert problem(folder, "gone.jsonl") == ("no such file: gone.jsonl is a link to nowhere.jsonl, which is not there")


@pytest.mark.parametrize("name", ["odd.jsonl", "odd.json", "odd.yaml", "odd.viva.yaml", "odd.viva.json"])
@pytest.mark.parametrize("kind", ["pipe", "link to a device"])
def test_what_may_never_end_is_a_problem_and_not_waited_for(folder: Path, name: str, kind: str):
    odd = folder / "tests" / name
    os.mkfifo(odd) if kind == "pipe" else odd.symlink_to("/dev/zero")
    for place in (f"tests/{name}", *(() if name == "odd.json" else ("tests", "tests/*"))):
        found = [item for source in sources_for([place], Project(root=folder)) for item in source.read()]
        problems = [str(item) for item in found if isinstance(item, UsageError)]
        assert problems == [f"tests/{name}: not a regular file (-i - reads cases from a pipe)"], place


def test_a_folder_or_glob_without_tests_says_what_was_looked_for(folder: Path):
    assert "no tests in empty (looked for *.jsonl with cases" in problem(folder, "empty")
    assert "nothing matches tests/*.yaml" in problem(folder, "tests/*.yaml")
    assert "no tests among what matches tests/*.txt" in problem(folder, "tests/*.txt")


def test_a_file_of_another_kind_is_refused(folder: Path):
    assert "not a case file: tests/notes.txt" in problem(folder, "tests/notes.txt")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("test", "no such file: test (did you mean 'tests'? --message sends a text)"),
        ("tests/refund", "no such file: tests/refund (--message sends a text)"),
        ("*.ndjson", "nothing matches *.ndjson (looked for *.jsonl with cases"),
        ("~", "no such file: ~ (--message sends a text)"),
        ("tests::T1", "no case 'T1'"),
        ("gone::T1", "no such file: gone (--message sends a text)"),
        ("gone:12", "no such file: gone (--message sends a text)"),
        ("x" * 5000, "no such file: xxx"),
    ],
)
def test_what_was_meant_as_a_path_is_never_sent(folder: Path, given: str, said: str):
    if given == "tests::T1":
        found = [item for source in sources_for([given], Project(root=folder)) for item in source.read()]
        assert any(said in str(item) for item in found if isinstance(item, UsageError))
    else:
        assert problem(folder, given).startswith(said)


@pytest.mark.parametrize("text", ["Hello there", "it's", "你好世界", "tests"])
def test_without_i_nothing_is_a_message(folder: Path, text: str):
    if text == "tests":
        refuse_message(text)
        return
    with pytest.raises(UsageError, match="no such file: "):
        refuse_message(text)


@pytest.mark.parametrize("name", ["UP.JSONL", "Up.Json", "UP.YAML", "up.viva.YML"])
def test_upper_case_suffixes_are_read_like_others(folder: Path, name: str):
    text = CASES if name == "UP.JSONL" else '{"id": "a", "turns": [{"user": "hi"}]}' if name == "Up.Json" else TEST
    (folder / "tests" / name).write_text(text)
    (source,) = sources_for([f"tests/{name}"], Project(root=folder))
    assert not any(isinstance(item, UsageError) for item in source.read())
    if name != "Up.Json":
        assert f"tests/{name}" in labels(folder, ["tests"])


def test_everything_else_is_a_message(folder: Path):
    sources = sources_for(["Hello there"], Project(root=folder), messages=["tests/a.jsonl"])
    assert all(isinstance(source, MessageSource) for source in sources)
    assert [case_ids(source) for source in sources] == [["T001"], ["T002"]]


def test_cases_on_standard_input(folder: Path):
    (source,) = sources_for(["-"], Project(root=folder), stdin=io.BytesIO(CASES.encode()))
    assert case_ids(source) == ["a", "b"]
    assert "no standard input" in problem(folder, "-")


def test_generators_are_made_by_whoever_knows_how(folder: Path):
    made = sources_for(
        ["agents:gen?count=2", "scripts.expense.setup"],
        Project(root=folder),
        generators={
            "agent": lambda ref: MessageSource(f"{ref.value} {ref.params}"),
            "script_tests": lambda ref: MessageSource(ref.value),
        },
    )
    lines = [case.first_input for source in made for case in source.read() if isinstance(case, Case)]
    assert lines == ["gen {'count': 2}", "expense.setup"]
    assert "agents that generate cases cannot be used here: gen" in problem(folder, "agents:gen")


def test_without_input_the_projects_own_tests_are_taken(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder / "tests")
    assert labels(folder, [], Config(tests=["tests/deep", "tests/a.jsonl"])) == [
        "deep/flow.yaml",
        "deep/named.viva.yml",
        "deep/one.viva.json",
        "a.jsonl",
    ]
    assert labels(folder, [], Config(tests="tests/b.jsonl")) == ["b.jsonl"]


def test_a_misspelt_entry_of_tests_is_answered_with_the_whole_path_from_the_project(folder: Path):
    with pytest.raises(UsageError, match=r"tests: there is no test/a.jsonl \(did you mean 'tests/a.jsonl'\?\)"):
        labels(folder, [], Config(tests=["test/a.jsonl"]))


def test_without_input_and_tests_the_error_says_how(folder: Path):
    assert problem(folder) == (
        "nothing to test (give -i FILE, FOLDER or a message, or set 'tests:' in the project's viva.yaml)"
    )
