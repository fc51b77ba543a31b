"""The closing list of failures: one block for all cases with the same reason, and how to run them again."""

from msgspec import Struct

from vivavoce.model.result import CaseResult, RunInfo
from vivavoce.reporters.rerun import rerun_command
from vivavoce.reporters.terminal.style import Look
from vivavoce.wording.plurals import counted
from vivavoce.wording.results import case_label, failed_at, place_of, reason_of
from vivavoce.wording.terminal_text import clip, clip_lines, columns, neutral, one_line

MOST_BLOCKS = 50
_MOST_IDS = 200
_LONGEST_REASON = 1_000


class _Block(Struct):
    """As much of the failures with one reason as the list needs."""

    sign: str
    reason: str
    first: CaseResult
    rerun: str | None
    ids: dict[str, list[str]] = {}
    """Per file, the first few."""
    count: int = 0

    def add(self, result: CaseResult) -> None:
        self.count += 1
        if self.count <= _MOST_IDS:
            self.ids.setdefault(result.case.origin.path, []).append(one_line(result.case.id))


class Recap:
    """Collects the cases that did not pass."""

    def __init__(self) -> None:
        self._blocks: dict[tuple[str, str], _Block] = {}
        self._total = 0
        self._left_out = 0

    def add(self, result: CaseResult, sign: str, info: RunInfo | None) -> None:
        self._total += 1
        reason = clip_lines(reason_of(result), _LONGEST_REASON)
        block = self._blocks.get((sign, reason))
        if block is None:
            if len(self._blocks) == MOST_BLOCKS:
                self._left_out += 1
                return
            block = _Block(sign, reason, result, rerun_command(result.case, info))
            self._blocks[sign, reason] = block
        block.add(result)

    def lines(self, look: Look, again: str | None, title: str = "Failures") -> list[str]:
        """`again` is the command that runs all of them once more, where there is one."""
        if not self._blocks:
            return []
        lines = ["", *look.heading(f"{title} ({self._total:,})")]
        for block in self._blocks.values():
            lines += ["", *(_alone(block, look) if block.count == 1 else _together(block, look))]
        if self._left_out:
            lines += ["", f"  … and {self._left_out:,} more"]
        if again is not None and any(block.rerun for block in self._blocks.values()):
            all_of_them = "it" if self._total == 1 else "all of them"
            lines += ["", f"Run {all_of_them} again: {look.bold(neutral(again, keep_newlines=False))}"]
        return lines


def _alone(block: _Block, look: Look) -> list[str]:
    place = place_of(failed_at(block.first.case, block.first.decisive))
    room = max(look.width - columns(place) - 3, 30)
    head = f"{block.sign} {look.bold(place)} {clip(case_label(block.first.case), room)}"
    return [head, *(f"  {line}" for line in look.wrapped(block.reason, 2)), *_rerun(block, look)]


def _together(block: _Block, look: Look) -> list[str]:
    told = look.wrapped(f"{counted(block.count, 'case')}: {block.reason}", 2)
    lines = [f"{'  ' if at else f'{block.sign} '}{look.bold(line)}" for at, line in enumerate(told)]
    for path, ids in block.ids.items():
        named = f"{one_line(path)}: " if path else ""
        lines += [f"  {line}" for line in look.wrapped(named + ", ".join(ids), 2)]
    if block.count > _MOST_IDS:
        lines.append(f"  … and {block.count - _MOST_IDS:,} more")
    return [*lines, *_rerun(block, look)]


def _rerun(block: _Block, look: Look) -> list[str]:
    if block.rerun is None:
        return []
    first = "the first: " if block.count > 1 else ""
    return [f"  {look.dim(first + neutral(block.rerun, keep_newlines=False))}"]
