"""The one stream to the screen: nothing that goes through it acts on a terminal or on a CI system's log.

Whatever viva prints may quote an agent, a file or a name that somebody else chose. Control characters, escape
sequences and marks that turn text around are shown instead of sent; only viva's own colours pass. In GitHub Actions
no line is a workflow command but viva's own (`write_command`).
"""

import io
import re
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, ClassVar, TextIO, cast

from vivavoce.containment.written_secrets import without_written_secrets
from vivavoce.wording.unsafe_characters import made_visible

_COLOUR = "\x1b\\[(?:0|1|2|3[1-7])m"
ERASE_LINE = "\r\x1b[2K"
"""Takes the line that the cursor is in off the screen."""
_COMMAND = r"(?m)^[^\S\n]*:(?=:)"
_LOG_COMMAND = r"##(\w*)(?=\[)"
_REMEMBERED = 64
"""Characters of a line that is written in several pieces: a command could be put together from them."""
_write = io.TextIOWrapper.write


class SafeStream(io.TextIOWrapper):
    """A text stream whose text is made harmless on its way out."""

    def pass_own(self, env: Mapping[str, str]) -> None:
        """Decides by the terminal and the environment which of viva's own sequences may pass."""
        terminal = self.isatty()
        coloured = not env.get("NO_COLOR") and (terminal or env.get("FORCE_COLOR", "0") not in ("", "0"))
        allowed = [*([_COLOUR] if coloured else []), *([re.escape(ERASE_LINE)] if terminal else [])]
        self._own = re.compile("|".join(allowed)) if allowed else None
        self._in_actions = env.get("GITHUB_ACTIONS") == "true"
        self._line = ""

    mask: ClassVar[Callable[[str], str]] = str
    """Takes the secrets out of a text; `redact_with` sets it."""
    masks = False
    """Whether every text is masked here. Results are masked before they are printed, so stdout needs no mask: a secret
    that is an ordinary word would hide viva's own words."""

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - click asks by writing bytes
            raise TypeError(f"write() takes a text, not {type(text).__name__}")
        _write(self, self._harmless(without_written_secrets(SafeStream.mask(text)) if self.masks else text))
        return len(text)

    @property
    def is_for_programs(self) -> bool:
        """Whether no person reads it: in GitHub Actions a pipe is the log as well."""
        return not self.isatty() and not self._in_actions

    def write_as_is(self, text: str) -> None:
        super().write(text)
        self._line = _begun_line(self._line + text)

    def _harmless(self, text: str) -> str:
        # Most of what is written is one plain line with its end.
        if not self._in_actions and (text[:-1] if text.endswith("\n") else text).isprintable():
            return text
        if self._own is None:
            text = _shown(text)
        else:
            pieces, end = list[str](), 0
            for own in self._own.finditer(text):
                pieces += [_shown(text[end : own.start()]), own[0]]
                end = own.end()
            text = "".join([*pieces, _shown(text[end:])])
        return self._without_commands(text) if self._in_actions else text

    def _without_commands(self, text: str) -> str:
        before = len(self._line)
        whole = _without_commands(self._line + text, before)
        self._line = _begun_line(whole)
        return whole[before:]


def _without_commands(text: str, before: int = 0) -> str:
    """A line that begins with `::` is a command to GitHub, and so is `##[` anywhere: a blank breaks each of them.

    The first `before` characters stay as they are: they are written already, and no command by themselves.
    """

    def broken(match: re.Match[str]) -> str:
        at = max(before, match.start() + 1) - match.start()
        return f"{match[0][:at]} {match[0][at:]}"

    return re.sub(_LOG_COMMAND, broken, re.sub(_COMMAND, lambda match: match[0] + " ", text))


def harmless(text: str, env: Mapping[str, str]) -> str:
    """The text as it may stand in another program's output: shown as SafeStream shows it, without colours."""
    shown = _shown(text)
    return _without_commands(shown) if env.get("GITHUB_ACTIONS") == "true" else shown


def _begun_line(text: str) -> str:
    """As much of the last line as tells whether what follows is a command."""
    line = text.rpartition("\n")[2]
    if len(line) <= _REMEMBERED:
        return line
    return f"x{line[-_REMEMBERED:]}" if line.strip() else " "


def _shown(text: str) -> str:
    if text.isprintable():
        return text
    return "\t".join(map(made_visible, text.replace("\r\n", "\n").split("\t")))


def redact_with(mask: Callable[[str], str]) -> None:
    """From now on no secret that `mask` knows leaves through a door."""
    SafeStream.mask = staticmethod(mask)


def secrets_are_known() -> bool:
    """Whether anybody called `redact_with` yet."""
    return SafeStream.mask is not str


def without_secrets(text: str) -> str:
    """The text with the secrets masked that are known so far."""
    return SafeStream.mask(text)


def write_data(stream: TextIO, text: str) -> None:
    """Writes a document for other programs: byte for byte into a file or pipe, harmless on a screen."""
    if isinstance(stream, SafeStream) and stream.is_for_programs:
        stream.write_as_is(SafeStream.mask(text))
    else:
        stream.write(text)


def data_stream(stream: TextIO) -> BinaryIO:
    """Where a program's lines go: the stream's own bytes, on a screen through its door."""
    stream.flush()
    raw = stream.is_for_programs if isinstance(stream, SafeStream) else not stream.isatty()
    return cast("BinaryIO", stream.buffer if raw else _ThroughTheDoor(stream))


class _ThroughTheDoor(io.RawIOBase):
    """Bytes that become harmless text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, data: Any, /) -> int:
        self._stream.write(bytes(data).decode(errors="replace"))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def write_command(stream: TextIO, line: str) -> None:
    """Writes a workflow command of viva's own, whose parts are escaped already."""
    if isinstance(stream, SafeStream):
        stream.write_as_is(line + "\n")
        stream.flush()
    else:
        print(line, file=stream, flush=True)
