import gc
import io
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.sources.reading.inline import MessageSource, StdinSource


def test_a_message_is_a_case_of_one_line():
    (case,) = MessageSource("what is 1/2?").read()
    assert isinstance(case, Case)
    assert case.id == "T001"
    assert case.first_input == "what is 1/2?"
    assert case.rules.multi_turn is False


def test_an_empty_message_is_an_error():
    (bad,) = MessageSource("  ").read()
    assert isinstance(bad, UsageError)


def test_standard_input_can_be_read_twice():
    source = StdinSource(io.BytesIO(b'{"id": "a", "input": "x"}\n{"input": "b"}\n'))
    for _ in range(2):
        first, second = source.read()
        assert isinstance(first, Case)
        assert str(first.origin) == "<stdin>:1"
        assert str(second).startswith("<stdin>:2: 'id' is missing")


def test_the_copy_of_standard_input_does_not_outlive_its_source(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    source = StdinSource(io.BytesIO(b'{"id": "a", "input": "x"}\n'))
    assert len(list(tmp_path.iterdir())) == 1
    del source
    gc.collect()
    assert list(tmp_path.iterdir()) == []
