import io
import json
import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.model.case import Case, Origin
from vivavoce.sources.scanning.object_reader import LARGEST_OBJECT, Broken, Found, ObjectReader


def read(text: str | bytes, largest: int = LARGEST_OBJECT) -> list[Case | Found | Broken]:
    return list(ObjectReader(io.BytesIO(text.encode() if isinstance(text, str) else text), largest))


def lines_of(text: str | bytes, largest: int = LARGEST_OBJECT) -> list[tuple[int, object]]:
    """Each object's line with its value, or "broken"."""
    return [(found.line, found.value if isinstance(found, Found) else "broken") for found in read(text, largest)]


def test_one_object_a_line():
    assert lines_of('{"a":1}\n{"a":2}\n') == [(1, {"a": 1}), (2, {"a": 2})]


def test_the_last_line_needs_no_line_end():
    assert lines_of('{"a":1}\n{\n"a":2}') == [(1, {"a": 1}), (2, {"a": 2})]


def test_blank_lines_and_comment_lines_are_passed_over():
    text = '# one\n\n// two\n{"a":1}\n  # three\n   \n{"a":2}\n'
    assert lines_of(text) == [(4, {"a": 1}), (7, {"a": 2})]


def test_an_object_may_be_spread_over_lines_with_comments_in_it():
    text = '{\n  "a": [\n    // why\n    {"b": "}"},\n\n    # because\n    2\n  ]\n}\n{"c": 3}\n'
    assert lines_of(text) == [(1, {"a": [{"b": "}"}, 2]}), (10, {"c": 3})]


def test_what_looks_like_a_comment_or_bracket_inside_a_string_is_text():
    text = '{"a": "// no } comment",\n "b": "say \\"}\\" \\\\"}\n'
    assert lines_of(text) == [(1, {"a": "// no } comment", "b": 'say "}" \\'})]


def test_unindented_objects_inside_an_object_belong_to_it():
    text = '{"id":"T","checkpoints":[\n{"id":"a"},\n{"id":"b"}\n],\n"x":\n{"id":"c"}}\n'
    assert lines_of(text) == [(1, {"id": "T", "checkpoints": [{"id": "a"}, {"id": "b"}], "x": {"id": "c"}})]


def test_windows_line_ends_and_a_byte_order_mark_are_accepted():
    assert lines_of(b'\xef\xbb\xbf{"a":1}\r\n{\r\n"a":2\r\n}\r\n') == [(1, {"a": 1}), (2, {"a": 2})]


def test_a_carriage_return_alone_ends_a_comment():
    assert lines_of('// c\r# d\r{"a":1}\n{"a":2} // e\r{"a":3}\r\n// f\r\n{"a":4,\n// g\r"b":5}\n') == [
        (1, {"a": 1}),
        (2, {"a": 2}),
        (2, {"a": 3}),
        (4, {"a": 4, "b": 5}),
    ]


def test_a_mistake_behind_a_comment_is_told_with_its_column():
    broken = read('// c\r{"a":1} // d\r{"a":x}\n')[-1]
    assert isinstance(broken, Broken)
    assert broken.what.endswith("(column 24)")


def test_a_line_of_nothing_but_comments_takes_no_time():
    started = time.thread_time()
    assert lines_of("//\r" * 1_000_000 + '{"a":1}') == [(1, {"a": 1})]
    assert time.thread_time() - started < 5


def test_several_objects_on_one_line():
    assert lines_of('{"a":1} {"a":2}{"a":3\n} {"a":4} // done\n') == [
        (1, {"a": 1}),
        (1, {"a": 2}),
        (1, {"a": 3}),
        (2, {"a": 4}),
    ]


def test_every_broken_line_is_reported_and_every_good_one_read():
    text = '{"id":1}\n{"id":2,}\n{"id":3}\n{"id":4\n{"id":5}\n{"id":[6}\n{"id":7}\nnonsense\n{"id":8}\n'
    assert lines_of(text) == [
        (1, {"id": 1}),
        (2, "broken"),
        (3, {"id": 3}),
        (4, "broken"),
        (5, {"id": 5}),
        (6, "broken"),
        (7, {"id": 7}),
        (8, "broken"),
        (9, {"id": 8}),
    ]


