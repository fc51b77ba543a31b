"""What `viva tape` does: tapes checked, compared, and held against the last run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.opening import open_project
from vivavoce.app.request import RunRequest
from vivavoce.app.tape_keeping import checked_tapes, compared_tapes, last_drift, require_tapes, stale_cases
from vivavoce.errors import UsageError

EXAMPLE = Path(vivavoce.__file__).parent / "examples" / "expense"
POLICY = {"id": "policy", "input": "What is the limit for travel?"}
HELLO = {"id": "hello", "input": "Hello"}
TAPE = Path("tapes/cases.jsonl.tape.jsonl")


def write(*cases: dict[str, Any]) -> None:
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


@pytest.fixture(autouse=True)
async def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that asks a scripted model, two of its conversations on tape."""
    root = Path(shutil.copytree(EXAMPLE, tmp_path / "expense"))
    monkeypatch.chdir(root)
    monkeypatch.delenv("CI", raising=False)
    write(POLICY, HELLO)
    assert (await run(record="tapes")).summary.errors == 0


async def run(**options: Any) -> vivavoce.Report:
    return await vivavoce.arun("cases.jsonl", agent="expense", **{"history": True, **options})


def asking(**options: Any) -> RunRequest:
    given = {"inputs": ("cases.jsonl",), "agent": "expense", **options}
    return RunRequest.of(given, {}).with_defaults(open_project(None).config.run)


def other_prompt() -> None:
    [prompts] = Path("assistants").glob("*/prompts.yml")
    prompts.write_text(prompts.read_text().replace("employees", "pirates"))


# ── checking ──


def test_tapes_that_are_in_order():
    found = checked_tapes(Path("tapes"), open_project(None), asking())
    assert (found.tapes, found.problems) == (1, [])
    assert found.calls >= 2


def test_a_recorded_case_that_is_gone_is_a_problem_where_tests_are_named():
    write(HELLO)
    [problem] = checked_tapes(Path("tapes"), open_project(None), asking()).problems
    assert problem.what == "case 'policy' is recorded, and there is no such case"


def test_a_broken_line_is_a_problem_and_the_others_are_still_checked():
    (TAPE.parent / "other.tape.jsonl").write_text("{\n")
    found = checked_tapes(Path("tapes"), open_project(None), asking())
    assert (found.tapes, len(found.problems)) == (2, 1)


@pytest.mark.parametrize("place", ["nowhere", "assistants"])
def test_a_place_without_tapes_is_refused(place: str):
    with pytest.raises(UsageError, match=rf"no tapes in {place} \(make them with viva test --record {place}\)"):
        require_tapes(Path(place))


# ── comparing ──


async def test_equal_tapes_do_not_differ_and_other_prompts_do():
    assert list(compared_tapes(TAPE, TAPE)) == []
    other_prompt()
    await run(record="after")
    lines = list(compared_tapes(Path("tapes"), Path("after")))
    assert lines
    assert all(line.startswith("cases.jsonl.tape.jsonl: ") for line in lines)


def test_a_tape_that_only_one_folder_has_is_told():
    Path("after").mkdir()
    shutil.copy(TAPE, Path("after", "more.tape.jsonl"))
    assert list(compared_tapes(Path("tapes"), Path("after"))) == [
        "cases.jsonl.tape.jsonl: only in tapes",
        "more.tape.jsonl: only in after",
    ]


# ── the last run ──


async def test_a_replay_that_fits_has_no_drift():
    await run(replay="tapes")
    assert last_drift(Path("tapes"), open_project(None)) == []


async def test_what_differs_is_told_case_by_case():
    other_prompt()
    await run(replay="tapes")
    lines = last_drift(Path("tapes"), open_project(None))
    assert {line.partition(": ")[0] for line in lines} == {"cases.jsonl::policy", "cases.jsonl::hello"}


async def test_a_last_run_that_replayed_nothing_is_refused_with_what_to_do():
    await run()
    with pytest.raises(UsageError, match=r"replayed nothing from tapes \(viva test --replay tapes comes first\)"):
        last_drift(Path("tapes"), open_project(None))


async def test_stale_cases_are_those_whose_recording_does_not_fit():
    request = asking(replay="tapes", replay_only=True, history=False)
    assert await stale_cases(request) == frozenset()
    write(POLICY, {**HELLO, "input": "Good evening"})
    assert await stale_cases(request) == frozenset({"cases.jsonl::hello"})
