"""The conformance checks, by group."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest


@cache
def _all() -> list[dict[str, Any]]:
    return json.loads((Path(__file__).parent / "checks.json").read_text())["checks"]


def checks(*groups: str) -> list[Any]:
    """The checks of these groups as pytest parameters."""
    found = [pytest.param(check, id=check["id"]) for check in _all() if check["group"] in groups]
    assert found, f"no checks in {groups}"
    return found
