"""What decides the results of a run besides its cases, as keyed hashes: only the same exam may be resumed.

Some of it is secret (environment values, headers), so no plain hash is kept: without the key, which never leaves
`.viva/`, a hash cannot be compared with guesses.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec

from vivavoce.errors import VivaError
from vivavoce.project.private_files import make_state_folder, private_opener

KEY_FILE = "exam.key"
_KEY_BYTES = 32
_KEY_PART = "key"
_RULES_PART = "rules"

RULES = 2
"""Increased when viva judges or conducts the same conversation differently than before."""

_WORDS = {
    "rules": "viva's own rules",
    "variables": "the variables",
    "environment": "the environment variables that cases name",
    "scripts": "the scripts",
    "plug-ins": "the plug-ins",
    "helpers": "the judges, simulators and other agents that help",
    "timeout_s": "the timeout",
    "judge_timeout_s": "the timeout of judges",
    "context": "the context file (--ctx)",
    "connectors": "the connectors",
    "case_files": "a file that cases name",
    "tape_files": "the tapes",
    "snapshots": "how snapshots are kept (--update-snapshots, CI)",
    "tapes": "the options of tapes (--record, --replay …)",
    "hooks": "the hooks of the run (--before, --after)",
}
"""How parts are called that are no option of the same name."""

_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


class ExamKey:
    """The key of a project: made when it is first needed."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def hashes(self, parts: Mapping[str, object]) -> dict[str, str]:
        """Part → keyed hash. The key has one too: another key makes every other hash another one."""
        return {name: self._hash(value) for name, value in {_KEY_PART: "", **parts}.items()}

    def _hash(self, value: object) -> str:
        return blake2b(_encode(value), key=self._key, digest_size=12).hexdigest()


def exam_key(state_dir: Path) -> ExamKey | None:
    """The key in viva's own folder; None where that folder cannot be used."""
    path = state_dir / KEY_FILE
    try:
        key = path.read_bytes() if path.exists() else b""
        if len(key) != _KEY_BYTES:
            make_state_folder(state_dir)
            key = _new_key(path)
    except (OSError, VivaError):
        return None
    return ExamKey(key) if len(key) == _KEY_BYTES else None


def _new_key(path: Path) -> bytes:
    """Written whole or not at all. When two processes write at once, the first key counts."""
    fresh = path.with_name(f".{KEY_FILE}.{os.getpid()}.tmp")
    try:
        with open(fresh, "wb", opener=private_opener) as out:
            out.write(os.urandom(_KEY_BYTES))
        with suppress(FileExistsError):
            if path.exists():  # damaged
                path.unlink()
            os.link(fresh, path)
        return path.read_bytes()
    finally:
        fresh.unlink(missing_ok=True)


class ExamChange:
    """How the exam of an earlier run differs from the one of now."""

    def __init__(self, was: Mapping[str, str], now: Mapping[str, str]) -> None:
        self.unknown = not was or not now or was.get(_KEY_PART) != now.get(_KEY_PART)
        """Whether the exams cannot be compared: an older viva made the file, or `.viva/` is another one."""
        names = dict.fromkeys((*was, *now))
        different = [name for name in names if was.get(name) != now.get(name)]
        # Other rules have other parts: what those say means nothing.
        self._parts = [_RULES_PART] if _RULES_PART in different else different

    def concerns(self, agent: str) -> bool:
        """Whether results of this agent's cases no longer count."""
        return self.unknown or any(not _is_of_an_agent(name) or _agent_of(name) == agent for name in self._parts)

    def words(self) -> Iterable[str]:
        """Each difference in plain words; nothing when there is none."""
        if self.unknown:
            yield "it cannot be told whether it was made with the same agent and options (no key, or an older viva)"
            return
        for name in self._parts:
            if _is_of_an_agent(name):
                what = name.partition(" of ")[0]
                yield f"the {what} of agent {_agent_of(name)!r} changed"
            else:
                yield f"{_WORDS.get(name, name)} changed"


def agent_part(what: str, agent: str) -> str:
    """The name of a part that concerns one agent's cases only."""
    return f"{what} of {agent}"


def _is_of_an_agent(name: str) -> bool:
    return " of " in name


def _agent_of(name: str) -> str:
    return name.partition(" of ")[2]
