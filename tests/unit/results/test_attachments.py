"""Attachments lie once in the store; lines name them, and get them back unchanged."""

import json
import os
import time
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.results import attachments
from vivavoce.results.attachments import AttachmentStore, pictures_in

PICTURE = bytes(range(256)) * 4
URL = f"data:image/png;base64,{b64encode(PICTURE).decode()}"


def line_of(*values) -> bytes:
    return json.dumps(list(values), separators=(",", ":"), ensure_ascii=False).encode()


def test_the_same_bytes_are_stored_once_and_only_named(tmp_path: Path):
    store = AttachmentStore(tmp_path)
    line = line_of(*[{"image_url": {"url": URL}}] * 5)
    kept = store.keep(line)
    assert b"base64," not in kept
    assert kept.count(b"viva-attachment:image/png;bytes=1024;sha256=") == 5
    assert len(list((tmp_path / "attachments").iterdir())) == 1
    assert AttachmentStore(tmp_path).fill(kept) == line


def test_sounds_and_files_come_back_too(tmp_path: Path):
    store = AttachmentStore(tmp_path)
    raw = b64encode(PICTURE).decode()
    line = line_of({"input_audio": {"data": raw, "format": "wav"}}, {"file": {"url": URL, "filename": "a.pdf"}})
    kept = store.keep(line)
    assert raw.encode() not in kept
    assert store.fill(kept) == line


def test_only_the_owner_may_read_them(tmp_path: Path):
    AttachmentStore(tmp_path / ".viva").keep(line_of(URL))
    folder = tmp_path / ".viva" / "attachments"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_what_a_killed_run_left_of_another_attachment_is_removed(tmp_path: Path):
    left = tmp_path / "attachments" / f".{'a' * 64}.4711.tmp"
    left.parent.mkdir()
    left.write_bytes(b"half")
    os.utime(left, (time.time() - 1000,) * 2)
    AttachmentStore(tmp_path).keep(line_of(URL))
    assert not left.exists()
    assert len(list(left.parent.iterdir())) == 1


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"other")])
def test_what_is_gone_or_damaged_stays_a_name(tmp_path: Path, harm):
    store = AttachmentStore(tmp_path)
    kept = store.keep(line_of(URL))
    harm(next((tmp_path / "attachments").iterdir()))
    assert store.fill(kept) == kept


def test_a_name_that_an_agent_says_is_never_filled(tmp_path: Path):
    store = AttachmentStore(tmp_path)
    name = json.loads(store.keep(line_of(URL)))[0]
    said = store.keep(line_of({"url": name}, URL))
    assert json.loads(said)[0] == {"url": name}
    assert json.loads(store.fill(said)) == [{"url": name}, URL]


@pytest.mark.parametrize(
    "text", ["data:image/png;base64,AAAA", "data:text/plain;base64," + "A" * 401, URL + " and more"]
)
def test_what_is_small_or_could_not_be_given_back_stays_in_the_line(tmp_path: Path, text: str):
    assert AttachmentStore(tmp_path).keep(line_of(text)) == line_of(text)


def test_without_a_place_to_write_the_line_stays_whole(tmp_path: Path):
    (tmp_path / "attachments").write_text("in the way")
    assert AttachmentStore(tmp_path).keep(line_of(URL)) == line_of(URL)


def test_the_longest_unused_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attachments, "MOST_BYTES", 2500)
    for number in range(4):
        data = bytes([number]) * 1000
        AttachmentStore(tmp_path).keep(line_of(f"data:image/png;base64,{b64encode(data).decode()}"))
        newest = max((tmp_path / "attachments").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    assert len(list((tmp_path / "attachments").iterdir())) == 2


def test_pages_get_each_picture_once(tmp_path: Path):
    store = AttachmentStore(tmp_path)
    rows = [store.keep(line_of(URL, URL)), store.keep(line_of(URL)), b'{"id":"x"}']
    assert [address for _, address in pictures_in(rows, store)] == [URL]


PARTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.sampled_from(["viva-attachment:", "viva-attachment:image/png;bytes=1;sha256=" + "0" * 64, URL, '"', "\\"]),
    st.integers(0, 900).map(lambda size: f"data:image/x;base64,{b64encode(bytes(size)).decode()}"),
    st.integers(300, 600).map(lambda size: {"input_audio": {"data": b64encode(bytes(size)).decode()}}),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=at_most(60))
@given(
    st.lists(
        st.recursive(
            PARTS,
            lambda inner: st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=9), inner, max_size=3),
            max_leaves=5,
        ),
        max_size=4,
    )
)
def test_every_line_comes_back_as_it_was(tmp_path: Path, values):
    store = AttachmentStore(tmp_path)
    line = line_of(*values)
    assert json.loads(store.fill(store.keep(line))) == values
