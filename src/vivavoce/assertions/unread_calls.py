"""Calls that were seen but could not be read: no check may pass because it overlooked one of them."""

import re
from collections.abc import Callable, Sequence
from unicodedata import normalize

from msgspec import structs

from vivavoce.assertions.call_filter import CallFilter
from vivavoce.assertions.tool_calls import CallSeen, in_turns, named, read_arguments
from vivavoce.model.message import ToolCall
from vivavoce.model.verdict import Verdict, broken
from vivavoce.notation.json_text import repeats_a_key
from vivavoce.protocols import Evidence
from vivavoce.wording.quoting import quote


def unnamed(calls: list[CallSeen]) -> list[CallSeen]:
    """Each may be a call of any tool; a call without a name may also lack its arguments."""
    return [seen for seen in calls if not seen.call.has_a_name]


def unread(calls: list[CallSeen]) -> list[CallSeen]:
    """Those whose arguments are no JSON object, or have a key written twice."""
    return [seen for seen in calls if read_arguments(seen.call) is None]


def spelt_alike(names: Sequence[str], calls: list[CallSeen]) -> list[CallSeen]:
    """Calls whose names differ from one of these in `_`, `-` and capitals: the check means them, or misspells.

    A name behind a colon (`shop:delete_order`) or a dash (`shop-delete_order`) counts too: the part before may be a
    namespace. So does one beside a sign that names of tools do not have (`delete_order:0`, `shop>delete_order`).
    Names that differ in nothing but capitals are two tools.
    """
    alike = _alike(names)
    return [seen for seen in calls if alike(seen.call)]


def is_spelt_alike(call: ToolCall, names: Sequence[str]) -> bool:
    """Whether the name of a call differs from one of these only as `spelt_alike` says."""
    return _alike(names)(call)


def _alike(names: Sequence[str]) -> Callable[[ToolCall], bool]:
    wanted = {letters_of(name): name for name in names}
    snakes = tuple(name for name in names if "_" in name and "-" not in name)

    def is_alike(call: ToolCall) -> bool:
        called = call.name
        name = wanted.get(letters_of(called)) or _beside_a_sign(called, names, snakes)
        if name is None or call.is_named(name):
            return False
        return _has_a_namespace(called, name) or _tail(called).casefold() != _tail(name).casefold()

    return is_alike


def _beside_a_sign(called: str, names: Sequence[str], snakes: tuple[str, ...]) -> str | None:
    """Which of these names stands in another between signs; a dash is no part of those written with `_`."""
    if called.isidentifier():
        return None
    behind_a_dash = (name for name in snakes if called.endswith(f"-{name}"))
    return next(behind_a_dash, None) or next(
        (name for name in names if name in called and _is_a_word(name, called)), None
    )


def _is_a_word(name: str, called: str) -> bool:
    """Whether signs are around it. Beside a dot, slash, colon or blank it may be another tool (`search.images`)."""
    return re.search(rf"(?:^|[^\w./\s-]){re.escape(name)}(?:$|:\d+$|[^\w./\s:-])", called) is not None


def _has_a_namespace(called: str, name: str) -> bool:
    return any(sign in called and sign not in name for sign in ":-") and called.casefold().endswith(name.casefold())


def letters_of(name: str) -> str:
    """The letters of a name, without its namespace."""
    plain = name if name.isascii() else normalize("NFKC", name)
    return _tail(plain).replace("_", "").replace("-", "").replace(" ", "").casefold()


def _tail(name: str) -> str:
    return name.rpartition("__")[2].rpartition(".")[2].rpartition("/")[2].rpartition(":")[2]


def in_doubt(name: str, selects: CallFilter, calls: list[CallSeen]) -> list[CallSeen]:
    """The calls of which nobody can say whether a rule means them."""
    by_arguments = [seen for seen in unread(named(name, calls)) if selects.depends_on_arguments(seen.call)]
    return [*unnamed(calls), *spelt_alike([name], calls), *by_arguments]


def undecided(what: str, doubtful: list[CallSeen], evidence: Evidence) -> Verdict:
    """Returns a broken verdict: the rule would pass only if it does not mean the doubtful calls."""
    return broken(f"cannot tell whether {what}: {_describe(doubtful, evidence)}", fault="agent")


def not_for_sure(verdict: Verdict, doubtful: list[CallSeen], evidence: Evidence) -> Verdict:
    """Returns a failure that `negate` does not turn into a pass when calls are in doubt."""
    if verdict.passed or not doubtful:
        return verdict
    return structs.replace(verdict, reason=f"{verdict.reason}; {_describe(doubtful, evidence)}", negatable=False)


def _describe(doubtful: list[CallSeen], evidence: Evidence) -> str:
    first = doubtful[0]
    place = in_turns([first], evidence)
    if not first.call.name:
        return f"a call without a name was seen{place}"
    if not first.call.has_a_name:
        return f"a call was seen whose name is no name of a tool{place}: {quote(first.call.name)}"
    if read_arguments(first.call) is not None:
        return f"{first.call.name} was called{place}, which is nearly the same name (write it as the agent does)"
    args = first.call.args
    why = "have a key written twice" if isinstance(args, str) and repeats_a_key(args) else "are no JSON object"
    return f"the arguments of {first.call.name} {why}{place}: {quote(args)}"
