"""Files that go with a message and files that come back."""

import base64

from vivavoce.targets.a2a.files import described, taken_apart


def test_the_words_and_the_files_of_a_line() -> None:
    text, files, strange = taken_apart(
        [
            {"type": "text", "text": "look"},
            {"type": "image_url", "image_url": {"url": "https://h/a.png"}},
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}},
            {"type": "file", "file": {"filename": "b.pdf", "file_data": "data:application/pdf;base64,BBBB"}},
            {"type": "video"},
        ]
    )
    assert (text, strange) == ("look", [{"type": "video"}])
    assert [(file.base64, file.address, file.media_type, file.name) for file in files] == [
        (None, "https://h/a.png", "image/*", ""),
        ("AAAA", None, "audio/mp3", ""),
        ("BBBB", None, "application/pdf", "b.pdf"),
    ]


def test_a_file_of_the_agent_is_told_by_its_digest_and_its_words_when_it_is_text() -> None:
    encoded = base64.b64encode(b"hello").decode()
    told = described({"filename": "a.txt", "mediaType": "text/plain", "raw": encoded})
    assert (told["name"], told["bytes"], told["text"]) == ("a.txt", 5, "hello")
    assert described({"bytes": encoded, "mimeType": "image/png"}).keys() == {"media_type", "bytes", "sha256"}
    assert described({"uri": "https://h/b.pdf", "name": "b.pdf"}) == {"name": "b.pdf", "url": "https://h/b.pdf"}


def test_base64_without_padding_is_read_and_what_is_none_is_told() -> None:
    assert described({"raw": "_-8"})["bytes"] == 2
    assert described({"raw": "!!!"}) == {"not_base64": "!!!"}
