"""Words for frameworks that take nothing else."""

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.message import ContentPart
from vivavoce.targets.frameworks.content import (
    Media,
    cannot_send,
    is_words,
    pieces_of,
    words_and_pictures,
    words_only,
)
from vivavoce.targets.frameworks.strands import _blocks


def test_words_are_taken_out_of_their_parts():
    assert words_only("hi", "ADK") == "hi"
    assert words_only([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ADK") == "a\nb"


def test_anything_else_is_refused():
    with pytest.raises(CallFailed, match=r"sends ADK agents texts only, and not \[image_url\]") as caught:
        words_only([{"type": "image_url", "image_url": {"url": "data:,"}}], "ADK")
    assert caught.value.fault == "test"


@pytest.mark.parametrize(
    ("part", "piece"),
    [
        ({"type": "text", "text": "hi"}, "hi"),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H", "detail": "auto"}},
            Media(kind="image", media_type="image/png", data=b"PNG"),
        ),
        ({"type": "image_url", "image_url": "https://x/y.png"}, Media(kind="image", url="https://x/y.png")),
        (
            {"type": "input_audio", "input_audio": {"data": "UE5H", "format": "mp3"}},
            Media(kind="audio", media_type="audio/mpeg", data=b"PNG"),
        ),
        (
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,UE5H", "filename": "a.pdf"}},
            Media(kind="file", media_type="application/pdf", data=b"PNG", name="a.pdf"),
        ),
        (
            {"type": "file", "file": {"file_data": "data:image/png;base64,UE5H", "filename": "a.png"}},
            Media(kind="image", media_type="image/png", data=b"PNG", name="a.png"),
        ),
        ({"type": "file", "file": {"url": "https://x/y.pdf"}}, Media(kind="file", url="https://x/y.pdf")),
    ],
)
def test_parts_become_words_and_media(part: ContentPart, piece: str | Media):
    assert pieces_of([part], "ADK") == [piece]
    assert is_words([part]) is isinstance(piece, str)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "hologram", "hologram": {"url": "data:,"}},
        {"type": "file", "file": {"file_id": "f-1"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,A"}},
    ],
)
def test_what_cannot_be_sent_is_the_tests_fault(part: ContentPart):
    with pytest.raises(CallFailed) as caught:
        pieces_of([part], "ADK")
    assert caught.value.fault == "test"


def test_an_error_names_what_has_no_place():
    error = cannot_send(Media(kind="file", media_type="text/csv", data=b"a"), "AutoGen", "pictures only")
    assert (str(error), error.fault) == ("AutoGen agents cannot be sent text/csv: pictures only", "test")


def test_blocks_of_strands():
    parts: list[ContentPart] = [
        {"type": "text", "text": "hi"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}},
        {"type": "file", "file": {"file_data": "data:text/plain;base64,UE5H", "filename": "notes.log"}},
    ]
    assert _blocks(parts) == [
        {"text": "hi"},
        {"image": {"format": "png", "source": {"bytes": b"PNG"}}},
        {"document": {"format": "txt", "name": "notes", "source": {"bytes": b"PNG"}}},
    ]
    with pytest.raises(CallFailed, match="image at an address"):
        _blocks([{"type": "image_url", "image_url": {"url": "https://x/y.png"}}])


PICTURE: ContentPart = {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}}


def test_words_and_pictures_keep_their_order():
    words, picture = words_and_pictures([{"type": "text", "text": "look"}, PICTURE], "AutoGen")
    assert words == "look"
    assert isinstance(picture, Media)
    assert (picture.base64, picture.media_type) == ("UE5H", "image/png")


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": "https://x/y.png"},
        {"type": "input_audio", "input_audio": {"data": "UE5H", "format": "mp3"}},
        {"type": "file", "file": {"file_data": "data:application/pdf;base64,UE5H"}},
    ],
)
def test_only_pictures_in_the_line_go_with_words(part: ContentPart):
    with pytest.raises(CallFailed, match=r"AutoGen agents cannot be sent .*texts and pictures in the line") as caught:
        words_and_pictures([PICTURE, part], "AutoGen")
    assert caught.value.fault == "test"
