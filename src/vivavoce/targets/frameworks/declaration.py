"""A framework as data: enough to recognise its objects without importing it, or the code that reads them."""

from typing import Any, TypeAlias

from msgspec import Struct

Foreign: TypeAlias = Any
"""An object of another library. It has no type here, since that library is never needed to check or to run viva."""


class Framework(Struct, frozen=True, kw_only=True):
    """A framework as the table in known.py declares it: enough to recognise its objects without importing it."""

    name: str
    """As its users write it; also the name of its page in docs/frameworks/ and of its file in tests/live/envs/."""
    file: str
    """The module of this folder that reads it."""
    agents: tuple[str, ...]
    """Classes of its agents, `package.module:Class`; a module stands for what is below it, a subclass counts."""
    attribute: str = ""
    """What such an agent also has, where class names are not enough."""
    results: tuple[str, ...] = ()
    """Classes of the results that a user's own function may return."""
    distributions: tuple[str, ...]
    """What it is installed as: the first that is there tells the version."""
    since: str
    """The oldest version that fits."""
    tested: str
    """The newest version that was tested."""