def test_lines_swallowed_by_an_open_list_are_read_again():
    text = '{"id":"a","assert":[\n{"id":"b"}\n{"id":"c"\n{"id":"d"}\n'
    assert lines_of(text) == [(1, "broken"), (2, {"id": "b"}), (3, "broken"), (4, {"id": "d"})]


def test_a_spread_out_object_without_its_end_does_not_hide_the_next():
    text = '{\n  "id": "a",\n  "input": "x"\n\n{\n  "id": "b"\n}\n'
    found = read(text)
    assert [(f.line, isinstance(f, Broken)) for f in found] == [(1, True), (5, False)]
    assert isinstance(found[0], Broken)
    assert "not closed before line 5" in found[0].what


def test_a_truncated_last_object_is_reported_where_it_begins():
    _, last = read('{"a":1}\n{\n "id": "b",\n')
    assert isinstance(last, Broken)
    assert last.line == 2
    assert "before the file ends" in last.what


def test_a_nest_of_open_objects_is_told_apart_in_linear_time():
    text = '{"id":"a","x":[\n' * 30_000
    started = time.thread_time()
    found = read(text)
    assert time.thread_time() - started < 10
    assert [f.line for f in found] == list(range(1, 30_001))
    assert all(isinstance(f, Broken) for f in found)


def test_an_object_that_outgrows_the_limit_is_given_up():
    text = '{"id": "a", "x": [\n' + '  "filling",\n' * 75 + '{"id": "b"}\n'
    assert lines_of(text, largest=1000) == [(1, "broken"), (77, {"id": "b"})]


def test_a_line_that_outgrows_the_limit_is_passed_over():
    text = '{"id": "' + "a" * 5000 + '"}\n{"id": "b"}\n'
    assert lines_of(text, largest=1000) == [(1, "broken"), (2, {"id": "b"})]


def test_an_open_object_that_ends_in_a_comma_is_given_up_at_the_next_object():
    broken, found = read('{"id": "a", "input": "x",\n{"id": "b"}\n')
    assert isinstance(broken, Broken)
    assert "not closed before line 2" in broken.what
    assert found == Found({"id": "b"}, 2)


@settings(max_examples=at_most(300), deadline=None)
@given(st.lists(st.text('{}[]":,\\ \r\n#/aé1', max_size=30) | st.just('{"id":'), max_size=6).map("".join))
def test_whatever_stands_between_them_the_cases_before_and_after_are_read(junk: str):
    found = read(f'{{"id": "before"}}\n{junk}\n{{"id": "after"}}\n')
    values = [item.value for item in found if isinstance(item, Found)]
    assert values[0] == {"id": "before"}
    assert values[-1] == {"id": "after"}
    assert found[-1].line == 3 + junk.count("\n")
    assert [item.line for item in found] == sorted(item.line for item in found)


@settings(max_examples=at_most(200), deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_can_break_it(data: bytes):
    assert all(item.line >= 1 for item in read(data))


@given(
    st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=9)
)
def test_no_key_is_called_repeated_that_is_not(value: object):
    for ascii_only in (True, False):
        text = json.dumps({"a": value}, ensure_ascii=ascii_only)
        (found,) = ObjectReader(io.BytesIO(text.encode(errors="surrogatepass")))
        assert isinstance(found, Found)


def test_colons_inside_texts_do_not_hide_a_repeated_key():
    (found,) = ObjectReader(io.BytesIO(rb'{"a:": "\":\\", "b": "\u003A:", "c": {"d": 1, "d" : 2}}'))
    assert found == Broken(1, "duplicate key 'd'")


def made_of(lines: list[bytes]) -> list[Case] | None:
    return [Case(id="made") for _ in lines] if all(b"made" in line for line in lines) else None


