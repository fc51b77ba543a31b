"""What cases share: added, merged or taken where a case says nothing."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.decoding.case_defaults import FIELDS, decode_defaults, with_defaults
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.sources.decoding.case_fields import CaseFields

HELLO = {"type": "contains", "value": "hello"}
POLITE = {"type": "not_contains", "value": "damn"}


def _shared(**fields: Any) -> Case:
    return decode_defaults(fields, Place(Origin("viva.yaml", 1)).at("defaults"))


def _case(**fields: Any) -> Case:
    return decode_case({"id": "T", "input": "hi", **fields}, Origin("a.jsonl", 1))


def _merged(case: Case, shared: Case) -> dict[str, Any]:
    return encode_case(with_defaults(case, shared))


def test_what_a_case_does_not_say_is_taken() -> None:
    shared = _shared(agent="bot", timeout="30s", max_turns=3, user="u", runs=3, min_pass=2, skip="later")
    written = {"agent": "bot", "timeout": "30s", "max_turns": 3, "user": "u", "runs": 3, "min_pass": 2, "skip": "later"}
    assert _merged(_case(), shared) == {"id": "T", "input": "hi", **written}
    own = {"agent": "mine", "timeout": "5s", "max_turns": 9, "user": "me", "runs": 5, "min_pass": 5, "skip": "now"}
    assert _merged(_case(**own), shared) == {"id": "T", "input": "hi", **own}


def test_assertions_and_tags_are_added_and_metadata_is_merged() -> None:
    shared = _shared(assertions=[POLITE], tags=["all"], metadata={"a": 1, "b": 1}, options={"mode": "m"})
    merged = _merged(_case(assertions=[HELLO], tags=["own"], metadata={"b": 2}, options={"connector": "c"}), shared)
    assert merged["assertions"] == [HELLO, POLITE]
    assert (merged["tags"], merged["metadata"]) == (("all", "own"), {"a": 1, "b": 2})
    assert merged["options"] == {"connector": "c", "mode": "m"}


def test_an_assertion_that_the_case_has_already_is_not_checked_twice() -> None:
    assert _merged(_case(assertions=[POLITE]), _shared(assertions=[POLITE]))["assertions"] == [POLITE]


def test_expected_is_not_lost_beside_shared_assertions() -> None:
    merged = _merged(_case(expected={"n": 1}), _shared(assertions=[POLITE]))
    assert merged["assertions"] == [{"type": "equals", "value": {"n": 1}}, POLITE]
    assert "expected" not in merged
    assert _merged(_case(expected="x"), _shared(tags=["t"]))["expected"] == "x"


def test_what_cannot_be_shared_is_refused_with_its_place() -> None:
    with pytest.raises(UsageError, match=r"viva.yaml:1: defaults: unknown field 'input'"):
        _shared(input="hello")
    with pytest.raises(UsageError, match=r"defaults.timeout: "):
        _shared(timeout="soon")
    with pytest.raises(UsageError, match="defaults: wanted fields of a case, found a list"):
        decode_defaults([1], Place(Origin("viva.yaml", 1)).at("defaults"))


def test_every_field_that_can_be_shared_is_one_of_a_case() -> None:
    assert set(FIELDS) <= set(CaseFields.__struct_encode_fields__)


def test_defaults_of_the_first_document_of_the_folder_and_of_the_project(tmp_path: Path) -> None:
    from vivavoce.configuration.project_finder import find_project
    from vivavoce.sources.discover import sources_for

    (tmp_path / "tests" / "deep").mkdir(parents=True)
    (tmp_path / "viva.yaml").write_text("defaults: {tags: [project], agent: p, timeout: 1m}\ntests: tests\n")
    (tmp_path / "tests" / "viva.yaml").write_text("defaults: {tags: [folder], agent: f}\n")
    tests = ["name: one\nturns: [{user: hi}]", "name: two\nagent: own\nturns: [{user: hi}]"]
    text = "\n---\n".join(["defaults: {tags: [file]}", *tests])
    (tmp_path / "tests" / "deep" / "a.viva.yaml").write_text(text)
    (tmp_path / "tests" / "b.jsonl").write_text('{"id": "b", "input": "x"}\n')
    project = find_project(tmp_path / "tests" / "deep")
    assert project.root == tmp_path
    cases = [case for source in sources_for([str(tmp_path / "tests")], project) for case in source.read()]
    assert all(isinstance(case, Case) for case in cases)
    seen = {case.id: (case.tags, case.agent, case.rules.timeout_s) for case in cases if isinstance(case, Case)}
    assert seen == {
        "b": (("project", "folder"), "f", 60.0),
        "a[one]": (("project", "folder", "file"), "f", 60.0),
        "a[two]": (("project", "folder", "file"), "own", 60.0),
    }


def test_bad_defaults_are_told_with_their_line(tmp_path: Path) -> None:
    from vivavoce.configuration.project_finder import find_project
    from vivavoce.sources.discover import sources_for

    (tmp_path / "viva.yaml").write_text("agent: x\ndefaults:\n  tags: [a]\n  timeuot: 1m\n")
    (tmp_path / "b.jsonl").write_text('{"id": "b", "input": "x"}\n')
    with pytest.raises(
        UsageError, match=r"viva.yaml:4: defaults: unknown field 'timeuot' \(did you mean 'timeout'\?\)"
    ):
        sources_for([str(tmp_path / "b.jsonl")], find_project(tmp_path))
