"""Rewrites the command-line flags in a hint for readers who use Python or pytest."""

import re
from collections.abc import Mapping

from vivavoce.errors import ManyProblems, UsageError


def reworded(problem: UsageError, words: Mapping[str, str]) -> UsageError:
    """The same problem with every flag of `words` replaced, in its hint and where it says where."""
    if isinstance(problem, ManyProblems):
        return ManyProblems([reworded(one, words) for one in problem.problems])
    at, hint = problem.at, problem.hint
    if isinstance(at, str):
        at = words.get(at, at).rstrip("=")
    if hint is not None:
        longest_first = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
        hint = re.sub(rf"(?<![\w-])({longest_first})(?![\w-])", lambda found: words[found[0]], hint)
    return UsageError(problem.what, at=at, hint=hint)
