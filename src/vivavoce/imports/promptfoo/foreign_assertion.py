"""One assertion of promptfoo, as the handler of its type receives it."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from vivavoce.imports.found import ImportOptions
from vivavoce.imports.promptfoo.python_checks import PythonChecks
from vivavoce.model.json_value import JsonObject, JsonValue


class AssertionContext(Struct, frozen=True, kw_only=True):
    """What the assertions of one test share."""

    context: JsonValue = None
    """The test's `context` variable, for checks that the answer is grounded in it."""
    folder: Path
    options: ImportOptions
    python: PythonChecks


class ForeignAssertion(Struct, frozen=True, kw_only=True):
    """One assertion of promptfoo, without `not-`."""

    type: str
    value: JsonValue
    threshold: float | None
    config: JsonValue
    has_path: bool
    """Whether it judges a part of the output, which may be a number."""
    around: AssertionContext


Taken: TypeAlias = JsonObject | tuple[list[JsonObject], str] | str
"""One assertion; or several with how they differ from promptfoo's; or a text that says why there is none."""
Handler: TypeAlias = Callable[[ForeignAssertion], Taken]
