"""Nobody's test vanishes from a folder."""

import os
from datetime import datetime
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.reporters.formats import default_output_path
from vivavoce.sources.discover import sources_for

TEST = "name: t\nturns:\n  - user: hi\n"
CASE = '{"id": "a", "input": "x"}\n'


def search(folder: Path, notices: list[str] | None = None) -> list[str]:
    kept = [] if notices is None else notices
    found = sources_for([str(folder)], Project(root=folder), notice=kept.append)
    return [os.path.relpath(source.label, os.path.relpath(folder)) for source in found]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name: t\nturn:\n  - user: hi\n", "'turns' are misspelt"),
        ("truns:\n  - user: hi\n", "'turns' are misspelt"),
        ("Turns:\n  - input: hi\n", "'turns' are misspelt"),
        ("{turns: [{user: hi}]}\n", "do not stand at the beginning of a line"),
        ('{"name": "t",\n "turns": [{"user": "hi"}]}\n', "do not stand at the beginning of a line"),
        ("  name: t\n  turns:\n    - user: hi\n", "do not stand at the beginning of a line"),
        ("name: other\n---\ntunrs:\n- user: hi\n", "'turns' are misspelt"),
    ],
)
def test_what_is_nearly_a_test_is_an_error(tmp_path: Path, text: str, complaint: str):
    (tmp_path / "ok.jsonl").write_text(CASE)
    (tmp_path / "flow.yaml").write_text(text)
    sources = sources_for([str(tmp_path)], Project(root=tmp_path))
    (refused,) = [str(found) for source in sources for found in source.read() if isinstance(found, UsageError)]
    assert complaint in refused
    assert "flow.yaml" in refused
    assert "NAME.viva.yaml" in refused


def test_a_folder_of_nothing_but_nearly_tests_is_an_error(tmp_path: Path):
    (tmp_path / "flow.yaml").write_text("turn:\n  - user: hi\n")
    with pytest.raises(UsageError, match="misspelt"):
        search(tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + TEST.encode(),
        b"\xef\xbb\xbfturns:\n  - user: hi\n",
        TEST.replace("\n", "\r").encode(),
        TEST.replace("\n", "\r\n").encode(),
        TEST.encode("utf-16"),
        TEST.encode("utf-16-le"),
        b"'turns' :\n  - user: hi\n",
        b"turns: [\n",
        b"{turns: [}\n",
    ],
)
def test_a_test_in_another_encoding_or_broken_is_found(tmp_path: Path, data: bytes):
    (tmp_path / "flow.yaml").write_bytes(data)
    assert search(tmp_path) == ["flow.yaml"]


FOREIGN = [
    "runs:\n  using: node\n",
    "runs:\n  - name: x\n",
    "services:\n  - user: root\n",
    "- role: system\n",
    "",
    "Resource: !Ref x\n",
    "name: t\nturn: 5\n",
]


def test_a_configuration_of_promptfoo_is_named_with_its_import(tmp_path: Path):
    (tmp_path / "promptfooconfig.yaml").write_text("prompts: [x]\ntests: []\n")
    (tmp_path / "ok.jsonl").write_text(CASE)
    notices: list[str] = []
    search(tmp_path, notices)
    assert notices[0].endswith("promptfooconfig.yaml; `viva import promptfoo` takes its tests along")


def test_foreign_yaml_is_named_in_one_line_per_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path.parent)
    (tmp_path / "deep").mkdir()
    for number, text in enumerate(FOREIGN):
        (tmp_path / f"f{number}.yml").write_text(text)
    (tmp_path / "deep" / "x.yaml").write_text("a: 1\n")
    (tmp_path / "ok.jsonl").write_text(CASE)
    notices: list[str] = []
    assert search(tmp_path, notices) == ["ok.jsonl"]
    here, why = tmp_path.name, "(no top-level 'turns', not named NAME.viva.yaml)"
    assert notices == [
        f"{here}: {len(FOREIGN)} YAML files are no tests {why}: f0.yml, f1.yml, f2.yml and 4 more",
        f"{here}/deep: 1 YAML file is no test {why}: x.yaml",
    ]


