"""A comparison in the terminal: what broke first, what differs in the replies, the numbers last."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from vivavoce.model.json_value import text_of
from vivavoce.model.result import CaseResult
from vivavoce.reporters.call_change_words import SIGNS, call_change_words
from vivavoce.reporters.change_words import TITLES, how, statuses, time_words
from vivavoce.reporters.run_words import title
from vivavoce.reporters.terminal.style import Look, hanging
from vivavoce.reporters.usage_words import total_lines, use_words
from vivavoce.results.comparison.call_alignment import CallChange, CallDifference
from vivavoce.results.comparison.changes import CaseChange, Change
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.results.stored_runs import result_at
from vivavoce.wording.results import name_beside_id
from vivavoce.wording.terminal_text import LONGEST_DIFF, clip, clip_lines, columns, neutral, one_line

_BAD = (Change.NEW_FAILURE, Change.LESS_STEADY)
_GOOD = (Change.FIXED, Change.STEADIER)
_DIFFED_CHARACTERS = 20_000
_LONGEST_REASON = 500


def comparison_lines(compared: RunComparison, look: Look, *, all_replies: bool) -> Iterator[str]:
    yield from _headed("before", title(compared.kept_before), look)
    yield from _headed("after ", title(compared.kept_after), look)
    for change, words in TITLES.items():
        if cases := compared.comparison.of(change):
            yield from ("", _painted(f"{words} ({len(cases)})", change, look))
            for case in cases:
                yield from _case_lines(case, how(case), look)
                yield from _reason(compared, case, look)
                yield from call_lines(compared.call_changes(case), look)
                if case.replies_differ and (change in _BAD or all_replies):
                    yield from _reply_diff(compared, case, look)
    yield from _other_calls(compared, look)
    if slower := compared.comparison.slower:
        yield from ("", look.careful(f"Slower ({len(slower)})"))
        for case in slower:
            yield from _case_lines(case, f"{statuses(case)}  {time_words(case)}", look)
    if dearer := compared.comparison.dearer:
        yield from ("", look.careful(f"Dearer ({len(dearer)})"))
        for case in dearer:
            yield from _case_lines(case, f"{statuses(case)}  {use_words(case)}", look)
    yield from _other_replies(compared, look, all_replies=all_replies)
    paint = look.bad if compared.comparison.regressions else look.good
    yield from ("", *total_lines(compared), *(paint(line) for line in look.wrapped(numbers(compared), 0)))
    if compared.incomplete:
        cases = f"{compared.unfinished} of its cases never finished" if compared.unfinished else "it has no proper end"
        yield look.bad(f"The later run is incomplete: {cases}.")
    if failing := compared.comparison.new_and_failing:
        added = "1 added case does" if len(failing) == 1 else f"{len(failing)} added cases do"
        yield look.bad(f"{added} not pass (--fail-on-regression: red)")
    if compared.lost:
        judged = "1 case judged before is" if compared.lost == 1 else f"{compared.lost} cases judged before are"
        yield look.careful(f"{judged} skipped or missing after (--fail-on-regression: red, unless --allow-missing)")
    if not all_replies and compared.comparison.counts()["replies_differ"]:
        more = "--replies shows every changed reply, -o diff.html makes a page of all this"
        yield from (look.dim(line) for line in look.wrapped(more, 0))


def _headed(word: str, text: str, look: Look) -> Iterator[str]:
    for at, line in enumerate(look.wrapped(text, len(word) + 2)):
        yield f"{look.dim(word) if at == 0 else ' ' * len(word)}  {line}"


def _other_calls(compared: RunComparison, look: Look) -> Iterator[str]:
    """The cases judged as before whose tool calls are not as they were."""
    same = [case for case in compared.comparison.of(Change.SAME) if case.calls_differ]
    if same:
        yield from ("", look.careful(f"Other tool calls ({len(same)}), judged as before"))
        for case in same:
            yield from _case_lines(case, how(case), look)
            yield from call_lines(compared.call_changes(case), look)


def _other_replies(compared: RunComparison, look: Look, *, all_replies: bool) -> Iterator[str]:
    same = [case for case in compared.comparison.of(Change.SAME) if case.replies_differ]
    if same and all_replies:
        yield from ("", f"Other replies ({len(same)}), judged as before")
        for case in same:
            yield from _case_lines(case, how(case), look)
            yield from _reply_diff(compared, case, look)


def _case_lines(case: CaseChange, words: str, look: Look) -> Iterator[str]:
    """The case and what there is to say of it, in one line where that fits."""
    name = f" {clip(name, 50)}" if (name := name_beside_id(case.id, case.name)) else ""
    head = f"  [{one_line(case.id)}]{name}"
    if columns(head) + 2 + columns(words) <= look.width:
        yield f"{head}  {look.dim(words)}"
    else:
        yield head
        yield from (f"    {look.dim(line)}" for line in look.wrapped(words, 4))


def _reason(compared: RunComparison, case: CaseChange, look: Look) -> Iterator[str]:
    """Why the case does not pass; one that failed before already says it in one line."""
    if case.change is Change.STILL_FAILING:
        if (reason := compared.reason(case)) is not None:
            yield look.dim(f"    {clip(reason, max(look.width - 4, 20))}")
        return
    if (reason := compared.reason(case)) is not None:
        yield from (look.bad(f"    {line}") for line in look.wrapped(clip_lines(reason, _LONGEST_REASON), 4) if line)


def _reply_diff(compared: RunComparison, case: CaseChange, look: Look) -> Iterator[str]:
    assert case.before is not None
    assert case.after is not None
    before = _said(result_at(compared.before, case.before.position))
    after = _said(result_at(compared.after, case.after.position))
    headed = list(unified_diff(before, after, n=1, lineterm=""))
    lines = [line for line in headed[2:] if not line.startswith("@@")]
    for line in lines[:LONGEST_DIFF]:
        paint = {"-": look.bad, "+": look.good}.get(line[0], look.dim)
        yield paint(f"      {line[0]} {clip(line[1:], max(look.width - 8, 20))}")
    if len(lines) > LONGEST_DIFF:
        yield look.dim(f"        … {len(lines) - LONGEST_DIFF} more lines")


def _said(result: CaseResult) -> list[str]:
    turns = result.decisive.transcript.turns
    return [line for turn in turns for line in neutral(text_of(turn.reply.output)[:_DIFFED_CHARACTERS]).split("\n")]


def numbers(compared: RunComparison) -> str:
    """`1 new failure, 2 fixed, 3 with other replies`"""
    counts = compared.comparison.counts()
    words = [
        (Change.NEW_FAILURE, "new failure" if counts[Change.NEW_FAILURE] == 1 else "new failures"),
        (Change.LESS_STEADY, "less steady"),
        (Change.WITHIN_CHANCE, "within chance"),
        (Change.FIXED, "fixed"),
        (Change.STEADIER, "steadier"),
        (Change.STILL_FAILING, "still failing"),
        (Change.NO_LONGER_JUDGED, "no longer judged"),
        (Change.ADDED, "added"),
        (Change.REMOVED, "removed"),
        ("slower", "slower"),
        ("dearer", "dearer"),
        ("calls_differ", "with other tool calls"),
        ("replies_differ", "with other replies"),
    ]
    always = (Change.NEW_FAILURE, Change.FIXED)
    parts = [f"{counts[name]} {word}" for name, word in words if counts[name] or name in always]
    return ", ".join(parts)


def _painted(text: str, change: Change, look: Look) -> str:
    if change in _BAD:
        return look.bad(text)
    return look.good(text) if change in _GOOD else look.bold(text)


_MOST_LINES = 3


def call_lines(changes: Sequence[CallChange], look: Look) -> Iterator[str]:
    """A line for each call, with its sign: added +, dropped -, changed ~, moved →."""
    paints = {CallDifference.ADDED: look.good, CallDifference.DROPPED: look.bad}
    for change in changes[:LONGEST_DIFF]:
        paint = paints.get(change.kind, look.careful)
        lines = look.shortened(call_change_words(change), 6, _MOST_LINES)
        yield from (paint(line) for line in hanging(f"    {SIGNS[change.kind]} ", lines))
    if len(changes) > LONGEST_DIFF:
        yield look.dim(f"      … {len(changes) - LONGEST_DIFF} more calls")
