"""All tapes of a run: opens an AttemptTape for each attempt, and answers the calls of connectors."""

import os
import shlex
import threading
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path, PurePath

import msgspec

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import text_of_content
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import ReplayConfig
from vivavoce.protocols import ModelReply, ModelRequest, WatchEnd
from vivavoce.sight.dialects.chat import CHAT, SYSTEM_ROLES
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.attempt_tape import AttemptTape, Found, Missed
from vivavoce.sight.tapes.drift import Drift
from vivavoce.sight.tapes.fingerprint import Fingerprint
from vivavoce.sight.tapes.judging_role import judge_is_asking
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import McpAnswer, McpRequest, taped
from vivavoce.sight.tapes.normalising import Normaliser, clocks_in
from vivavoce.sight.tapes.tape_lines import Entry, answer_in
from vivavoce.sight.tapes.tape_reading import SUFFIX, Tape, read_tape
from vivavoce.sight.tapes.tape_settings import TapeSettings
from vivavoce.sight.tapes.tape_writing import TapeWriter

RUN = "run"
"""The name for calls outside any case: those of generators and reporters."""
_current: ContextVar[AttemptTape | None] = ContextVar("attempt_tape", default=None)


def current_attempt_tape() -> AttemptTape | None:
    """Returns the tape of the attempt that runs in this context."""
    return _current.get()


class RunTapes:
    """protocols.Tapes. One per process."""

    def __init__(self, settings: TapeSettings, project: Project, secrets: Secrets, rules: ReplayConfig) -> None:
        """Raises UsageError when there is nothing to replay from."""
        self.settings = settings
        self.censor = Censor(secrets)
        self._secrets = secrets
        self.drift = Drift(settings.drift, rules.max_age_days)
        self._project = project
        self._rules = rules
        self._folder = Path(settings.folder)
        self._tapes: dict[Path, Tape | None] = {}
        self._writers: dict[Path, TapeWriter] = {}
        self._lock = threading.Lock()
        self._outside: AttemptTape | None = None
        if settings.replay is not None and not self._folder.is_dir() and not settings.record_missing:
            raise UsageError(
                f"no folder of tapes: {settings.replay}", at="--replay", hint=f"make it with --record {settings.replay}"
            )

    # ── one attempt ──

    @contextmanager
    def attempt(self, case: Case, run: int) -> Generator[AttemptTape]:
        """Opens the tape of one attempt; calls of models inside the context use it."""
        command = ["viva", "test", "-i", f"{case.origin.path}::{case.id}", "--record", self.settings.folder]
        again = shlex.join([*command, "--runs", str(run)] if run > 1 else command)
        # Tapes are committed, and an id may contain a secret.
        name = self._secrets.mask(case.id)
        attempt_tape = self._opened(self._path_of(case.origin.path), name, run, _lines_of(case), again, case.key)
        token = _current.set(attempt_tape)
        try:
            yield attempt_tape
        finally:
            _current.reset(token)

    def ended(self, attempt_tape: AttemptTape) -> WatchEnd:
        """The result of an attempt's replay."""
        return self.drift.ended(attempt_tape)

    def _opened(
        self, path: Path, case: str, run: int, lines: Sequence[str], re_record: str, key: str = ""
    ) -> AttemptTape:
        settings = self.settings
        tape = self._tape(path) if settings.replay is not None else None
        is_known = tape is not None and (case, run) in tape.attempts
        writer = self._writer(path) if settings.record is not None or settings.record_missing else None
        if writer is not None and not is_known:
            writer.begin(case, run)
        return AttemptTape(
            case,
            run,
            normaliser=Normaliser(clocks_in(lines), self._rules.ignore),
            tape=tape,
            writer=writer,
            reuse=self._rules.reuse,
            re_record=re_record,
            key=key,
        )

    def _path_of(self, origin: str) -> Path:
        return tape_of(origin, self._folder, self._project)

    def _tape(self, path: Path) -> Tape:
        with self._lock:
            found = self._tapes.get(path)
            if found is None:
                found = read_tape(path) if path.is_file() else Tape(path=path, parts={}, attempts={})
                self._tapes[path] = found
            return found

    def _writer(self, path: Path) -> TapeWriter:
        with self._lock:
            return self._writers.setdefault(path, TapeWriter(path))

    # ── connectors: protocols.Tapes ──

    async def complete(
        self, connector: str, request: ModelRequest, ask: Callable[[ModelRequest], Awaitable[ModelReply]]
    ) -> ModelReply:
        """Returns a recorded answer, or asks the model and records its answer. Raises CallFailed for a miss."""
        attempt_tape = _current.get() or self.outside_tape()
        is_judge = judge_is_asking.get()
        if is_judge and self.settings.fresh_judges and not attempt_tape.records:
            return await ask(request)
        wanted = request_fingerprint(connector, request, attempt_tape.normaliser, self.censor)
        found = None if is_judge and self.settings.fresh_judges else attempt_tape.answer_to(wanted, exact=is_judge)
        if isinstance(found, Found):
            return answer_in(found.entry, ModelReply)
        if isinstance(found, Missed):
            raise CallFailed(found.why, fault="test")
        if is_judge and self.settings.replay_only and not attempt_tape.records:
            what = f"what the judge {connector!r} was asked is not on the tape, word for word"
            raise CallFailed(what, fault="test", hint=f"record it again with --record {self.settings.folder}")
        reply = await ask(request)
        said = msgspec.json.encode(reply).decode()
        kept = self.censor.text(said)
        entry = Entry(case="", kind="connector", chunks=[(0.0, kept)], judge=is_judge, struck=kept != said)
        attempt_tape.keep(wanted, entry)
        return reply

    async def ask_mcp(
        self, server: str, method: str, params: JsonObject, ask: Callable[[], Awaitable[JsonObject]]
    ) -> JsonObject:
        """The same for a request to an MCP server."""
        request = McpRequest(server=server, method=method, params=params)
        # The first conversation lists the tools of a server for all others.
        attempt_tape = self.outside_tape() if request.is_listing else _current.get() or self.outside_tape()
        if attempt_tape.replays and not (attempt_tape.has_mcp or attempt_tape.records or self.settings.replay_only):
            return await ask()

        async def asked() -> McpAnswer:
            return McpAnswer(result=await ask())

        answer = await taped(request, attempt_tape, self.censor, asked)
        if answer.result is None:
            raise CallFailed(str((answer.error or {}).get("message")), fault="test")
        return answer.result

    def outside_tape(self) -> AttemptTape:
        """Returns the tape of calls outside any case."""
        if self._outside is None:
            self._outside = self._opened(self._path_of(""), RUN, 1, (), f"viva test --record {self.settings.folder}")
        return self._outside

    def close(self) -> None:
        """Sorts the written tapes."""
        for writer in self._writers.values():
            writer.close()


