"""Cases that check nothing are named by every report, not only on the console."""

import json

from tests.cli.conftest import VivaProject

WORDS = "2 cases check nothing: they pass whatever the agent answers (bare, talk)"
CASES = (
    {"id": "bare", "input": "hi"},
    {"id": "full", "input": "hi", "assert": {"type": "contains", "value": "echo"}},
    {"id": "talk", "turns": [{"input": "a"}, {"input": "b"}]},
)


def test_every_report_names_them(project: VivaProject):
    project.cases(*CASES)
    done = project.viva(
        "test",
        "-i",
        "cases.jsonl",
        *(part for end in ("jsonl", "json", "md", "html", "xml") for part in ("-o", f"r.{end}")),
    )
    assert done.code == 0, done.text
    assert f"! warning: {WORDS}" in done.out
    assert project.rows("r.jsonl")[-1]["warnings"] == [WORDS]
    assert json.loads((project.root / "r.json").read_text())["summary"]["unchecked"] == 2
    for report in ("r.json", "r.html"):
        assert WORDS in (project.root / report).read_text()
    assert WORDS in (project.root / "r.md").read_text().replace("\\", "")
    assert f'<property name="warning" value="{WORDS}"' in (project.root / "r.xml").read_text()
    for how in (("--format", "agent"), ("-q",)):
        assert WORDS in project.viva("test", "-i", "cases.jsonl", *how).text


def test_merged_shards_count_them_once(project: VivaProject):
    project.cases(*CASES)
    for shard in (1, 2):
        assert project.viva("test", "-i", "cases.jsonl", "--shard", f"{shard}/2", "-o", f"s{shard}.jsonl").code == 0
    assert project.viva("merge", "s1.jsonl", "s2.jsonl", "-o", "all.jsonl").code == 0
    (said,) = project.rows("all.jsonl")[-1]["warnings"]
    assert said.startswith("2 cases check nothing")
