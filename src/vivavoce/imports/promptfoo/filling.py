"""promptfoo's templates, filled in as far as that can be done before the test runs."""

import re
from collections.abc import Iterator, Mapping

from vivavoce.imports.case_files import environment_variable
from vivavoce.model.json_value import JsonValue, map_texts
from vivavoce.notation.templates import fill

_PAIRS = re.compile(r"(\{%-?\s*for\s+\w+\s*,\s*\w+\s+in\s+[\w.]+)(\s*-?%\})")


class _Environment(Mapping[str, str]):
    """`{{ env.NAME }}` is looked up when the test runs, not when it is imported."""

    def __getitem__(self, name: str) -> str:
        return environment_variable(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def filled(value: JsonValue, variables: Mapping[str, JsonValue]) -> JsonValue:
    """Fills in the variables of every text in a value. Raises TemplateProblem for what only promptfoo can fill in."""
    known = {**variables, "env": _Environment()}
    return map_texts(value, lambda text: fill(_as_jinja(text), known))


def _as_jinja(text: str) -> str:
    """A Nunjucks template as Jinja reads it: a loop with two names goes over the pairs of an object."""
    return _PAIRS.sub(r"\1|items\2", text)
