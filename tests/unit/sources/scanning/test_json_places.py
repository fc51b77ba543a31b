"""Where in a JSON text each value stands."""

import json

import pytest

from vivavoce.sources.scanning.json_places import JsonText, may_repeat_a_key

TEXT = """{
  "id": "A",
  "turns": [
    {"user": "x"},
    {"user": "y",
     "assert": {"type": "z"}}
  ]
}"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 1),
        (("id",), 2),
        (("turns",), 3),
        (("turns", 0, "user"), 4),
        (("turns", 1), 5),
        (("turns", 1, "assert", "type"), 6),
        (("turns", 1, "gone"), 5),
        (("gone",), 1),
    ],
)
def test_a_value_has_the_line_of_its_key_or_of_what_is_around_it(path: tuple[str | int, ...], line: int):
    assert JsonText(TEXT).line_of(path) == line
    assert JsonText(TEXT.encode(), line=11).line_of(path) == line + 10


@pytest.mark.parametrize(
    ("text", "repeated"),
    [
        ('{"a": 1, "b": {"a": 2}}', None),
        ('{"a": 1,\n "a": 2}', ("a", 2)),
        ('[{"a": 1}, {"a": 1}]', None),
        ('{"x": [{"b": 1, "b": 2}]}', ("b", 1)),
        ('{"a": "\\"a\\": 1", "c": ":,{"}', None),
        ('{"a": 1, "\\u0061": 2}', ("a", 1)),
    ],
)
def test_a_key_that_its_object_has_twice_is_found(text: str, repeated: tuple[str, int] | None):
    assert JsonText(text).repeated_key() == repeated
    assert may_repeat_a_key(text.encode(), json.loads(text)) or repeated is None


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"turns": [\n{"a": 1},\n\n{"b": [{}]}]}', [6, 8]),
        ('{"x": [{"turns": [{}]}],\n "turns": [{}, {\n}]}', [6, 6]),
        ('{"id": "turns",\n "y": {"turns": [{}, {}]},\n "turns" : [\n {"t": "]}\\"["},\n {}]}', [8, 9]),
        ('{"id": "a", "turns": ["hi", {}]}', [5]),
        ('{"id": "a"}', []),
    ],
)
def test_the_objects_of_a_list_begin_on_these_lines(text: str, lines: list[int]):
    assert JsonText(text, 5).lines_of_items(("turns",), 2) == lines
    assert JsonText(text.encode(), 5).lines_of_items(("turns",), 2) == lines
    assert JsonText(text, 5).lines_of_items(("x", "turns"), 2) == []


def test_the_lines_of_several_values_are_those_of_each():
    text = """{"x": {"assert": [{}, 1]}, "k\\"e,y": [
      true, null, 3,
      "a ] \\" }", [
        {"b": {"c": 1}},
        ["d"]]
    ], "turns": [
      {"input": "{", "assert": {
        "tools": {"forbid": [
          "a",
          "b"]}}}]}"""
    paths = [
        ("turns", 0, "assert", "tools", "forbid", 1),
        ('k"e,y', 3),
        ('k"e,y', 4, 0),
        ('k"e,y', 4, 0, "b", "c"),
        ('k"e,y', 4, 1, 0),
        ("turns", 0, "assert", "tools", "forbid", 0),
        ("x", "assert", 0),
        ("turns", 0, "gone"),
        ("gone",),
    ]
    assert JsonText(text, 5).lines_of(paths) == [JsonText(text, 5).line_of(path) for path in paths]
    assert JsonText(text.encode(), 5).lines_of(paths)[:3] == [14, 7, 8]
    for path in paths:
        assert JsonText(text, 5).lines_of([path]) == [JsonText(text, 5).line_of(path)]
