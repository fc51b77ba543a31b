"""What a message has besides words, in a few."""

from base64 import b64encode

import pytest

from vivavoce.model.message import ContentPart
from vivavoce.reporters.attached_parts import attached_parts

TEN = b64encode(b"0123456789").decode()
KEPT = f"viva-attachment:image/png;bytes=2048;sha256={'0' * 64}"


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{TEN}"}}, "[image/png, 10 bytes]"),
        ({"type": "image_url", "image_url": {"url": KEPT}}, "[image/png, 2 KB]"),
        ({"type": "image_url", "image_url": {"url": "https://x.test/a.png"}}, "[image]"),
        ({"type": "input_audio", "input_audio": {"data": TEN, "format": "mp3"}}, "[audio, 10 bytes]"),
        (
            {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{TEN}"}},
            "[a.pdf, 10 bytes]",
        ),
        ({"type": "file", "file": {"file_id": "f-1"}}, "[file]"),
        ({"type": "file", "source": "file://a.pdf", "filename": "a\x1b[31m.pdf"}, r"[a\x1b[31m.pdf]"),
        ({"type": 7, "file": ["x"]}, "[7]"),
    ],
)
def test_a_part_is_known_by_its_name_or_kind_and_its_size(part: ContentPart, words: str):
    assert attached_parts([{"type": "text", "text": "look"}, part]) == words


def test_words_alone_have_nothing_attached():
    assert attached_parts("hi") == attached_parts([{"type": "text", "text": "hi"}]) == ""
