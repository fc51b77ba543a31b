"""What every Source must do: name itself, be read twice, hand out errors as values, say where each case stands."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.protocols import Source
from vivavoce.sources.reading.inline import MessageSource, StdinSource
from vivavoce.sources.reading.json_file import JsonSource
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.reading.selected import Pick, Selected
from vivavoce.sources.reading.yaml_file import YamlSource

LINES = '{"id": "a", "input": "x"}\n{"id": "bad", "input": 5}\n{"id": "c", "input": "y"}\n'


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _jsonl(folder: Path) -> Source:
    return JsonlSource(_file(folder, "c.jsonl", LINES), "c.jsonl")


def _json(folder: Path) -> Source:
    return JsonSource(_file(folder, "c.json", f"[{','.join(LINES.splitlines())}]"), "c.json")


def _yaml(folder: Path) -> Source:
    text = "id: a\nturns: [{user: x}]\n---\nid: bad\ninput: 5\n---\nid: c\nturns: [{user: y}]\n"
    return YamlSource(_file(folder, "c.yaml", text), "c.yaml")


def _stdin(_folder: Path) -> Source:
    return StdinSource(io.BytesIO(LINES.encode()))


def _selected(folder: Path) -> Source:
    return Selected(_jsonl(folder), (Pick("a"), Pick(line=3)), folder / "c.jsonl")


SOURCES = {"jsonl": _jsonl, "json": _json, "yaml": _yaml, "stdin": _stdin, "selected": _selected}


@pytest.fixture(params=SOURCES.values(), ids=SOURCES.keys())
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Source:
    """Two good cases, `a` and `c`, with a bad one between them."""
    make: Callable[[Path], Source] = request.param
    return make(tmp_path)


def test_a_bad_case_comes_as_an_error_in_its_place_and_reading_goes_on(source: Source):
    first, bad, last = source.read()
    assert isinstance(first, Case)
    assert isinstance(bad, UsageError)
    assert isinstance(last, Case)
    assert (first.id, last.id) == ("a", "c")
    assert "input: unsupported input type: 5" in str(bad)


def test_it_can_be_read_again_and_says_the_same(source: Source):
    once, again = list(source.read()), list(source.read())
    assert [str(item) for item in once] == [str(item) for item in again]
    assert [item for item in once if isinstance(item, Case)] == [item for item in again if isinstance(item, Case)]


def test_two_readings_do_not_disturb_each_other(source: Source):
    one, other = source.read(), source.read()
    assert str(next(one)) == str(next(other))
    assert str(next(one)) == str(next(other))
    one.close()  # pyright: ignore[reportAttributeAccessIssue]
    assert isinstance(next(other), Case)


def test_every_case_and_every_error_says_where_it_stands(source: Source):
    for item in source.read():
        origin = item.origin if isinstance(item, Case) else item.at
        assert isinstance(origin, Origin)
        assert origin.path == source.label
        assert origin.line > 0


def test_keys_tell_the_cases_apart(source: Source):
    keys = [item.key for item in source.read() if isinstance(item, Case)]
    assert keys == [f"{source.label}::a", f"{source.label}::c"]


def test_a_message_is_a_source_too():
    source = MessageSource("hi")
    (once,), (again,) = source.read(), source.read()
    assert once == again
    assert isinstance(once, Case)
    assert once.origin.path == source.label
