"""Jinja templates in a sandbox: what users write between `{{` and `}}` can compute, but not reach out."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from vivavoce.containment.user_errors import UserCode
from vivavoce.model.json_value import JsonValue, compact_json, iter_texts, map_texts

_ONE_EXPRESSION = re.compile(r"\{\{(?P<expression>(?:[^{}]|\{[^{}]*\})*)\}\}")
_FOR_MISSING_NAMES = ("default", "d", "defined", "undefined", "none")

LARGEST = 2**26
"""Characters that a template may become."""
MOST_STEPS = 100_000
"""Of all `range(…)` of one template together: loops inside loops count each time."""
LARGEST_POWER = 1_000
_SHORT = 10_000
"""Characters: a template without loops that is no longer has few expressions."""


class TemplateProblem(ValueError):
    """A template that cannot be read or filled in; `line` counts from its own first line."""

    def __init__(self, what: str, line: int = 1) -> None:
        super().__init__(what)
        self.line = line


def is_template(text: str) -> bool:
    return "{{" in text or "{%" in text


def fill(text: str, variables: Mapping[str, JsonValue], *, keep_unknown: bool = False) -> str:
    """The text with its expressions filled in. Unknown names are an error, or stay as they are written."""
    if not is_template(text):
        return text
    with UserCode(_problem):
        template = _compiled(text, keep_unknown)
        if len(text) <= _SHORT and "{%" not in text:
            return str(template.render(variables))
        return _bounded(template.generate({"range": _bounded_range(), **variables}))


def _bounded(pieces: Iterator[str]) -> str:
    kept, size = list[str](), 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > LARGEST:
            raise OverflowError(f"it becomes more than {LARGEST:,} characters, the limit")
    return "".join(kept)


def _bounded_range() -> Callable[..., range]:
    """`range` for one filling of a template."""
    taken = 0

    def bounded(*ends: int) -> range:
        nonlocal taken
        steps = range(*ends)
        taken += max(1, len(steps))
        if taken > MOST_STEPS:
            raise OverflowError(f"its loops take more than {MOST_STEPS:,} steps, the limit")
        return steps

    return bounded


def names_in(text: str) -> set[str]:
    """All names a template takes from outside. Raises TemplateProblem when it cannot be compiled."""
    from jinja2 import meta

    with UserCode(_problem):
        return meta.find_undeclared_variables(_environment(False).parse(text))


def names_used(text: str) -> set[str]:
    """The names a template needs from outside, without those it tests with `if` or gives a `default`."""
    if not is_template(text):
        return set()
    from jinja2 import nodes

    with UserCode(_problem):
        guards = _guards(_environment(False).parse(text))
        return names_in(text) - {name.name for guard in guards for name in guard.find_all(nodes.Name)}


def fill_value(value: JsonValue, variables: Mapping[str, JsonValue]) -> JsonValue:
    """Every string inside a JSON value filled in; one that is a single `{{ expression }}` keeps its type."""

    def filled(text: str) -> JsonValue:
        alone = _ONE_EXPRESSION.fullmatch(text.strip())
        if alone is None:
            return fill(text, variables)
        with UserCode(_problem):
            return _defined(_expression(alone["expression"])(**variables))

    return map_texts(value, filled)


def check_template(value: JsonValue) -> None:
    """Raises TemplateProblem when some string inside cannot be compiled."""
    for text in filter(is_template, iter_texts(value)):
        with UserCode(_problem):
            _compiled(text, False)


@lru_cache(maxsize=1024)
def _compiled(text: str, keep_unknown: bool) -> Any:
    return _environment(keep_unknown).from_string(text)


@lru_cache(maxsize=1024)
def _expression(text: str) -> Any:
    return _environment(False).compile_expression(text, undefined_to_none=False)


@lru_cache(maxsize=2)
def _environment(keep_unknown: bool) -> Any:
    from jinja2 import DebugUndefined, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    class Bounded(SandboxedEnvironment):
        """Two operators make much of little: `10 ** 10 ** 9`, `"x" * 10 ** 9`."""

        intercepted_binops = frozenset({"*", "**"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "**" and (abs(left) > LARGEST or abs(right) > LARGEST_POWER):
                raise OverflowError(f"a power may have numbers up to {LARGEST:,} and {LARGEST_POWER:,}, the limit")
            for many, times in ((left, right), (right, left)):
                if isinstance(times, int) and hasattr(many, "__len__") and len(many) * times > LARGEST:
                    raise OverflowError(f"it becomes more than {LARGEST:,} characters, the limit")
            return super().call_binop(context, operator, left, right)

    environment = Bounded(
        undefined=DebugUndefined if keep_unknown else StrictUndefined,
        finalize=_as_text,
        autoescape=False,
        keep_trailing_newline=True,
        # `{#` stands in many a prompt; nobody means a comment by it.
        comment_start_string="{#viva-comment",
    )
    # Nunjucks' name for it: imported templates say so.
    environment.filters["dump"] = lambda value: compact_json(_defined(value))
    return environment


def _guards(tree: Any) -> Iterator[Any]:
    """The parts of a template in which a name may be missing."""
    from jinja2 import nodes

    # Each stands in a node around it: `find_all` looks only at what is inside a node.
    for node in tree.find_all((nodes.If, nodes.CondExpr)):
        yield nodes.Output([node.test])
    for node in tree.find_all(nodes.Or):
        yield nodes.Output([node.left])
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        if node.name in _FOR_MISSING_NAMES:
            yield nodes.Output([node.node])


def _defined(value: JsonValue) -> JsonValue:
    """The value itself. Raises jinja2's error for one that stands for an unknown name."""
    from jinja2 import Undefined

    if isinstance(value, Undefined):
        str(value)
    return value


def _as_text(value: JsonValue) -> JsonValue:
    """Objects, lists, booleans and null read as JSON, not as Python."""
    return compact_json(value) if value is None or isinstance(value, bool | dict | list | tuple) else value


def _problem(error: BaseException) -> TemplateProblem:
    return TemplateProblem(f"bad template: {error}", getattr(error, "lineno", None) or 1)