def tape_of(origin: str, folder: Path, project: Project) -> Path:
    """The tape of a case file: its path relative to the project, below the folder of tapes."""
    if not origin:
        return folder / f"{RUN}{SUFFIX}"
    near = os.path.relpath(os.path.abspath(origin), project.root)
    parts = [part for part in PurePath(near).parts if part not in ("..", "/", PurePath(near).anchor)]
    return folder.joinpath(*parts[:-1], f"{parts[-1]}{SUFFIX}")


def _lines_of(case: Case) -> list[str]:
    """All texts of the case itself."""
    return [
        *(text_of_content(turn.content) for turn in case.turns),
        *(message.text for message in case.history),
    ]


CONNECTOR = "connector"


def request_fingerprint(connector: str, request: ModelRequest, normaliser: Normaliser, censor: Censor) -> Fingerprint:
    """The fingerprint of a connector's request."""
    messages: list[JsonObject] = censor.data(msgspec.to_builtins(list(request.messages)))
    sections = Sections(
        model=connector,
        system=[message for message in messages if message["role"] in SYSTEM_ROLES],
        tools=censor.data(msgspec.to_builtins(list(request.tools))),
        params=censor.data(msgspec.to_builtins(request.options)),
        talk=[message for message in messages if message["role"] not in SYSTEM_ROLES],
    )
    return Fingerprint(
        provider=CONNECTOR,
        path=connector,
        stream=False,
        sections=normaliser.sections(sections),
        spine=normaliser.spine(CHAT, sections.talk),
    )
