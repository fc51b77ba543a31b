"""`vivavoce.fuzz`: what `viva fuzz` does, from Python."""

from pathlib import Path

import pytest

import vivavoce

CASE = {"id": "hi", "input": "hello", "assert": {"type": "contains", "value": "hello"}}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shy(text: str) -> str:
    if not text.strip():
        raise ValueError("nothing was said")
    return f"You said: {text}"


def test_finds_come_back_and_are_saved_as_cases():
    heard: list[str] = []
    found = vivavoce.fuzz(
        CASE,
        agent=shy,
        operators="case,nothing",
        variants=12,
        save="finds.jsonl",
        on_progress=lambda what, done, total: heard.append(what),
    )
    assert {name for find in found.finds for name in find.operators} == {"case", "nothing"}
    assert {"cases", "variants", "finds"} <= set(heard)
    report = vivavoce.run("finds.jsonl", agent=shy, history=False)
    assert "passed" not in [result.status.value for result in report.results]


def test_options_of_run_are_keywords_and_others_are_refused():
    found = vivavoce.fuzz(CASE, agent=lambda text: text.lower(), operators=["spaces"], variants=3, seed=5, parallel=2)
    assert found.seed == 5
    with pytest.raises(vivavoce.UsageError, match="unknown operator 'typo'"):
        vivavoce.fuzz(CASE, agent=shy, operators="typo")
    with pytest.raises(TypeError, match=r"afuzz.. got an unexpected keyword argument 'nonsense'"):
        vivavoce.fuzz(CASE, agent=shy, nonsense=1)


async def test_the_async_twin():
    assert (await vivavoce.afuzz(CASE, agent=shy, operators="emoji", variants=2)).scores
