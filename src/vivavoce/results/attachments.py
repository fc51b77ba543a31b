"""The bytes of images, sounds and files, kept once by their digest beside the history: a result's line only names them.

A name is a text such as `viva-attachment:image/png;bytes=2048;sha256=…` in place of the base64. Lines are changed as
bytes, so whatever holds base64 is covered: messages, replies, tool results, cases.
"""

import os
import re
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from vivavoce.model.message import ATTACHMENT_NAME
from vivavoce.model.result import RunInfo
from vivavoce.project.left_behind import remove_left_behind
from vivavoce.project.private_files import make_private_folder, make_state_folder
from vivavoce.project.whole_files import UNFINISHED, write_whole

FOLDER = "attachments"
MOST_BYTES = 2 << 30
"""The most bytes kept in all. Beyond it, the attachments that were unused longest are removed first."""
_NAMED = ATTACHMENT_NAME.encode()
_SAID = _NAMED[:-1] + b"\\u003a"
"""The same text as an agent or a case writes it: equal as JSON, but not read as a name."""
_FEWEST = 400
"""Characters of base64: less is not worth a file."""
_RAW = b"base64"
_BASE64 = rb"([A-Za-z0-9+/]{%d,}={0,2})" % _FEWEST
_URL = rb'"data:([a-z]+/[a-zA-Z0-9.+-]+);base64,' + _BASE64 + rb'"'
_SOUND = rb'("input_audio":\{"data":")' + _BASE64 + rb'"'
_NAME = _NAMED + rb"([a-z]+/[a-zA-Z0-9.+-]+|base64);bytes=\d+;sha256=([0-9a-f]{64})"


class AttachmentStore:
    """The folder of attachments of a project (`.viva/attachments`). It is made when there is something to keep."""

    def __init__(self, state_dir: Path) -> None:
        self._state_dir = state_dir
        self._folder = state_dir / FOLDER
        self._known: set[str] = set()

    def keep(self, line: bytes) -> bytes:
        """The line with its attachments named, their bytes in the store. What cannot be stored stays in the line."""
        # `find` and not `in`, which makes a TypeError and drops it before it searches bytes for bytes.
        if line.find(_NAMED) >= 0:
            line = line.replace(_NAMED, _SAID)
        # One byte is found four times as fast, and most lines have none.
        if line.find(b";") >= 0 and line.find(b";base64,") >= 0:
            line = re.sub(_URL, lambda found: self._named(found[0], b'"', found[1], found[2]), line)
        if line.find(b'"input_audio"') >= 0:
            line = re.sub(_SOUND, lambda found: self._named(found[0], found[1], _RAW, found[2]), line)
        return line

    def fill(self, line: bytes) -> bytes:
        """The line with the attachments that it names put back; one that is gone or damaged stays a name."""
        return re.sub(_NAME, self._bytes_of, line) if _NAMED in line else line

    def read(self, digest: str) -> bytes | None:
        """The bytes of a digest; None when they are not there, or are others."""
        try:
            data = (self._folder / digest).read_bytes()
        except OSError:
            return None
        return data if sha256(data).hexdigest() == digest else None

    def _named(self, whole: bytes, before: bytes, media_type: bytes, text: bytes) -> bytes:
        try:
            data = b64decode(text, validate=True)
        except NoBase64:
            return whole
        if b64encode(data) != text:
            return whole  # base64 in another spelling: it could not be restored exactly
        digest = sha256(data).hexdigest()
        if not self._stored(digest, data):
            return whole
        return b'%b%b%b;bytes=%d;sha256=%b"' % (before, _NAMED, media_type, len(data), digest.encode())

    def _stored(self, digest: str, data: bytes) -> bool:
        if digest in self._known:
            return True
        path = self._folder / digest
        try:
            if self.read(digest) is not None:
                os.utime(path)
            else:
                make_state_folder(self._state_dir)
                make_private_folder(self._folder)
                self._make_room(len(data))
                if not self._known:  # once a run: the folder may be large
                    remove_left_behind(self._folder.glob(UNFINISHED))
                write_whole(data, path)
        except OSError:
            return False
        self._known.add(digest)
        return True

    def _make_room(self, needed: int) -> None:
        kept = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(self._folder))
        too_many = sum(size for _, size, _ in kept) + needed - MOST_BYTES
        for _, size, path in kept:
            if too_many <= 0:
                return
            if Path(path).name not in self._known:
                with suppress(OSError):
                    os.unlink(path)
                too_many -= size

    def _bytes_of(self, name: "re.Match[bytes]") -> bytes:
        data = self.read(name[2].decode())
        if data is None:
            return name[0]
        text = b64encode(data)
        return text if name[1] == _RAW else b"data:%b;base64,%b" % (name[1], text)


def store_of(info: RunInfo | None) -> AttachmentStore | None:
    """The store of the project that a run belongs to; None where the run does not say."""
    return AttachmentStore(Path(info.project_root) / ".viva") if info is not None and info.project_root else None


def pictures_in(lines: Iterable[bytes], store: AttachmentStore) -> Iterator[tuple[str, str]]:
    """The pictures that lines name and the store has, each once: its digest and its data address."""
    seen: set[bytes] = set()
    for line in lines:
        for name in re.finditer(_NAME, line) if _NAMED in line else ():
            if name[2] in seen or not name[1].startswith(b"image/"):
                continue
            seen.add(name[2])
            if (data := store.read(name[2].decode())) is not None:
                yield name[2].decode(), f"data:{name[1].decode()};base64,{b64encode(data).decode()}"
