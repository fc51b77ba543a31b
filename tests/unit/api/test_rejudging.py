"""`vivavoce.rejudge` and `arejudge`: their keywords, their report, and what is wrong in the words of Python."""

import json
from pathlib import Path

import pytest

import vivavoce
from vivavoce.errors import UsageError

CASE = {"id": "T1", "input": "pay", "assert": {"type": "contains", "value": "pay"}}


def write(**changed: object) -> None:
    Path("cases.jsonl").write_text(json.dumps({**CASE, **changed}) + "\n")


@pytest.fixture(autouse=True)
def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write()
    vivavoce.run("cases.jsonl", agent=lambda text: f"You said {text}", outputs="out.jsonl", history=False)


def test_a_path_and_several_outputs_may_be_given():
    report = vivavoce.rejudge(Path("out.jsonl"), outputs=[Path("again.jsonl"), "again.md"])
    assert report.passed
    assert json.loads(Path("again.jsonl").read_text().splitlines()[1])["status"] == "passed"
    assert "T1" in Path("again.md").read_text()


def test_only_the_cases_that_are_named_are_judged():
    Path("other.jsonl").write_text(json.dumps(CASE) + "\n")
    both = vivavoce.rejudge("out.jsonl", cases=["other.jsonl", "cases.jsonl"])
    assert [result.case.key for result in both.results] == ["cases.jsonl::T1"]
    with pytest.raises(UsageError, match=r"^other\.jsonl: the only case found is not recorded in it"):
        vivavoce.rejudge("out.jsonl", cases="other.jsonl")


async def test_the_async_twin_returns_the_same():
    write(**{"assert": {"type": "contains", "value": "sunk"}})
    report = await vivavoce.arejudge("out.jsonl")
    assert [result.case.id for result in report.failures] == ["T1"]


def test_a_stale_conversation_is_red_unless_allowed():
    more = {**CASE, "id": "T2"}
    Path("cases.jsonl").write_text(f"{json.dumps(CASE)}\n{json.dumps(more)}\n")
    vivavoce.run("cases.jsonl", agent=lambda text: f"You said {text}", outputs="out.jsonl", history=False)
    Path("cases.jsonl").write_text(f"{json.dumps(CASE)}\n{json.dumps({**more, 'input': 'other'})}\n")
    assert not vivavoce.rejudge("out.jsonl").passed
    assert vivavoce.rejudge("out.jsonl", allow_stale=True).passed


async def test_inside_an_event_loop_the_twin_is_named():
    with pytest.raises(UsageError, match=r"inside a running event loop \(await vivavoce\.arejudge instead\)"):
        vivavoce.rejudge("out.jsonl")


async def test_a_run_that_is_not_there_is_a_usage_error_of_both():
    with pytest.raises(UsageError, match="nowhere"):
        await vivavoce.arejudge("nowhere.jsonl")


def test_no_flag_is_named_to_a_program():
    Path("cases.jsonl").unlink()
    with pytest.raises(UsageError) as refused:
        vivavoce.rejudge("out.jsonl")
    assert "-i " not in str(refused.value)


def test_a_recording_that_was_cut_off_is_an_error_never_a_pass():
    lines = Path("out.jsonl").read_bytes().splitlines(keepends=True)
    Path("cut.jsonl").write_bytes(b"".join(lines[:2]) + lines[1][:40])
    with pytest.raises(UsageError, match="1 line of the recording cannot be read"):
        vivavoce.rejudge("cut.jsonl")
    assert vivavoce.rejudge("cut.jsonl::T1").passed