def test_what_is_nearly_a_test_is_named_as_a_person_would_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path.parent)
    (tmp_path / "near.yaml").write_text("tuns:\n  - user: hi\n")
    with pytest.raises(UsageError) as refused:
        search(tmp_path)
    assert str(refused.value).startswith(f"{tmp_path.name}/near.yaml: this looks like a test")


@pytest.mark.parametrize("kind", ["start", "tape", "baseline", "label"])
def test_files_of_vivas_own_are_no_cases(tmp_path: Path, kind: str):
    (tmp_path / "own.jsonl").write_text(f'{{"type": "{kind}", "x": 1}}\n')
    (tmp_path / "__snapshots__").mkdir()
    (tmp_path / "__snapshots__" / "s.jsonl").write_text(CASE)
    (tmp_path / "ok.jsonl").write_text(CASE)
    assert search(tmp_path) == ["ok.jsonl"]


@pytest.mark.parametrize("first", ['{"type": "multi_turn", "turns": []}', '{"type": "mutli_turn", "id": "a"}', "", "{"])
def test_a_case_that_begins_with_its_type_is_not_taken_for_one(tmp_path: Path, first: str):
    (tmp_path / "cases.jsonl").write_text(first)
    assert search(tmp_path) == ["cases.jsonl"]


def test_the_result_file_of_a_run_that_was_killed_before_its_first_line_is_no_empty_case_file(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text('{"id": "T1", "input": "hi"}\n')
    (tmp_path / default_output_path(tmp_path, datetime.now()).name).touch()
    (tmp_path / "output-20261118020204-2.jsonl").touch()
    assert search(tmp_path) == ["a.jsonl"]


def test_links_are_followed_once_and_circles_end(tmp_path: Path):
    tests, shared = tmp_path / "tests", tmp_path / "shared"
    tests.mkdir()
    shared.mkdir()
    (shared / "a.jsonl").write_text(CASE)
    (tests / "link").symlink_to(shared)
    (tests / "again").symlink_to(shared)
    (tests / "round").symlink_to(tests)
    (shared / "up").symlink_to(tests)
    assert [Path(name).name for name in search(tests)] == ["a.jsonl"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_cannot_be_searched_is_an_error(tmp_path: Path):
    (tmp_path / "ok.jsonl").write_text(CASE)
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(UsageError, match="closed: cannot be searched for tests"):
        search(tmp_path)


def problems_in(folder: Path) -> list[str]:
    sources = sources_for([str(folder)], Project(root=folder))
    return [str(found) for source in sources for found in source.read() if isinstance(found, UsageError)]


def test_a_list_of_tests_is_an_error_although_it_stands_beside_a_good_file(tmp_path: Path):
    (tmp_path / "ok.jsonl").write_text(CASE)
    (tmp_path / "list.yaml").write_text("- name: t\n  turns: [{user: hi}]\n")
    (refused,) = problems_in(tmp_path)
    assert "list of tests" in refused


NAMES = ("none.jsonl", "none.viva.yaml", "none.viva.json", "sub/none.JSONL")
EMPTY = [(name, content) for name in NAMES for content in ("", "\n \n", "# nothing\n", "\ufeff")]


@pytest.mark.parametrize(("name", "content"), [*EMPTY, ("none.viva.json", "[]")])
def test_a_file_without_a_case_is_told_although_it_stands_beside_a_good_one(tmp_path: Path, name: str, content: str):
    (tmp_path / "sub").mkdir()
    (tmp_path / "ok.jsonl").write_text(CASE)
    (tmp_path / name).write_text(content)
    (refused,) = problems_in(tmp_path)
    assert name.rpartition("/")[2] in refused


def test_a_link_to_a_folder_that_is_gone_is_told(tmp_path: Path):
    (tmp_path / "ok.jsonl").write_text(CASE)
    (tmp_path / "more").symlink_to("nowhere")
    (refused,) = problems_in(tmp_path)
    assert "more: is a link to nowhere, which is not there" in refused


def test_a_link_that_nobody_may_follow_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As root everything can be followed, so the refusal of the system is played."""
    (tmp_path / "suite").symlink_to(tmp_path / "closed" / "suite")

    def refused(self: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "exists", refused)
    with pytest.raises(UsageError, match="a link that cannot be followed: Permission denied"):
        search(tmp_path)
