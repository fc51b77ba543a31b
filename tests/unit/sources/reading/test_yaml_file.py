from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.sources.reading.yaml_file import YamlSource


def read(folder: Path, text: str, name: str = "refund.viva.yaml") -> list[Case | UsageError]:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return list(YamlSource(file, name).read())


def ids(found: list[Case | UsageError]) -> list[str]:
    return [case.id for case in found if isinstance(case, Case)]


def test_a_test_is_named_after_its_file(tmp_path: Path):
    assert ids(read(tmp_path, "name: Refund\nturns:\n  - user: hi\n")) == ["refund"]
    assert ids(read(tmp_path, "turns:\n  - user: hi\n", "flow.yml")) == ["flow"]


def test_several_documents_are_told_apart_by_name_or_number(tmp_path: Path):
    text = "name: one\nturns: [{user: a}]\n---\nturns: [{user: b}]\n---\nid: own\nturns: [{user: c}]\n"
    found = read(tmp_path, text)
    assert ids(found) == ["refund[one]", "refund[2]", "own"]
    assert [case.origin.line for case in found if isinstance(case, Case)] == [1, 4, 6]


def test_two_documents_of_one_name_are_an_error(tmp_path: Path):
    found = read(tmp_path, "name: one\nturns: [{user: a}]\n---\nname: one\nturns: [{user: b}]\n")
    (bad,) = [f for f in found if isinstance(f, UsageError)]
    assert "duplicate id 'refund[one]', first used in line 1" in str(bad)
    assert bad.at == Origin("refund.viva.yaml", 4)


def test_a_bad_document_does_not_hide_the_others(tmp_path: Path):
    found = read(tmp_path, "name: a\nturns: [{user: a}]\n---\ntunrs: []\n---\nname: c\nturns: [{user: c}]\n")
    assert ids(found) == ["refund[a]", "refund[c]"]
    assert "unknown field 'tunrs' (did you mean 'turns'?)" in str(found[1])


def test_documents_before_a_syntax_error_are_read_and_the_error_is_reported(tmp_path: Path):
    found = read(tmp_path, "name: a\nturns: [{user: a}]\n---\nname: [b\n")
    assert ids(found) == ["refund[a]"]
    assert "bad YAML" in str(found[-1])


def test_an_empty_file_is_a_problem(tmp_path: Path):
    (only,) = read(tmp_path, "# nothing\n---\n")
    assert "no cases found in it" in str(only)


def test_anchors_and_merges_work(tmp_path: Path):
    text = "metadata: &m {a: 1}\noptions:\n  metadata:\n    <<: *m\n    b: 2\nturns:\n  - user: hi\n"
    (case,) = read(tmp_path, text)
    assert isinstance(case, Case)
    assert case.options.metadata == {"a": 1, "b": 2}


def test_a_file_that_is_not_utf8_is_an_error_with_its_name(tmp_path: Path):
    (tmp_path / "a.yaml").write_bytes(b"name: caf\xe9\n")
    (bad,) = YamlSource(tmp_path / "a.yaml", "a.yaml").read()
    assert isinstance(bad, UsageError)
    assert "not UTF-8" in str(bad)
    assert "a.yaml" in str(bad)
