"""How the console looks: colours or none, a live line or none, how wide, in which characters."""

import shutil
import textwrap
from collections.abc import Iterable, Mapping

from msgspec import Struct

from vivavoce.model.result import Status
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.project.ci import in_ci
from vivavoce.wording.terminal_text import clip

WIDEST_RULE = 63
NO_EDGE = 10_000
"""Columns of a console that is no terminal: wider than any line."""
_IN_ASCII = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "○": "o",
        "►": ">",
        "ℹ": "i",
        "═": "=",
        "─": "-",
        "│": "|",
        "├": "|",
        "└": "`",
        "→": "->",
        "…": "...",
        "–": "-",
        "—": "-",
        "·": "-",
    }
)
SIGNS = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.TIMEOUT: "✗",
    Status.ERROR: "!",
    Status.SKIPPED: "○",
    Status.NOT_RUN: "○",
}
_COLORS = {
    Status.PASSED: "32",
    Status.FAILED: "31",
    Status.TIMEOUT: "31",
    Status.ERROR: "35",
    Status.SKIPPED: "33",
    Status.NOT_RUN: "33",
}


class Style(Struct, frozen=True):
    color: bool
    live: bool


def console_style(env: Mapping[str, str], isatty: bool) -> Style:
    """NO_COLOR beats FORCE_COLOR beats what the terminal is; CI gets no live line."""
    dumb = env.get("TERM") == "dumb"
    if env.get("NO_COLOR"):
        color = False
    elif forced := env.get("FORCE_COLOR"):
        color = forced != "0"
    else:
        color = isatty and not dumb
    return Style(color=color, live=isatty and not dumb and not in_ci(env))


def console_width(env: Mapping[str, str], isatty: bool) -> int:
    """The terminal's columns. Logs and pipes have none, so nothing is cut or wrapped there, unless COLUMNS is set."""
    if isatty:
        return shutil.get_terminal_size().columns
    asked = env.get("COLUMNS", "")
    return int(asked) if asked.isdecimal() and int(asked) else NO_EDGE


class Look(Struct, frozen=True):
    """Paints and lays out text; without colour the text is left as it is."""

    width: int
    color: bool = False
    verbose: bool = False

    def paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

    def dim(self, text: str) -> str:
        return self.paint(text, "2") if self.color else text

    def bold(self, text: str) -> str:
        return self.paint(text, "1")

    def good(self, text: str) -> str:
        return self.paint(text, "32")

    def bad(self, text: str) -> str:
        return self.paint(text, "31")

    def careful(self, text: str) -> str:
        return self.paint(text, "33")

    def by_status(self, text: str, status: Status) -> str:
        return self.paint(text, _COLORS[status])

    def sign(self, status: Status) -> str:
        return self.by_status(SIGNS[status], status) if self.color else SIGNS[status]

    def verdict_sign(self, verdict: Verdict) -> str:
        if verdict.outcome is Outcome.BROKEN:
            return self.paint("!", "35")
        if verdict.outcome is Outcome.SKIPPED:
            return self.sign(Status.SKIPPED)
        if verdict.only_written:
            return self.careful("+")
        return self.good("✓") if verdict.passed else self.bad("✗")

    def rule(self, char: str) -> str:
        return self.dim(char * min(self.width, WIDEST_RULE))

    def heading(self, title: str, char: str = "─") -> list[str]:
        return [self.rule(char), f"  {self.bold(title)}", self.rule(char)]

    def wrapped(self, text: str, indent: int) -> list[str]:
        """The text in as many lines as it needs at this width, `indent` columns already taken."""
        room = max(self.width - indent, 20)
        lines: list[str] = []
        for paragraph in text.split("\n"):
            bare = paragraph.lstrip(" ")
            # The indentation of a traceback says what belongs together.
            margin = " " * min(len(paragraph) - len(bare), room // 2)
            wrapped = textwrap.wrap(bare, room - len(margin), break_on_hyphens=False) or [""]
            lines += [f"{margin}{line}" for line in wrapped]
        return lines

    def shortened(self, text: str, indent: int, most: int) -> list[str]:
        """The same in at most so many lines, the last one ending in `…` when something is left out."""
        if most == 1:
            return [clip(text, self.width - indent)]
        lines = self.wrapped(clip(text, 2 * most * self.width), indent)
        return (
            lines
            if len(lines) <= most
            else [*lines[: most - 1], clip(" ".join(lines[most - 1 :]), self.width - indent)]
        )


def hanging(head: str, lines: Iterable[str]) -> list[str]:
    """The lines with `head` before the first of them, the others indented below it."""
    return [(" " * len(head) if at else head) + line for at, line in enumerate(lines)]


def prints_everything(encoding: str) -> bool:
    return encoding.lower().replace("-", "") in ("utf8", "utf8sig")


def for_encoding(text: str, encoding: str) -> str:
    """The text as a stream of this encoding can print it."""
    if prints_everything(encoding):
        return text
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_IN_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text
