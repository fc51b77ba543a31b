import base64

from vivavoce.app.talking.attached_files import with_files
from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.json_value import JsonObject


def url(data: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def filed(*parts: JsonObject) -> tuple[list[JsonObject], dict[str, bytes]]:
    case, files = with_files(Case(id="a", turns=(ScriptedTurn(content=list(parts)),)), "a.files")
    content = case.turns[0].content
    assert isinstance(content, list)
    return content, files


def test_every_kind_of_attachment_becomes_a_file():
    content, files = filed(
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": url(b"png", "image/png"), "detail": "auto"}},
        {"type": "input_audio", "input_audio": {"data": base64.b64encode(b"wav").decode(), "format": "wav"}},
        {"type": "file", "file": {"url": url(b"milk", "text/plain"), "filename": "list.txt"}},
    )
    assert content == [
        {"type": "text", "text": "look"},
        {"type": "image", "source": "file://a.files/picture.png"},
        {"type": "audio", "source": "file://a.files/audio.wav"},
        {"type": "file", "source": "file://a.files/list.txt"},
    ]
    assert files == {"a.files/picture.png": b"png", "a.files/audio.wav": b"wav", "a.files/list.txt": b"milk"}


def test_a_name_cannot_lead_elsewhere():
    _, files = filed({"type": "file", "file": {"url": url(b"x", "text/plain"), "filename": "../../.git/hooks/a b"}})
    assert list(files) == ["a.files/a-b"]


def test_two_files_of_one_name_are_both_kept():
    part = {"type": "file", "file": {"url": url(b"x", "text/plain"), "filename": "a.txt"}}
    other = {"type": "file", "file": {"url": url(b"y", "text/plain"), "filename": "a.txt"}}
    content, files = filed(part, other, part)
    assert files == {"a.files/a.txt": b"x", "a.files/a-2.txt": b"y"}
    assert [one["source"][-9:] for one in content] == ["les/a.txt", "s/a-2.txt", "les/a.txt"]


def test_what_holds_no_data_stays_as_it_is():
    parts: list[JsonObject] = [
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "file", "file": {"url": "data:text/plain;base64,%%%", "filename": "a"}},
        {"type": "data", "data": {"x": 1}},
    ]
    assert filed(*parts) == (parts, {})
