"""Lists the differences between two tapes: cases, calls, sections of requests, answers."""

from collections.abc import Iterator

from vivavoce.sight.dialects.dialect import NAMES
from vivavoce.sight.tapes.differing import first_difference
from vivavoce.sight.tapes.fingerprint import digest
from vivavoce.sight.tapes.tape_lines import Entry
from vivavoce.sight.tapes.tape_reading import Tape
from vivavoce.wording.plurals import counted


def tape_changes(old: Tape, new: Tape) -> Iterator[str]:
    """One line for each difference. Ids and times do not count, as on replay."""
    for case, run in sorted(old.attempts.keys() | new.attempts.keys()):
        name = f"{case} (run {run})" if run > 1 else case
        before, after = old.attempts.get((case, run)), new.attempts.get((case, run))
        if before is None or after is None:
            calls = counted(len(after or before or ()), "call")
            yield f"{name}: {'only in the new tape' if before is None else 'only in the old tape'}, {calls}"
        else:
            yield from (f"{name}: {line}" for line in _calls(old, before, new, after))


def _calls(old: Tape, before: list[Entry], new: Tape, after: list[Entry]) -> Iterator[str]:
    pairs, left = _paired(before, after)
    for was, now in pairs:
        if now is None:
            yield f"call {was.n} ({was.provider} {was.path}) is no longer made"
            continue
        then, since = old.sections(was), new.sections(now)
        for section in NAMES:
            recorded, fresh = getattr(then, section) or None, getattr(since, section) or None
            if digest(recorded) != digest(fresh):
                yield f"call {was.n}: {section}: {first_difference(recorded, fresh)}"
        if was.status != now.status:
            yield f"call {was.n}: status {was.status} became {now.status}"
        elif _answer(was) != _answer(now):
            yield f"call {was.n}: another answer"
    for now in left:
        yield f"call {now.n} ({now.provider} {now.path}) is new"


def _paired(before: list[Entry], after: list[Entry]) -> tuple[list[tuple[Entry, Entry | None]], list[Entry]]:
    """Each old call with its new one: the same request, else the same conversation, else the next call of that path."""
    left = list(after)
    found: dict[int, Entry] = {}
    for field in ("key", "loose", "path"):
        for at, entry in enumerate(before):
            if at in found:
                continue
            partner = next((other for other in left if getattr(other, field) == getattr(entry, field)), None)
            if partner is not None:
                found[at] = partner
                left.remove(partner)
    return [(entry, found.get(at)) for at, entry in enumerate(before)], left


def _answer(entry: Entry) -> str:
    return "".join(text for _, text in entry.chunks)
