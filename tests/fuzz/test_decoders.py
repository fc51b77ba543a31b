"""No bytes at all break a reader: it reads, or says in a UsageError what is wrong, and says the same again."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.damage import BOMBS, damaged, token_soup
from tests.fuzz.decoders import DECODERS
from tests.fuzz.effort import tries
from tests.fuzz.seeds import SEEDS

EVERY = pytest.mark.parametrize("name", DECODERS)


def read_twice(name: str, data: bytes) -> None:
    decode = DECODERS[name]
    assert decode(data) == decode(data)


def test_every_decoder_has_sound_files_to_begin_with():
    assert SEEDS.keys() == DECODERS.keys()


@EVERY
@tries(60)
@given(data=st.binary(max_size=200) | token_soup())
def test_arbitrary_bytes(name: str, data: bytes):
    read_twice(name, data)


@EVERY
@tries(60)
@given(data=st.data())
def test_damaged_files(name: str, data: st.DataObject):
    read_twice(name, data.draw(damaged(data.draw(st.sampled_from(SEEDS[name])))))


@EVERY
@pytest.mark.parametrize("bomb", BOMBS, ids=[bomb[:8].decode() for bomb in BOMBS])
def test_bombs_go_off_in_no_time(name: str, bomb: bytes):
    began = time.process_time()
    for sound in SEEDS[name]:
        middle = len(sound) // 2
        for data in (bomb, sound[:middle] + bomb + sound[middle:], sound + bomb):
            DECODERS[name](data)
    assert time.process_time() - began < 5


@EVERY
@tries(20)
@given(depth=st.integers(1, 1200), data=st.data())
def test_nesting_of_any_depth(name: str, depth: int, data: st.DataObject):
    """Around the depth where parsers give up, each one somewhere else."""
    opened, closed = data.draw(st.sampled_from([(b"[", b"]"), (b'{"a":', b"}"), (b'{"a":[', b"]}")]))
    nest = opened * depth + b"1" + closed * depth
    read_twice(name, nest)
    read_twice(name, b'{"id": "a", "input": "x", "metadata": {"m": %b}}' % nest)
    read_twice(name, b'[{"id": "a", "input": %b}]' % nest)
