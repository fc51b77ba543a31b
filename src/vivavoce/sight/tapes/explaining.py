"""Explains why no recorded answer fits a request: shows the first message that differs, recorded and now."""

from itertools import zip_longest

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, compact_json
from vivavoce.sight.dialects.known import dialect_of
from vivavoce.sight.tapes.fingerprint import Fingerprint, body_spine, digest
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_lines import Entry
from vivavoce.sight.tapes.tape_reading import Tape
from vivavoce.wording.plurals import counted
from vivavoce.wording.quoting import shorten

MISS = "viva replay: no recording fits this request"
_SHOWN = 160
_PLAIN = Normaliser()


def explained_miss(wanted: Fingerprint, tape: Tape, case: str, run: int, used: set[int], re_record: str) -> str:
    """The whole message of a miss."""
    hint = f"; record it again: {re_record}" if re_record else ""
    return f"{MISS}: {_why(wanted, tape, case, run, used)}{hint}"


def _why(wanted: Fingerprint, tape: Tape, case: str, run: int, used: set[int]) -> str:
    runs = tape.runs_of(case)
    if not runs:
        return f"{tape.path} has nothing of case {case!r}"
    if run not in runs:
        return f"{tape.path} has {counted(len(runs), 'run')} of case {case!r}, and this is run {run}"
    entries = tape.attempts[case, run]
    same = [entry for entry in entries if (entry.path, entry.provider) == (wanted.path, wanted.provider)]
    if not same:
        known = sorted({f"{entry.provider} {entry.path}" for entry in entries}) or ["nothing"]
        return f"{wanted.provider} {wanted.path} was never called; recorded: {', '.join(known)}"
    if any(entry.loose == wanted.loose for entry in same):
        times = sum(entry.loose == wanted.loose for entry in same)
        return f"it was recorded {counted(times, 'time')}, and this is one more"
    return _difference(wanted, tape, same, [entry for at, entry in enumerate(entries) if at not in used])


def _difference(wanted: Fingerprint, tape: Tape, same: list[Entry], left: list[Entry]) -> str:
    def common(entry: Entry) -> tuple[bool, int]:
        pairs = zip(spine_of(tape, entry), wanted.spine, strict=False)
        equal = [digest(recorded) == digest(now) for recorded, now in pairs]
        return entry in left, next((at for at, is_same in enumerate(equal) if not is_same), len(equal))

    nearest = max(same, key=common)
    recorded = spine_of(tape, nearest)
    for number, (was, now) in enumerate(zip_longest(recorded, wanted.spine), start=1):
        if was is None or now is None or digest(was) != digest(now):
            return f"message {number} differs: recorded {shown(was)}, now {shown(now)}"
    if nearest.stream != wanted.stream:
        return f"it was recorded {'streamed' if nearest.stream else 'in one piece'}, now it is asked for the other way"
    return "it differs in no message"


def spine_of(tape: Tape, entry: Entry) -> JsonArray:
    """The spine of a recorded request (see `Normaliser.spine`)."""
    sections = tape.sections(entry)
    talk = sections.talk
    dialect = dialect_of(entry.path)
    if dialect is None:
        from vivavoce.sight.dialects.chat import CHAT

        if entry.kind == "mcp":
            return [{"role": "body", "text": talk[0] if talk else None}]
        if entry.kind != "connector":
            return [body_spine(sections.params, talk[0] if talk else None)]
        dialect = CHAT
    return _PLAIN.spine(dialect, talk)


def shown(message: JsonValue) -> str:
    """One message of a spine in words."""
    if message is None:
        return "nothing"
    fields: JsonObject = message
    text = fields.get("text")
    pieces = [f"{fields.get('role')}:"]
    if text is not None:
        pieces.append(shorten(text if isinstance(text, str) else compact_json(text), _SHOWN))
    for name, args in fields.get("calls", ()):
        pieces.append(f"calls {name}{shorten(compact_json(args), _SHOWN)}")
    if fields.get("results"):
        pieces.append(counted(int(fields["results"]), "tool result"))
    return " ".join(pieces)
