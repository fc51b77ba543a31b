from pathlib import Path

import pytest

from vivavoce.sources.input_ref import InputRef, classify


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("./tests/inputs.jsonl", "file", "./tests/inputs.jsonl"),
        ("inputs.yaml", "file", "inputs.yaml"),
        ("../x", "file", "../x"),
        ("a/b/c", "file", "a/b/c"),
        ("tests/gone.jsonl::T1", "file", "tests/gone.jsonl::T1"),
        ("tests/gone.jsonl:12", "file", "tests/gone.jsonl:12"),
        ("gone/*.jsonl", "file", "gone/*.jsonl"),
        ("tests/", "file", "tests/"),
        ("gone.JSONL", "file", "gone.JSONL"),
        ("gone.jsonl:12x", "file", "gone.jsonl:12x"),
        ("gone.jsonl ", "file", "gone.jsonl "),
        ("Hello, how are you?", "message", "Hello, how are you?"),
        ("what is in config.yaml?", "message", "what is in config.yaml?"),
        ("what is 1/2", "message", "what is 1/2"),
        ("and/or", "file", "and/or"),
        ("tests", "file", "tests"),
        ("tests/refund", "file", "tests/refund"),
        ("tests::T1", "file", "tests::T1"),
        ("*.ndjson", "file", "*.ndjson"),
        ("~", "file", "~"),
        ("~/tests", "file", "~/tests"),
        ("cases.{jsonl,yaml}", "file", "cases.{jsonl,yaml}"),
        ("ping?", "file", "ping?"),
        ("ping!", "message", "ping!"),
        ("Hello.", "file", "Hello."),
        ("hello world", "message", "hello world"),
        ("it's", "message", "it's"),
        ("你好世界", "message", "你好世界"),
        ("at 12:30", "message", "at 12:30"),
        ("agents: what are they?", "message", "agents: what are they?"),
        ("scripts.expense", "file", "scripts.expense"),
        ("scripts.expense.setup", "script_tests", "expense.setup"),
        ("scripts.workers.system.key-word.setup", "script_tests", "workers.system.key-word.setup"),
        ("scripts.expense.jsonl", "file", "scripts.expense.jsonl"),
        ("-", "stdin", "-"),
        ("x" * 5000, "file", "x" * 5000),
    ],
)
def test_what_an_input_means(text: str, kind: str, value: str):
    assert classify(text) == InputRef(type=kind, value=value)  # pyright: ignore[reportArgumentType]


def test_what_exists_is_a_file_whatever_it_looks_like(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents:x").write_text("")
    (tmp_path / "hello").mkdir()
    assert classify("agents:x").type == "file"
    assert classify("hello").type == "file"
    assert classify("hello::T1").type == "file"
    assert classify("hel?o").type == "file"
    assert classify("is it?").type == "message"


def test_parameters_follow_the_id():
    assert classify("agents:g?count=3&count=4&ok=true&name=a%20b") == InputRef(
        type="agent", value="g", params={"count": 3, "ok": True, "name": "a b"}
    )
    assert classify("scripts:tests.gen?n=1").params == {"n": 1}
    assert classify("scripts.expense.setup?n=1") == InputRef(
        type="script_tests", value="expense.setup", params={"n": 1}
    )


@pytest.mark.parametrize("text", ["my tests/a.jsonl", "t/a.jsonl t/b.jsonl", "some Tests.YAML"])
def test_paths_with_blanks_that_are_not_there_are_no_messages(text: str):
    assert classify(text).type == "file"


@pytest.mark.parametrize("text", ["what is in a.jsonl?", "please read 'a.jsonl', then stop", "refund order 12"])
def test_sentences_are_messages(text: str):
    assert classify(text).type == "message"
