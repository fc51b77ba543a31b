"""Decompressed bodies stay within bounds."""

import gzip
import zlib

import pytest

from vivavoce.net.inflating import LARGEST_ANSWER, BadEncoding, Inflater


@pytest.mark.memory
def test_a_bomb_grows_to_the_bound_and_no_further():
    bomb = zlib.compress(bytes(2 * LARGEST_ANSWER), 9)
    assert len(Inflater("deflate").feed(bomb)) == LARGEST_ANSWER + 1


def test_a_body_of_thousands_of_parts_is_refused():
    with pytest.raises(BadEncoding, match="follows"):
        Inflater("gzip").feed(gzip.compress(b"") * 2000)


def test_a_body_that_never_came_is_whole():
    Inflater("gzip").finish()
