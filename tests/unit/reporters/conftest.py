"""Golden files: reports as they were when somebody last checked them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares with a stored file; `UPDATE_GOLDEN=1` stores anew, to be read before it is committed."""

    def check(name: str, text: str) -> None:
        path = FOLDER / name
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check
