"""What a file named under `plugins:` calls to add its names."""

from collections.abc import Iterator

import pytest
from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.plugins import assertion, connector, executor
from vivavoce.plugins.catalog import ALL, ASSERTIONS, CONNECTORS, EXECUTORS
from vivavoce.plugins.registering import registering


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    for registry in ALL:
        registry.forget_file("mine.py")


class Checks(Struct, frozen=True):
    async def check(self, evidence: object, helpers: object) -> None: ...


def test_names_are_registered_only_while_a_file_is_loaded():
    assertion("of_a_package")(Checks)
    assert "of_a_package" not in ASSERTIONS.near(), "the entry points of an installed package count"
    with registering("mine.py"):
        assert assertion("mine")(Checks) is Checks
        connector("mine")(print)
        executor("mine")(print)
    assert ASSERTIONS.load("mine") is Checks
    assert "mine" in CONNECTORS.near()
    assert "mine" in EXECUTORS.near()


def test_a_file_that_is_loaded_again_forgets_its_old_names():
    with registering("mine.py"):
        assertion("old")(Checks)
    with registering("mine.py"):
        assertion("new")(Checks)
    assert "old" not in ASSERTIONS.near()
    assert "new" in ASSERTIONS.near()


def test_a_file_that_breaks_leaves_nothing_behind():
    def half() -> None:
        with registering("mine.py"):
            assertion("half")(Checks)
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        half()
    assert "half" not in ASSERTIONS.near()
    with pytest.raises(UsageError, match="has the name of the built-in"), registering("mine.py"):
        assertion("contains")(Checks)
