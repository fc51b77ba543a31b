"""The conformance checks, by group."""

from typing import Any

import pytest
from tests.fakes.assertion_table import facts


def checks(*groups: str) -> list[Any]:
    """Returns the checks of these groups as pytest parameters."""
    return [pytest.param(check, id=check["id"]) for check in facts(*groups)]
