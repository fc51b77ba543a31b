"""Splitting a stream into frames gives the same frames wherever the stream was cut."""

import pytest

from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter

STREAM = (
    b"\xef\xbb\xbfdata: one\n\n"
    b": a comment\r\n\r\n"
    b"event: x\r\ndata:two\r\nid: 7\r\n\r\n"
    b"data: three\rdata: and more\r\r"
    b"data: caf\xc3\xa9 \xe2\x82\xac\n\n"
    b"data\n\ndata:\n\n"
    b"data: last\n\n"
)
FRAMES = [b"one", b"two", b"three\nand more", "café €".encode(), b"", b"last"]


def split(*chunks: bytes) -> list[bytes]:
    splitter = SseSplitter()
    frames = [frame for chunk in chunks for frame in splitter.feed(chunk)]
    assert splitter.rest() == b""
    return frames


def test_lf_crlf_cr_comments_and_many_data_lines() -> None:
    assert split(STREAM) == FRAMES


@pytest.mark.parametrize("at", range(len(STREAM) + 1))
def test_a_cut_at_any_byte_changes_nothing(at: int) -> None:
    assert split(STREAM[:at], STREAM[at:]) == FRAMES


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_small_chunks_change_nothing(size: int) -> None:
    assert split(*(STREAM[at : at + size] for at in range(0, len(STREAM), size))) == FRAMES


PLAIN = b'data: {"a": 1}\n\ndata: {"b": 2}\n\n: ping\n\ndata: {"c": 3}\nid: 7\n\ndata: {"d": 4}\n\n\ndata: {"e": 5}\n\n'


@pytest.mark.parametrize("at", range(len(PLAIN) + 1))
def test_what_is_not_plain_among_plain_events_is_seen_wherever_it_is_cut(at: int) -> None:
    assert split(PLAIN[:at], PLAIN[at:]) == [b'{"a": 1}', b'{"b": 2}', b'{"c": 3}', b'{"d": 4}', b'{"e": 5}']


def test_empty_chunks_change_nothing() -> None:
    assert split(b"", b"data: a\r", b"", b"\n\r\n", b"") == [b"a"]


def test_what_the_stream_ended_on_is_handed_out() -> None:
    splitter = SseSplitter()
    assert splitter.feed(b"data: a\n\ndata: b\ndata: c") == [b"a"]
    assert splitter.rest() == b"b\nc"


def test_a_comment_at_the_end_leaves_nothing() -> None:
    splitter = SseSplitter()
    splitter.feed(b"data: a\n\n: bye")
    assert splitter.rest() == b""


def test_a_frame_beyond_the_limit_is_refused_however_it_comes() -> None:
    with pytest.raises(FrameTooLarge):
        SseSplitter(10).feed(b"data: 12345678901")
    splitter = SseSplitter(20)
    for _ in range(4):
        splitter.feed(b"data: 12345\n")
    with pytest.raises(FrameTooLarge):
        splitter.feed(b"data: 12345\n")


def test_many_small_frames_are_not_one_large_one() -> None:
    splitter = SseSplitter(20)
    assert len([frame for _ in range(100) for frame in splitter.feed(b"data: 12345\n\n")]) == 100


@pytest.mark.parametrize("field", [b":", b": ", b"event: ", b"id:"])
def test_json_about_tools_outside_of_data_is_not_overlooked(field):
    splitter = SseSplitter()
    splitter.feed(field + b'{"tool_calls": [{"name": "delete_order"}]}\n\ndata: x\n\n')
    assert splitter.stray.startswith(field)


@pytest.mark.parametrize("line", [b": ping - 2026-01-01 [keepalive]", b":", b'event: {"n": 1}', b"event: tool_call"])
def test_other_comments_and_fields_are_left_alone(line):
    splitter = SseSplitter()
    assert (splitter.feed(line + b"\n\ndata: x\n\n"), splitter.stray) == ([b"x"], b"")


def test_the_names_of_events_are_kept() -> None:
    splitter = SseSplitter()
    splitter.feed(STREAM + b"event:tool:refund\ndata: {}\n\n")
    assert splitter.names == {b"x", b"tool:refund"}
