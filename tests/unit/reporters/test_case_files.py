"""Each case as a file: names that work everywhere, contents that people can review."""

import json

import pytest
from tests.fakes.results import conversation, flaky, hostile, plain

from vivavoce.reporters.case_files import FileNames, case_file
from vivavoce.results.rows import row_line


@pytest.mark.parametrize(
    ("case_id", "name"),
    [
        ("T001", "T001.md"),
        ("../../etc/passwd", "etc-passwd.md"),
        ("a/b\\c:d*e", "a-b-c-d-e.md"),
        ("…", "case.md"),
        ("", "case.md"),
        (".hidden", "hidden.md"),
        ("nul", "_nul.md"),
        ("COM1.x", "_COM1.x.md"),
        ("grüße 日本", "grüße-日本.md"),
        ("x" * 500, "x" * 100 + ".md"),
    ],
)
def test_names_are_safe_everywhere(case_id: str, name: str):
    assert FileNames(".md").name_for(case_id) == name


def test_names_that_clash_are_numbered_also_where_case_does_not_count():
    names = FileNames(".md")
    assert [names.name_for(case_id) for case_id in ("a b", "a-b", "A/B", "a-b-2", "a b")] == [
        "a-b.md", "a-b-2.md", "A-B-3.md", "a-b-2-2.md", "a-b-4.md",
    ]  # fmt: skip


def test_markdown_tells_the_whole_conversation():
    text = case_file(row_line(conversation()), "md")
    assert text.startswith("# ")
    for turn in conversation().attempts[0].transcript.turns:
        assert turn.line.text in text
        assert turn.reply.text in text


def test_every_run_of_a_repeated_case_has_its_part():
    text = case_file(row_line(flaky()), "md")
    assert text.startswith("# ")
    assert text.count("\n## Run ") == len(flaky().attempts)
    assert text.count("\n# ") == 0


def test_json_is_the_row_of_the_result_file():
    assert json.loads(case_file(row_line(plain("T9")), "json"))["id"] == "T9"


def test_hostile_text_cannot_break_out_of_the_document():
    text = case_file(row_line(hostile()), "md")
    assert "\x1b" not in text
