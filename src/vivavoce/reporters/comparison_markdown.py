"""A comparison as Markdown: for a pull request's comment or a step summary."""

from collections.abc import Iterator
from typing import TextIO

from vivavoce.reporters.call_change_words import SIGNS, call_change_words
from vivavoce.reporters.change_words import TITLES, how, time_words
from vivavoce.reporters.markdown import escaped
from vivavoce.reporters.run_words import title
from vivavoce.reporters.usage_words import total_lines, use_words
from vivavoce.results.comparison.changes import CaseChange, Change
from vivavoce.results.comparison.run_comparison import RunComparison
from vivavoce.wording.results import name_beside_id
from vivavoce.wording.terminal_text import LONGEST_DIFF, clip, one_line

_LONGEST_REASON = 500


def write_comparison_markdown(compared: RunComparison, out: TextIO) -> None:
    """What changed, kind by kind, each case with its reason and tool calls; a case at a time."""
    out.write("# What changed\n\n")
    out.write(f"* before: {escaped(title(compared.kept_before))}\n* after: {escaped(title(compared.kept_after))}\n")
    for line in total_lines(compared):
        out.write(f"* {escaped(line)}\n")
    comparison = compared.comparison
    groups = [(words, comparison.of(change)) for change, words in TITLES.items()]
    same = comparison.of(Change.SAME)
    groups.append(("Other tool calls, judged as before", [case for case in same if case.calls_differ]))
    for words, cases in groups:
        if cases:
            out.write(f"\n## {escaped(words)} ({len(cases)})\n\n")
            for case in cases:
                out.writelines(f"{line}\n" for line in _case(compared, case))
    for words, cases in (("Slower", comparison.slower), ("Dearer", comparison.dearer)):
        if cases:
            out.write(f"\n## {words} ({len(cases)})\n\n")
            out.writelines(f"{_line(case)}\n" for case in cases)
    if compared.incomplete:
        out.write("\n> ⚠️ The later run is incomplete.\n")
    if not compared.changed_cases():
        out.write("\nNothing changed.\n")


def _line(case: CaseChange) -> str:
    name = f" {escaped(clip(name, 80))}" if (name := name_beside_id(case.id, case.name)) else ""
    facts = [how(case), time_words(case) if case.slower else "", use_words(case) if case.dearer else ""]
    return f"* **{escaped(one_line(case.id))}**{name}: {escaped('; '.join(fact for fact in facts if fact))}"


def _case(compared: RunComparison, case: CaseChange) -> Iterator[str]:
    yield _line(case)
    if (reason := compared.reason(case)) is not None:
        yield f"  * {escaped(clip(reason, _LONGEST_REASON))}"
    changes = compared.call_changes(case)
    for change in changes[:LONGEST_DIFF]:
        yield f"  * `{SIGNS[change.kind]} {one_line(call_change_words(change)).replace('`', chr(39))}`"
    if len(changes) > LONGEST_DIFF:
        yield f"  * … {len(changes) - LONGEST_DIFF} more calls"
