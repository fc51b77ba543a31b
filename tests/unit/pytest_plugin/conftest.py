"""A folder of tests with agents in it, for real pytest runs."""

from pathlib import Path

import pytest
from tests.unit.pytest_plugin.suite import Suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)
