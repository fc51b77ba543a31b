"""Values by hash, and back."""

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.tape_lines import Entry, decode_line, encode_line, folded, unfolded

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(JSON, JSON, st.lists(JSON, max_size=3))
def test_what_is_folded_can_be_unfolded(system: object, params: object, talk: list[object]):
    sections = Sections(model="m", system=system, params=params, talk=talk)
    names, values = folded(sections)
    entry = decode_line(encode_line(Entry(case="c", sections=names)))
    assert isinstance(entry, Entry)
    again = unfolded(entry.sections, values)
    empty = (None, [], {})
    assert again.talk == talk
    assert again.system == system or (system in empty and again.system is None)
    assert again.params == params or (params in empty and again.params is None)
