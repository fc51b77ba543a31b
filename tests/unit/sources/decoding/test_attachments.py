from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin, ScriptedTurn
from vivavoce.model.message import ContentPart, Message
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.sources.decoding.attachments import LARGEST_ATTACHMENT, load_attachments

PNG = {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H", "detail": "auto"}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "tests/cases.jsonl").write_text("")
    (root / "tests/a.png").write_bytes(b"PNG")
    (root / "shared.png").write_bytes(b"PNG")
    (tmp_path / "secret.png").write_bytes(b"secret")
    monkeypatch.chdir(root)
    return Project(root=root)


def part(source: str, kind: str = "image") -> ContentPart:
    return {"type": kind, "source": source}


def case_with(*parts: ContentPart, path: str = "tests/cases.jsonl") -> Case:
    return Case(id="T", origin=Origin(path, 3), turns=(ScriptedTurn(content=list(parts)),))


def problem(case: Case, project: Project) -> str:
    with pytest.raises(UsageError) as caught:
        load_attachments(case, project)
    return str(caught.value)


def test_a_case_without_files_is_handed_back_as_it_is(project: Project):
    case = Case(id="T", turns=(ScriptedTurn(content="hi"),), history=(Message(role="user", content="x"),))
    assert load_attachments(case, project) is case


def test_turn_attachments_become_parts_behind_the_words(project: Project):
    turn = ScriptedTurn(content="look", attachments=(part("file://a.png"),))
    loaded = load_attachments(Case(id="T", origin=Origin("tests/cases.jsonl"), turns=(turn,)), project)
    assert loaded.turns == (ScriptedTurn(content=[{"type": "text", "text": "look"}, PNG]),)


def test_files_are_read_in_history_and_in_the_line(project: Project):
    case = Case(
        id="T",
        origin=Origin("tests/cases.jsonl"),
        history=(Message(role="user", content=[part("file://./a.png")]), Message(role="assistant", content="nice")),
        turns=(ScriptedTurn(content=[{"type": "text", "text": "this?"}, part("file://a.png")]),),
    )
    loaded = load_attachments(case, project)
    assert loaded.history == (Message(role="user", content=[PNG]), Message(role="assistant", content="nice"))
    assert loaded.turns[0].content == [{"type": "text", "text": "this?"}, PNG]


def test_what_does_not_lie_beside_the_case_file_is_looked_for_in_the_projects_root(project: Project):
    assert load_attachments(case_with(part("file://shared.png")), project).first_input == [PNG]


def test_a_case_shown_from_the_projects_root_is_found_from_elsewhere(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir("/")
    assert load_attachments(case_with(part("file://a.png")), project).first_input == [PNG]


def test_a_case_without_a_file_looks_in_the_projects_root(project: Project):
    assert load_attachments(case_with(part("file://shared.png"), path="<stdin>"), project).first_input == [PNG]


def test_a_part_keeps_its_detail_and_name(project: Project):
    image = {"type": "image", "source": "file://a.png", "detail": "high"}
    document = {"type": "file", "source": "file://a.png", "name": "b.png"}
    assert load_attachments(case_with(image, document), project).first_input == [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H", "detail": "high"}},
        {"type": "file", "file": {"url": "data:image/png;base64,UE5H", "filename": "b.png"}},
    ]


@pytest.mark.parametrize(
    ("name", "media"),
    [
        ("x.PDF", "application/pdf"),
        ("x.md", "text/markdown"),
        ("x.zzz", "application/octet-stream"),
        ("x", "application/octet-stream"),
    ],
)
def test_a_file_has_the_media_type_of_its_ending(project: Project, name: str, media: str):
    (project.root / "tests" / name).write_bytes(b"x")
    (loaded,) = load_attachments(case_with(part(f"file://{name}", "file")), project).first_input
    assert loaded == {"type": "file", "file": {"url": f"data:{media};base64,eA==", "filename": name}}


@pytest.mark.parametrize("way", ["file://../../secret.png", "file:///absolute", "file://link.png"])
def test_what_lies_outside_the_project_is_refused_unless_allowed(project: Project, way: str):
    secret = project.root.parent / "secret.png"
    (project.root / "tests/link.png").symlink_to(secret)
    case = case_with(part(way.replace("/absolute", str(secret))))
    assert "lies outside the project" in problem(case, project)
    allowed = Project(root=project.root, config=Config(allow_outside=True))
    assert load_attachments(case, allowed).first_input != case.first_input


def test_the_folder_of_the_case_file_counts_as_inside(project: Project, tmp_path: Path):
    elsewhere = Project(root=tmp_path / "other")
    case = case_with(part("file://a.png"), path=str(project.root / "tests/cases.jsonl"))
    assert load_attachments(case, elsewhere).first_input == [PNG]


def test_a_missing_file_names_the_file_and_the_case(project: Project):
    text = problem(case_with(part("file://gone.png")), project)
    assert text.startswith("tests/cases.jsonl:3: attachment of case 'T': no such file: file://gone.png (looked in ")


def test_a_folder_is_no_attachment(project: Project):
    (project.root / "tests/dir").mkdir()
    assert "file://dir is not a file" in problem(case_with(part("file://dir")), project)


def test_a_huge_file_is_refused(project: Project):
    with (project.root / "tests/huge.bin").open("wb") as file:
        file.truncate(LARGEST_ATTACHMENT + 1)
    assert "has 50 MB, an attachment may have 50 MB" in problem(case_with(part("file://huge.bin", "file")), project)
