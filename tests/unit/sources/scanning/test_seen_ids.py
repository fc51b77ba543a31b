import tracemalloc

import pytest

from vivavoce.sources.scanning.seen_ids import SeenIds


def test_only_what_was_there_before_is_seen():
    seen = SeenIds()
    assert [seen.add(word, line) for line, word in enumerate(["a", "b", "a", "", "b", ""], start=1)] == [
        None,
        None,
        1,
        None,
        2,
        4,
    ]


def test_fifty_thousand_ids_are_remembered_from_few_to_many():
    seen = SeenIds()
    assert all(seen.add(f"T{n}", n) is None for n in range(1, 50_001))
    assert all(seen.add(f"T{n}", 0) == n for n in range(1, 50_001))


@pytest.mark.memory
def test_an_id_costs_a_few_bytes():
    tracemalloc.start()
    try:
        seen = SeenIds()
        for n in range(100_000):
            seen.add(f"T{n}", n)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept / 100_000 < 30


def test_lines_may_be_negative_from_few_to_many():
    seen = SeenIds()
    for n in range(1, 20_001):
        seen.add(f"T{n}", -n)
    assert [seen.add(f"T{n}", 5) for n in (1, 16_384, 20_000)] == [-1, -16_384, -20_000]
