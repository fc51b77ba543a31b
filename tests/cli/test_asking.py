"""What a newcomer types, and what viva makes of it."""

from tests.cli.conftest import VivaProject

SAYS_ECHO = {"assert": {"type": "contains", "value": "echo"}}


def test_sources_can_be_named_without_a_flag(project: VivaProject):
    project.cases({"id": "A", "input": "hello", **SAYS_ECHO}, name="tests/a.jsonl")
    project.cases({"id": "B", "input": "hello", **SAYS_ECHO}, name="b.jsonl")
    listed = project.viva("list", "tests/", "b.jsonl")
    assert listed.out.splitlines() == ["tests/a.jsonl::A", "b.jsonl::B", "2 of 2 cases selected"]
    done = project.viva("test", "tests/", "-i", "b.jsonl", "-o", "out.jsonl")
    assert (done.code, project.statuses()) == (0, {"A": "passed", "B": "passed"})
    assert "2 cases in 2 sources" in project.viva("validate", "b.jsonl", "tests/a.jsonl").out
