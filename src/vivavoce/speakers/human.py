"""A person at the terminal."""

import asyncio
from collections.abc import Callable, Iterator

from vivavoce.errors import VivaError
from vivavoce.model.case import CallOptions, ResumeAnswer
from vivavoce.model.json_value import text_of
from vivavoce.model.message import Interrupt, ToolCall
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.notation.durations import format_duration
from vivavoce.notation.json_text import json_or_text
from vivavoce.speakers.terminal import Terminal
from vivavoce.wording.quoting import shorten
from vivavoce.wording.terminal_text import clip, neutral, quoted

OnSave = Callable[[str, Transcript], str]
"""Writes the conversation so far as a test case to a path. Returns a message for the person."""

_NO_OPTIONS = CallOptions()
_BLOCK = '"""'
_HELP = """\
  /end         end the conversation; what was said is judged
  /skip        leave this case out
  /save PATH   write the conversation so far as a test case
  /help        this list
  A line ending in \\ goes on in the next one; \"\"\" opens and closes a block of lines.
  To say something that begins with / write // (Ctrl-D is /end).
"""


class HumanSpeaker:
    """Shows the agent's words and asks a person for the answer. Keeps the terminal until it is closed."""

    def __init__(
        self,
        terminal: Terminal,
        timeout_s: float,
        *,
        title: str = "",
        options: CallOptions = _NO_OPTIONS,
        on_save: OnSave | None = None,
    ) -> None:
        self._terminal = terminal
        self._timeout_s = timeout_s
        self._title = title
        self._options = options
        self._on_save = on_save
        self._has_floor = False
        self._turns_told = 0

    async def next_line(self, transcript: Transcript) -> Line | Ending:
        await self._take_the_floor()
        self._show_news(transcript)
        try:
            said = await self._ask(transcript)
        except TimeoutError:
            self._terminal.forget_typed()
            said = Ending(EndReason.MISSING_INPUT_SKIP, f"no answer within {format_duration(self._timeout_s)}")
            self._terminal.write(f"\n{said.detail}\n")
        if isinstance(said, Ending):
            self.close()
            return said
        return Line(content=said, source="interactive", options=self._options, resume=_resume(said, transcript))

    def close(self) -> None:
        """Frees the terminal for the next conversation."""
        if self._has_floor:
            self._has_floor = False
            self._terminal.floor.release()

    async def _take_the_floor(self) -> None:
        if self._has_floor:
            return
        await self._terminal.floor.acquire()
        self._has_floor = True
        title = f"── {neutral(self._title)} " if self._title else ""
        self._terminal.write(f"\n{self._terminal.bold(title)}{self._terminal.dim('(/help lists the commands)')}\n")

    def _show_news(self, transcript: Transcript) -> None:
        """Shows what was said since the last question, and the agent's hint for the answer."""
        for turn in transcript.turns[self._turns_told :]:
            for label, text in describe_turn(turn):
                self._show(label, text)
        self._turns_told = len(transcript.turns)
        last = transcript.last
        if last is not None and last.reply.input_hint:
            self._show("Hint", neutral(last.reply.input_hint))

    def _show(self, label: str, text: str) -> None:
        indented = text.replace("\n", "\n" + " " * 7)
        self._terminal.write(f"{self._terminal.dim(f'{label:<5}')}  {indented}\n")

    async def _ask(self, transcript: Transcript) -> str | Ending:
        """Returns the person's next answer; commands to viva are carried out first."""
        while True:
            entry = await self._read_entry()
            if entry is None:
                self._terminal.write("\n")
                return _ended()
            if entry.startswith("//"):
                return entry[1:]
            if not entry.startswith("/"):
                if entry.strip():
                    return entry
                continue
            ending = self._obey(entry, transcript)
            if ending is not None:
                return ending

    def _obey(self, entry: str, transcript: Transcript) -> Ending | None:
        command, _, rest = entry.strip().partition(" ")
        if command == "/end":
            return _ended()
        if command == "/skip":
            return Ending(EndReason.SKIPPED_BY_HUMAN, "skipped at the terminal")
        if command == "/save":
            self._terminal.write(f"{self._save(rest.strip(), transcript)}\n")
        elif command == "/help":
            self._terminal.write(_HELP)
        else:
            self._terminal.write(f"{neutral(command)} is no command (/help lists them; // says it to the agent)\n")
        return None

    def _save(self, path: str, transcript: Transcript) -> str:
        if self._on_save is None:
            return "this conversation cannot be saved here"
        if not path:
            return "where to? write /save PATH, such as /save tests/chat.jsonl"
        if not transcript.turns:
            return "nothing was said yet"
        try:
            return neutral(self._on_save(path, transcript))
        except (VivaError, OSError) as error:
            return neutral(f"not saved: {error}")

    async def _read_entry(self) -> str | None:
        """One answer, over several lines when the person wishes; None when the input was closed."""
        first = await self._read_line(self._terminal.bold("You ▸ "))
        if first is None:
            return None
        if first.lstrip().startswith(_BLOCK):
            return await self._read_block(first.lstrip().removeprefix(_BLOCK))
        lines = [first]
        while lines[-1].endswith("\\"):
            lines[-1] = lines[-1].removesuffix("\\")
            following = await self._read_line(self._terminal.dim("    … "))
            if following is None:
                break
            lines.append(following)
        return "\n".join(lines)

    async def _read_block(self, first: str) -> str:
        """Returns the lines up to the closing quotes unchanged: no commands, no backslashes inside."""
        lines = [first]
        while not lines[-1].rstrip().endswith(_BLOCK):
            following = await self._read_line(self._terminal.dim("    … "))
            if following is None:
                break
            lines.append(following)
        text = "\n".join(lines).rstrip().removesuffix(_BLOCK).strip("\n")
        # Escaped, so that it is not read as a command.
        return f"/{text}" if text.startswith("/") else text

    async def _read_line(self, prompt: str) -> str | None:
        self._terminal.write(prompt)
        async with asyncio.timeout(self._timeout_s):
            return await self._terminal.read_line()


def _ended() -> Ending:
    return Ending(EndReason.ENDED_BY_HUMAN, "ended at the terminal")


def _resume(said: str, transcript: Transcript) -> tuple[ResumeAnswer, ...]:
    """Returns the answer to an interrupt: the parsed JSON when the person wrote JSON, else the text."""
    last = transcript.last
    if last is None or not last.reply.interrupts:
        return ()
    return (ResumeAnswer(payload=json_or_text(said)),)


_LONGEST_ARGS = 200
_LONGEST_TEXT = 20_000


def describe_turn(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yields the pieces of a turn as (label, text), without the line the person typed."""
    if turn.line.source != "interactive" and turn.line.text:
        yield "User", neutral(turn.line.text)
    for call in turn.reply.calls:
        yield "", neutral(tool_text(call))
    said = turn.reply.text or text_of(turn.reply.output)
    if said:
        yield "Agent", neutral(shorten(said, _LONGEST_TEXT))
    for interrupt in turn.reply.interrupts:
        yield "Asks", neutral(_interrupt_text(interrupt))


def tool_text(call: ToolCall) -> str:
    """`[tool: create_expense({amount: 3500})]`, as seed 004's console shows it."""
    failure = f" failed: {call.error}" if call.error else ""
    return f"[tool: {call.name}({clip(quoted(call.args), _LONGEST_ARGS)})]{failure}"


def _interrupt_text(interrupt: Interrupt) -> str:
    return interrupt.message or interrupt.reason or interrupt.tool_name or interrupt.id
