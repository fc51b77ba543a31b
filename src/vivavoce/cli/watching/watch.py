"""The loop of `viva test --watch`: saved files and keys come in, rounds of tests go out."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, structs

from vivavoce.cli.watching.round_runner import RoundRunner
from vivavoce.cli.watching.rounds import Ended
from vivavoce.cli.watching.saved_files import SavedFiles
from vivavoce.errors import EXIT_INTERRUPTED, EXIT_PASSED, VivaError
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.plurals import counted
from vivavoce.wording.terminal_text import clip

_MOST_NAMED = 3


class Wanted(Struct, frozen=True, kw_only=True):
    """The next round. Without `only` and `changed`, everything."""

    why: str
    only: tuple[str, ...] | None = None
    changed: frozenset[str] | None = None
    update_snapshots: bool = False

    def after(self, owed: "Wanted | None") -> "Wanted":
        """The same, with the files of an earlier round that could not be tested."""
        if owed is None or self.changed is None:
            return self
        if owed.changed is None:
            return structs.replace(self, changed=None)
        return structs.replace(self, changed=self.changed | owed.changed)


EVERYTHING = Wanted(why="all cases")
Event = set[Path] | str | signal.Signals | Ended | VivaError
"""What happened: saved files, a key, Ctrl-C, the end of a round, or the error that ends the watching."""


class Watch:
    """Decides what runs next. One round at a time; what is saved meanwhile is tested in the next one."""

    def __init__(self, runner: RoundRunner, look: Look, say: Callable[[str], None], *, keys: str) -> None:
        """`keys` are those that somebody can press: `afuq`, or none without a terminal."""
        self._runner, self._look, self._say, self._keys = runner, look, say, keys
        self.events = asyncio.Queue[Event]()
        self._running: asyncio.Task[None] | None = None
        self._current = EVERYTHING
        self._next: Wanted | None = EVERYTHING
        self._owed: Wanted | None = None
        self._failing: tuple[str, ...] = ()
        self._known = frozenset[str]()
        self._case_files = frozenset[str]()
        self._exit_code = EXIT_PASSED
        self._leaving: int | None = None

    async def loop(self) -> int:
        """Runs rounds until somebody quits; returns the exit code of the last one, or 130 after Ctrl-C."""
        while self._leaving is None or self._running is not None:
            if self._running is None and self._next is not None:
                self._start(self._next.after(self._owed))
            self._take(await self.events.get())
        return self._leaving

    def _take(self, event: Event) -> None:
        if isinstance(event, set):
            self._on_saved(event)
        elif isinstance(event, signal.Signals):
            self._on_interrupt()
        elif isinstance(event, str):
            self._on_key(event.lower())
        elif isinstance(event, Ended):
            self._on_end(event)
        else:
            raise event

    def _start(self, wanted: Wanted) -> None:
        self._current, self._next = wanted, None
        self._say("\n" + self._look.bold(f"{self._look.paint('▸', '36')} {wanted.why}"))
        self._running = asyncio.create_task(self._run(wanted))

    async def _run(self, wanted: Wanted) -> None:
        try:
            ended: Event = await self._runner.run(
                only=wanted.only,
                changed=None if wanted.changed is None else tuple(sorted(wanted.changed)),
                first=self._failing,
                update_snapshots=wanted.update_snapshots,
            )
        except VivaError as problem:
            ended = problem
        self.events.put_nowait(ended)

    def _on_saved(self, saved: set[Path]) -> None:
        paths = {str(path) for path in saved if path.exists() or str(path) not in self._case_files}
        if self._running is not None:
            # Anything else may have been written by the agent under test.
            paths &= self._known
        if paths:
            earlier = self._next
            keep = earlier.changed if earlier is not None and earlier.changed is not None else frozenset[str]()
            if earlier is None or earlier.changed is not None:
                self._next = Wanted(why=_saved_words(paths | keep), changed=frozenset(paths | keep))

    def _on_key(self, key: str) -> None:
        if key not in self._keys:
            return
        if key == "q":
            self._leave(self._exit_code)
        elif key == "a":
            self._next = EVERYTHING
        elif key == "f":
            self._next = Wanted(why="failed cases", only=self._failing) if self._failing else self._nothing_fails()
        elif key == "u":
            self._next = Wanted(why="snapshots are updated", only=self._failing or None, update_snapshots=True)

    def _nothing_fails(self) -> Wanted | None:
        self._say(self._look.dim("nothing fails"))
        return self._next

    def _on_interrupt(self) -> None:
        if self._leaving is not None and self._running is not None:
            self._runner.kill()
        else:
            self._leave(EXIT_INTERRUPTED)

    def _leave(self, code: int) -> None:
        self._leaving = code
        self._next = None
        if self._running is not None:
            self._runner.stop()

    def _on_end(self, ended: Ended) -> None:
        self._running = None
        outcome = ended.outcome
        self._exit_code = ended.exit_code
        if outcome.known_files:
            self._known, self._case_files = frozenset(outcome.known_files), frozenset(outcome.case_files)
            self._owed = None
        else:
            self._owed = self._current.after(self._owed)
        ran = frozenset(outcome.ran)
        self._failing = (*outcome.failed, *(key for key in self._failing if key not in ran))
        if self._leaving is None:
            self._say(self._footer(ended))

    def _footer(self, ended: Ended) -> str:
        if self._owed is not None:
            now = "nothing was tested"
        elif not ended.outcome.ran and ended.exit_code == EXIT_PASSED:
            now = "no case is affected"
        else:
            now = counted(len(self._failing), "case fails", "cases fail") if self._failing else "nothing fails"
        words = {"a": "all", "f": "failed", "u": "update snapshots", "q": "quit"}
        keys = [f"{self._look.bold(key)} {words[key]}" for key in self._keys]
        return self._look.dim(f"\nWatching · {now}") + "".join(self._look.dim(" · ") + key for key in keys)


def _saved_words(paths: set[str] | frozenset[str]) -> str:
    """`saved prompts.yml, cases.jsonl and 3 more`"""
    names = sorted(Path(path).name for path in paths)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"saved {clip(', '.join(names[:_MOST_NAMED]), 100)}{more}"


async def watch(
    runner: RoundRunner, saved: SavedFiles, look: Look, say: Callable[[str], None], *, with_snapshots: bool
) -> int:
    """Watches until `q` or Ctrl-C."""
    loop = asyncio.get_running_loop()
    typed: list[Callable[[str], None]] = []
    with listening_to_keys(lambda key: typed[0](key) if typed else None) as has_keys:
        async with runner:
            session = Watch(runner, look, say, keys=("afuq" if with_snapshots else "afq") if has_keys else "")
            typed.append(session.events.put_nowait)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, session.events.put_nowait, number)
            watcher = asyncio.create_task(_feed(saved, session.events))
            try:
                return await session.loop()
            finally:
                watcher.cancel()


async def _feed(saved: SavedFiles, events: "asyncio.Queue[Event]") -> None:
    try:
        async for paths in saved.changes():
            events.put_nowait(paths)
    except VivaError as problem:
        events.put_nowait(problem)


@contextmanager
def listening_to_keys(on_key: Callable[[str], None]) -> Generator[bool]:
    """Calls `on_key` with each key while inside; yields False where nobody sits at a terminal."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        yield False
        return
    import asyncio
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    loop = asyncio.get_running_loop()

    def read() -> None:
        typed = os.read(terminal, 64)
        if not typed:
            loop.remove_reader(terminal)
        for key in typed.decode(errors="ignore"):
            on_key(key)

    tty.setcbreak(terminal)
    loop.add_reader(terminal, read)
    try:
        yield True
    finally:
        loop.remove_reader(terminal)
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