def test_a_line_that_can_be_a_case_at_once_is_one_and_the_rest_is_found():
    asked: list[tuple[list[bytes], int]] = []

    def decode_lines(lines: list[bytes], first: int) -> list[Case] | None:
        asked.append((lines, first))
        return made_of(lines)

    text = b'\xef\xbb\xbf{"id": "made"}\n# made too\n{"a": 1}\n{\n"id": "made"}\n'
    items = list(ObjectReader(io.BytesIO(text), decode_lines=decode_lines))
    assert items == [
        Case(id="made"),
        Case(id="made"),
        Found({"a": 1}, 3),
        Found({"id": "made"}, 4, b'{\n"id": "made"}'),
    ]
    assert asked[0] == (text.splitlines(keepends=True), 1)
    assert asked[1] == ([b'{"id": "made"}\n'], 1)
    assert [first for _, first in asked] == [1, 1, 2, 3, 4]


def test_lines_that_can_all_be_cases_are_decoded_many_at_once_and_know_their_numbers():
    asked: list[tuple[int, int]] = []

    def decode_lines(lines: list[bytes], first: int) -> list[Case] | None:
        asked.append((len(lines), first))
        return made_of(lines)

    text = b'{"id": "made"}\n' * 5000 + b'{"a": 1}\n' + b'{"id": "made"}\n' * 5000 + b"made without an end"
    items = list(ObjectReader(io.BytesIO(text), decode_lines=decode_lines))
    assert items == [Case(id="made")] * 5000 + [Found({"a": 1}, 5001)] + [Case(id="made")] * 5001
    assert sum(many > 1 for many, _ in asked) < 20
    assert sum(many == 1 for many, _ in asked) < 2000
    assert asked[-1][0] + asked[-1][1] == 10_003


def test_a_line_that_is_too_long_is_never_decoded():
    lines = [b'{"id": "made"}\n', b'{"id": "made", "input": "long"}\n', b'{"id": "made"}\n']
    for text in (b"".join(lines), b"".join(lines[:2]), b"".join(lines[1:]), lines[1], lines[1].rstrip()):
        items = list(ObjectReader(io.BytesIO(text), 20, lambda lines, _: made_of(lines)))
        assert items == [
            Case(id="made") if len(line) <= 20 else Broken(number, "a line of more than 0 MB")
            for number, line in enumerate(text.splitlines(keepends=True), start=1)
        ]


def test_an_object_spread_over_more_than_is_read_at_once_is_found_whole():
    spread = b'{"id": "A",\n"messages": [\n' + b'{"id": "made"},\n' * 3000 + b'{"id": "made"}\n]}\n'
    items = list(
        ObjectReader(io.BytesIO(b'{"id": "made"}\n' * 900 + spread + b'{"id": "made"}\n'), decode_lines=only_cases)
    )
    assert items[:900] == [Case(id="made")] * 900
    assert isinstance(items[900], Found)
    assert (items[900].line, len(items[900].value["messages"])) == (901, 3001)
    assert items[901:] == [Case(id="made")]


def test_what_a_broken_object_swallowed_comes_in_its_place_wherever_reading_had_got_to():
    for bad in range(1015, 1030):
        lines = [b'{"id": "%05d"}\n' % number for number in range(1, 3000)]
        lines[bad - 1] = b'{"id": "bad", "tags": [\n'
        items = list(ObjectReader(io.BytesIO(b"".join(lines)), decode_lines=numbered_cases))
        assert [number for number, item in enumerate(items, start=1) if isinstance(item, Broken)] == [bad]
        del items[bad - 1]
        assert [(case.id, case.origin.line) for case in items if isinstance(case, Case)] == [
            (f"{number:05}", number) for number in range(1, 3000) if number != bad
        ]


def numbered_cases(lines: list[bytes], first: int) -> list[Case] | None:
    ids = [re.fullmatch(rb'{"id": "(\d+)"}\n', line) for line in lines]
    cases = [
        Case(id=found[1].decode(), origin=Origin("cases.jsonl", number))
        for number, found in enumerate(ids, start=first)
        if found
    ]
    return cases if len(cases) == len(lines) else None


def only_cases(lines: list[bytes], _first: int) -> list[Case] | None:
    return [Case(id="made") for _ in lines] if all(line == b'{"id": "made"}\n' for line in lines) else None
