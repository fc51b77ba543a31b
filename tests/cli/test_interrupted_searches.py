"""Ctrl-C in `viva shrink`, `fuzz`, `mutate` and `calibrate`: what was found so far is kept and reported."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
import asyncio, json, os
from pathlib import Path

async def wait_after(name, most):
    # Waits for ever once it was called so often, in whatever process.
    log = Path(name)
    with log.open("a") as out:
        out.write("x")
    if "PATIENT" in os.environ and len(log.read_text()) > most:
        Path("waiting").touch()
        await asyncio.sleep(600)

async def clerk(messages, context):
    said = [m["content"] for m in messages if m["role"] == "user"]
    if len(said) == 1:
        await wait_after("conversations", int(os.environ.get("PATIENT", 0)))
    if "coupon" in " ".join(said) and "refund" in said[-1].lower():
        return "You get 900 EUR."
    if not said[-1].strip():
        raise ValueError("nothing was said")
    return "Of course."

async def judge(messages, context):
    await wait_after("judgements", int(os.environ.get("PATIENT", 0)))
    return json.dumps({"passed": True, "reason": "so"})
"""
CONFIG = "agents:\n  clerk: {python: agent.py:clerk}\n  judge: {python: agent.py:judge}\nagent: clerk\n"
LONG = {
    "id": "long",
    "turns": [
        *({"input": line} for line in ("Hello.", "I have a coupon.", "It is blue.", "And green.", "And red.")),
        {"input": "A refund, please.", "assertions": [{"type": "not_contains", "value": "900"}]},
    ],
}
JUDGED = {"type": "agent", "use": "judge", "value": "is polite"}


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    project.write("agent.py", AGENT)
    project.write("viva.yaml", CONFIG)
    return project


def interrupted(project: VivaProject, *arguments: str, after: int) -> str:
    """What a command says that is interrupted when the agent waits in its call number `after` + 1."""
    for name in ("conversations", "judgements"):
        (project.root / name).unlink(missing_ok=True)
    process = project.start(*arguments, PATIENT=str(after))
    try:
        for _ in range(1200):
            if (project.root / "waiting").exists() or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=200)
    finally:
        process.kill()
    assert "Traceback" not in err, err
    assert process.returncode == 130, out + err
    return out


def written(path: Path) -> list[dict[str, Any]]:
    """The cases of a file; each may be spread over several lines."""
    rest = "\n".join(line for line in path.read_text().splitlines() if not line.startswith("//")).strip()
    found: list[dict[str, Any]] = []
    while rest:
        case, end = json.JSONDecoder().raw_decode(rest)
        found.append(case)
        rest = rest[end:].strip()
    return found


def test_shrink_writes_the_smallest_case_so_far_and_it_fails(shop: VivaProject):
    shop.cases(LONG)
    assert shop.viva("test", "cases.jsonl", "-o", "out.jsonl").code == 1
    said = interrupted(shop, "shrink", "out.jsonl::long", "-o", "small.jsonl", after=8)
    assert "stopped early, it may not be the smallest: Ctrl-C was pressed" in said
    assert "viva test -i small.jsonl::long-shrunk" in said
    (case,) = written(shop.root / "small.jsonl")
    assert len(case["turns"]) < len(LONG["turns"])
    assert "Stopped early" in (shop.root / "small.jsonl").read_text()
    assert shop.viva("test", "small.jsonl").code == 1


def test_shrink_says_when_there_is_nothing_to_write_yet(shop: VivaProject):
    shop.cases(LONG)
    shop.viva("test", "cases.jsonl", "-o", "out.jsonl")
    said = interrupted(shop, "shrink", "out.jsonl::long", "-o", "small.jsonl", after=0)
    assert "nothing was written" in said
    assert not (shop.root / "small.jsonl").exists()


@pytest.mark.parametrize("after", [5, 7], ids=["while variants run", "while a find is shrunk"])
def test_fuzz_saves_what_it_found(shop: VivaProject, after: int):
    shop.cases({"id": "hi", "input": "Hello.", "assert": {"type": "contains", "value": "Of course"}})
    said = interrupted(shop, "fuzz", "cases.jsonl", "--operators", "nothing", "--variants", "6", after=after)
    assert "stopped early (ctrl-c)" in said
    finds = written(shop.root / "fuzz-finds.jsonl")
    assert finds
    assert f"fuzz-finds.jsonl::{finds[0]['id']}" in said
    assert shop.viva("test", "fuzz-finds.jsonl").code == 1


def test_mutate_tells_the_scores_so_far_and_changes_no_file(shop: VivaProject):
    shop.cases(*({"id": name, "input": "Hello.", "assert": JUDGED} for name in ("a", "b")))
    assert shop.viva("test", "cases.jsonl", "-o", "out.jsonl").code == 0
    before = (shop.root / "cases.jsonl").read_text()
    # The recorded verdict counts for the recording itself, so that each mutant of a case is one question.
    questions = (shop.root / "judgements").read_text()
    shop.viva("mutate", "out.jsonl::a", "--judges")
    of_one_case = len((shop.root / "judgements").read_text()) - len(questions)
    said = interrupted(shop, "mutate", "out.jsonl", "--judges", "--write", after=of_one_case + 1)
    assert "stopped early (ctrl-c): 1 case not looked at" in said
    assert "cases.jsonl::a" in said
    assert "mutation score:" in said
    assert (shop.root / "cases.jsonl").read_text() == before


def test_calibrate_counts_the_answers_so_far(shop: VivaProject):
    shop.cases(*({"id": name, "input": "Hello.", "assert": JUDGED} for name in ("a", "b")))
    shop.viva("test", "cases.jsonl", "-o", "out.jsonl")
    shop.write("labels.yaml", "type: labels\nlabels:\n- {case: a, label: pass}\n- {case: b, label: fail}\n")
    said = interrupted(shop, "calibrate", "out.jsonl", "--again", "3", after=2)
    assert "stopped early (ctrl-c): 2 of 6 answers" in said
    assert "agrees with people" in said
