"""From ranks to places: the order itself."""

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeAlias

from vivavoce.insight.order.risk import Rank

AnyRank: TypeAlias = Rank | float | bytes


def places_by(ranks: Sequence[AnyRank]) -> "array[int]":
    """The places of the smallest rank first; equal ones stay in the order they have. All ranks are of one kind."""
    return array("Q", sorted(range(len(ranks)), key=ranks.__getitem__))


def random_rank(key: str, seed: int) -> bytes:
    """The same for the same case and seed, whatever other cases there are."""
    return blake2b(f"{seed}\0{key}".encode(), digest_size=8).digest()
