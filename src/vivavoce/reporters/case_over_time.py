"""One result of a case in the past, as a line."""

from datetime import datetime

from vivavoce.notation.durations import format_duration
from vivavoce.results.history.facts import CaseFacts
from vivavoce.wording.terminal_text import one_line


def case_row(facts: CaseFacts) -> str:
    """`2026-11-16 20:10:44  2/3 passed  1.2s  876 tokens  $0.0031  c0ffee1234  shop  try one`"""
    when = datetime.fromtimestamp(facts.started_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    parts = [when, f"{facts.passed}/{facts.runs} passed"]
    if faults := sorted({one.fault for one in facts.attempts if one.fault}):
        parts.append(f"fault: {', '.join(faults)}")
    parts.append(format_duration(sum(one.duration_ms for one in facts.attempts) / facts.runs / 1000))
    if tokens := [one.tokens for one in facts.attempts if one.tokens is not None]:
        parts.append(f"{sum(tokens) // len(tokens):,} tokens")
    if costs := [one.cost for one in facts.attempts if one.cost is not None]:
        parts.append(f"${sum(costs) / len(costs):.4f}")
    if facts.revision:
        parts.append(facts.revision[:10] + ("+" if facts.dirty else ""))
    parts += [facts.agent, facts.title or ""]
    return one_line("  ".join(filter(None, parts)))
