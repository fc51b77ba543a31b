"""Values by hash, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import CallFailed
from vivavoce.protocols import ModelReply
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.tape_lines import Entry, answer_in, decode_line, encode_line, folded, unfolded

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


def test_an_answer_is_read_with_all_its_fields_or_not_at_all():
    kept = Entry(case="c", chunks=[(0.0, '{"text": "o'), (0.0, 'k"}')])
    assert answer_in(kept, ModelReply).text == "ok"


@pytest.mark.parametrize("text", ['{"text": "ok", "cals": []}', '{"text": 3}', '{"text":', "[]"])
def test_a_damaged_answer_is_an_error(text: str):
    with pytest.raises(CallFailed, match="the tape is damaged"):
        answer_in(Entry(case="c", chunks=[(0.0, text)]), ModelReply)
