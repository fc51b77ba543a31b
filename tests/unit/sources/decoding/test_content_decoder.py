from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.content_decoder import PART_FIELDS, decode_content, decode_request

PLACE = Place(Origin("a.jsonl", 3))
URL = "https://x/y.png"
PARTS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": "text", "text": "hi"}, {"type": "text", "text": "hi"}),
    ({"type": "image", "url": URL}, {"type": "image_url", "image_url": {"url": URL, "detail": "auto"}}),
    (
        {"type": "image_url", "image_url": {"url": URL, "detail": "low"}},
        {"type": "image_url", "image_url": {"url": URL, "detail": "low"}},
    ),
    ({"type": "image", "url": "file://a.png"}, {"type": "image", "source": "file://a.png"}),
    (
        {"type": "audio", "data": "AA==", "format": "mp3"},
        {"type": "input_audio", "input_audio": {"data": "AA==", "format": "mp3"}},
    ),
    (
        {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
        {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
    ),
    ({"type": "file", "source": "file://a.pdf", "name": "A"}, {"type": "file", "source": "file://a.pdf", "name": "A"}),
    ({"type": "file", "url": URL, "filename": "y"}, {"type": "file", "file": {"url": URL, "filename": "y"}}),
    ({"type": "file", "file": {"file_id": "f1"}}, {"type": "file", "file": {"file_id": "f1"}}),
    ({"type": "file", "file": {"url": "file://a"}}, {"type": "file", "source": "file://a"}),
    ({"type": "data", "data": {"a": 1}}, {"type": "data", "data": {"a": 1}}),
    ({"type": "map", "text": "here", "zoom": 3}, {"type": "map", "text": "here"}),
    ({"type": "map", "zoom": 3}, {"type": "map"}),
]


@pytest.mark.parametrize(("written", "part"), PARTS, ids=[str(written) for written, _ in PARTS])
def test_a_part_in_each_of_its_spellings(written: dict[str, Any], part: dict[str, Any]):
    assert decode_content(written, PLACE) == [part]
    assert decode_content([{"type": "text", "text": "see"}, written], PLACE) == [{"type": "text", "text": "see"}, part]


def test_every_kind_of_part_is_tried():
    assert {written["type"] for written, _ in PARTS} >= PART_FIELDS.keys()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (None, "wanted text or content parts, found null"),
        (["text"], 'part at index 0: wanted an object, found "text"'),
        ({"text": "hi"}, "a content part needs a 'type'"),
        ({"typ": "text"}, "did you mean 'type'?"),
        ({"type": "text", "text": 7}, "text: wanted text, found 7"),
        ({"type": "text", "txt": "hi"}, "unknown field 'txt'"),
        ({"type": "image"}, "an image needs a 'source' (file://…) or a 'url'"),
        ({"type": "image", "source": URL}, "source: wanted a file:// path"),
        ({"type": "image_url", "image_url": URL}, "image_url: wanted an object"),
        ({"type": "audio", "data": "AA=="}, "format: wanted text, found null"),
        ({"type": "audio"}, "needs a 'source' (file://…) or 'data' and 'format'"),
        ({"type": "file"}, "a file needs a 'source' (file://…), a 'url' or a 'file'"),
        ({"type": "file", "file": {"file_id": "f", "url": URL}}, "file: unknown field 'url'"),
        ({"type": "data", "data": [1]}, "data: wanted an object, found a list"),
    ],
)
def test_what_is_no_part_is_told_with_its_place(written: Any, words: str):
    with pytest.raises(UsageError) as caught:
        decode_content(written, PLACE)
    assert words in str(caught.value)
    assert str(caught.value).startswith("a.jsonl:3: ")


def test_a_request_that_no_server_knows_is_a_usage_error():
    with pytest.raises(UsageError, match="a request of an MCP server: "):
        decode_request({"call": 7}, PLACE)
