"""`--order`: the cases of a plan in the order of chance, of their time, of their risk."""

import json
from pathlib import Path

import pytest

import vivavoce
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.project.settings import RunDefaults

IDS = [f"T{number}" for number in range(6)]
AGENT = """
import time

def reply(text):
    if text == "slow":
        time.sleep(0.2)
    if text == "raise":
        raise ValueError("boom")
    return text
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("agents: {a: {python: agent.py:reply}}\nagent: a\n")
    Path("agent.py").write_text(AGENT)
    write(dict.fromkeys(IDS, "hi"))


def write(cases: dict[str, str]) -> None:
    lines = [json.dumps({"id": name, "input": said}) for name, said in cases.items()]
    Path("cases.jsonl").write_text("\n".join(lines) + "\n")


async def order(name: str) -> list[str]:
    request = RunRequest.of({"inputs": ("cases.jsonl",), "order": name}, {}).with_defaults(RunDefaults())
    async with planned(request) as ready:
        return [case.id for case in ready.plan.cases()]


async def test_the_order_of_the_file_is_left_alone():
    assert await order("file") == IDS


async def test_a_seed_gives_the_same_order_again_and_another_seed_another():
    first = await order("random:1")
    assert sorted(first) == IDS
    assert await order("random:1") == first
    assert first not in [await order(f"random:{seed}") for seed in (2, 3)]


async def test_a_seed_that_was_drawn_is_told(capsys: pytest.CaptureFixture[str]):
    drawn = await order("random")
    told = capsys.readouterr().err
    assert told.startswith("viva: the same order again: --order random:")
    assert await order(told.split()[-1]) == drawn


async def test_fast_cases_first_and_unknown_ones_between():
    write({"T0": "slow", "T1": "hi"})
    await vivavoce.arun("cases.jsonl", history=True)
    write({"T0": "slow", "new": "hi", "T1": "hi"})
    assert await order("fast") == ["T1", "new", "T0"]


async def test_what_failed_is_the_greater_risk():
    write({"T0": "hi", "T1": "raise", "T2": "hi"})
    await vivavoce.arun("cases.jsonl", history=True)
    assert (await order("risk"))[0] == "T1"


async def test_a_history_that_cannot_be_read_makes_the_order_worse_and_is_told(capsys: pytest.CaptureFixture[str]):
    await vivavoce.arun("cases.jsonl", history=True)
    [store] = Path(".viva").glob("*.db")
    store.write_bytes(b"no database" * 100)
    assert sorted(await order("risk")) == IDS
    assert "the order knows nothing of earlier runs" in capsys.readouterr().err


async def test_another_word_is_refused():
    with pytest.raises(UsageError, match="unknown order 'fats'"):
        await order("fats")
