"""What files of one commit have in common is kept when they are merged."""

from pathlib import Path

from msgspec import structs
from tests.fakes.results import plain, report_of

from vivavoce.model.result import AgentVersion, RunInfo
from vivavoce.results.encoding import encoded
from vivavoce.results.merging import merge
from vivavoce.results.rows import row_line, start_row, summary_row


def written(folder: Path, name: str, info: RunInfo, case_id: str) -> Path:
    result = plain(case_id)
    report = report_of([result])
    lines = [encoded(start_row(info)), row_line(result).strip(), encoded(summary_row(report.summary))]
    (folder / name).write_bytes(b"\n".join(lines) + b"\n")
    return folder / name


def info(**known: object) -> RunInfo:
    return structs.replace(report_of([plain("a")]).info, total_cases=1, **known)


def test_commit_title_and_agents_stay_where_all_files_agree(tmp_path: Path):
    same = {"title": "nightly", "revision": "3f2a90c1b7de", "branch": "main", "dirty": False}
    shop, other = AgentVersion(configuration="c", source="s"), AgentVersion(configuration="d")
    first = written(tmp_path, "a.jsonl", info(run_id="r1", agents={"shop": shop}, **same), "A")
    second = written(tmp_path, "b.jsonl", info(run_id="r2", agents={"shop": shop, "other": other}, **same), "B")
    merged = merge([first, second]).info
    assert (merged.title, merged.revision, merged.branch, merged.dirty) == ("nightly", "3f2a90c1b7de", "main", False)
    assert merged.agents == {"shop": shop, "other": other}


def test_what_differs_is_left_open(tmp_path: Path):
    old, new = AgentVersion(configuration="old"), AgentVersion(configuration="new")
    first = written(tmp_path, "a.jsonl", info(run_id="r1", revision="aaaa", agents={"shop": old}), "A")
    second = written(tmp_path, "b.jsonl", info(run_id="r2", revision="bbbb", agents={"shop": new}), "B")
    merged = merge([first, second]).info
    assert (merged.revision, merged.agents) == (None, {})
