"""Snapshots with the real command: written once, compared, updated; several processes; killed ones."""

import json
import signal
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import VIVA, VivaProject

from vivavoce.snapshots.snap_file import SnapFile

pytestmark = pytest.mark.process

AGENT = """
import os, uuid

def refund(text):
    amount = int(os.environ.get("AMOUNT", "25"))
    return {
        "content": f"Refunded {amount} ({uuid.uuid4()}), {os.environ.get('TOKEN', '')}",
        "tool_calls": [{"id": "call_" + uuid.uuid4().hex, "name": "refund", "args": {"amount": amount, "order": text}}],
    }
"""
CHECKS = [{"type": "contains", "value": "Refunded"}, {"type": "snapshot"}, {"type": "snapshot", "of": "tools"}]
SNAP = "__snapshots__/cases.jsonl.snap.yaml"


@pytest.fixture
def shop(project: VivaProject) -> VivaProject:
    project.write("shop.py", AGENT)
    project.write("viva.yaml", "agents:\n  shop: {python: shop.py:refund}\nagent: shop\n")
    project.cases({"id": "A-17", "input": "A-17", "assert": CHECKS}, {"id": "B-2", "input": "B-2", "assert": CHECKS})
    return project


def run(shop: VivaProject, *more: str, **env: str):
    return shop.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history", *more, **env)


def snapshots(shop: VivaProject, name: str = SNAP) -> SnapFile:
    return SnapFile(shop.root / name)


def test_the_first_run_writes_the_second_compares(shop: VivaProject):
    first = run(shop)
    assert first.code == 0
    assert "4 snapshots written, not checked" in first.out
    assert "Assertions: 1/1 passed" in first.out
    written = (shop.root / SNAP).read_bytes()
    second = run(shop)
    assert second.code == 0
    assert "written" not in second.out
    assert "Assertions: 3/3 passed" in second.out
    assert (shop.root / SNAP).read_bytes() == written


def test_the_bytes_are_the_same_wherever_and_in_whatever_order_they_are_written(shop: VivaProject, tmp_path: Path):
    run(shop)
    first = (shop.root / SNAP).read_bytes()
    (shop.root / SNAP).unlink()
    run(shop, "--run", "B-2", PYTHONHASHSEED="1", LC_ALL="C")
    run(shop, "--run", "A-17", PYTHONHASHSEED="2", TZ="Asia/Tokyo")
    assert (shop.root / SNAP).read_bytes() == first


def test_a_changed_argument_is_shown_as_one_line(shop: VivaProject):
    run(shop)
    changed = run(shop, AMOUNT="30")
    assert changed.code == 1
    assert "    tools changed: refund[0].amount was 30, wanted 25\n" in changed.out


def test_an_update_accepts_what_changed_where_the_other_checks_pass(shop: VivaProject):
    run(shop)
    shop.cases(
        {"id": "A-17", "input": "A-17", "assert": CHECKS},
        {"id": "B-2", "input": "B-2", "assert": [*CHECKS, {"type": "contains", "value": "Refunded 25"}]},
    )
    updated = run(shop, "--update-snapshots", AMOUNT="30")
    assert updated.code == 1
    assert "2 snapshots updated" in updated.out
    assert snapshots(shop).value("A-17", "tools")[0]["args"]["amount"] == 30
    assert snapshots(shop).value("B-2", "tools")[0]["args"]["amount"] == 25


def test_in_ci_a_missing_one_fails_and_nothing_is_written(shop: VivaProject):
    done = run(shop, CI="true")
    assert done.code == 1
    assert "there is no approved snapshot of output yet" in done.out
    assert not (shop.root / SNAP).exists()


def test_no_secret_is_written(shop: VivaProject):
    shop.cases({"id": "A", "input": "key ${ENV.TOKEN}", "assert": [{"type": "snapshot", "of": "conversation"}]})
    assert run(shop, TOKEN="hush-hush-token").code == 0
    kept = (shop.root / SNAP).read_text()
    assert "hush" not in kept
    assert "***" in kept
    assert run(shop, TOKEN="hush-hush-token").code == 0


def test_repeated_and_parallel_runs_have_one_value(shop: VivaProject):
    done = run(shop, "--runs", "6", "-j", "4")
    assert done.code == 0
    assert "4 snapshots written" in done.out


def test_a_full_disk_leaves_the_old_file_and_is_never_green(shop: VivaProject):
    assert run(shop).code == 0
    before = (shop.root / SNAP).read_bytes()
    checks = [{"type": "snapshot", "of": "conversation"}]
    shop.cases(*({"id": f"T{n}", "input": "x" * 400, "assert": checks} for n in range(8)))
    # A limit on the size of files stands for a full disk; the results go into a pipe.
    command = f"ulimit -f 2; exec {VIVA} test -i cases.jsonl -o - --no-history -q"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=shop.root,
        env=shop.environment(),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    statuses = {row["id"]: row["status"] for row in rows if row["type"] == "result"}
    written = snapshots(shop).approved()
    assert done.returncode == 1, done.stderr
    assert {case_id for case_id, status in statuses.items() if status == "passed"} == written.keys() - {"A-17", "B-2"}
    assert set(statuses.values()) == {"passed", "error"}
    errors = {row["error"] for row in rows if row.get("status") == "error"}
    assert errors == {f"the snapshot of conversation cannot be written: {SNAP}: File too large"}
    assert (shop.root / SNAP).read_bytes().startswith(before)
    assert [path.name for path in (shop.root / "__snapshots__").iterdir()] == [Path(SNAP).name]


def test_a_case_without_a_file_is_told_before_anything_runs(shop: VivaProject):
    done = shop.viva("test", "-i", "-", stdin=json.dumps({"id": "A", "input": "x", "assert": {"type": "snapshot"}}))
    assert done.code == 2
    assert "comes from no file" in done.err


def test_two_processes_at_once_lose_nothing(shop: VivaProject):
    shop.cases(*({"id": f"T{n}", "input": f"{n}", "assert": CHECKS} for n in range(60)))
    start = ("test", "-i", "cases.jsonl", "--no-history")
    both = [shop.start(*start, "--shard", f"{part}/2", "-o", f"{part}.jsonl") for part in (1, 2)]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
    assert snapshots(shop).approved().keys() == {f"T{n}" for n in range(60)}
    assert run(shop, CI="1").code == 0


def test_two_processes_with_the_same_cases_approve_one_value(shop: VivaProject):
    shop.cases(*({"id": f"T{n}", "input": f"{n}", "assert": CHECKS} for n in range(30)))
    both = [
        shop.start("test", "-i", "cases.jsonl", "--no-history", "-o", f"{amount}.jsonl", AMOUNT=amount)
        for amount in ("25", "30")
    ]
    for process in both:
        process.communicate(timeout=120)
    for case_id, kept in snapshots(shop).approved().items():
        amount = str(kept["tools"][0]["args"]["amount"])
        assert shop.statuses(f"{amount}.jsonl")[case_id] == "passed"
        assert kept["output"].startswith(f"Refunded {amount}")


def test_a_killed_update_leaves_the_old_file_or_the_new_one(shop: VivaProject):
    shop.cases(*({"id": f"T{n:03}", "input": f"{n}", "assert": CHECKS} for n in range(150)))
    assert run(shop).code == 0
    for amount in ("30", "35", "40"):
        before = snapshots(shop).approved()
        with subprocess.Popen(
            [str(VIVA), "test", "-i", "cases.jsonl", "--no-history", "--update-snapshots", "-o", "-"],
            cwd=shop.root,
            env=shop.environment(AMOUNT=amount),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as update:
            assert update.stdout is not None
            update.stdout.readline()
            update.stdout.readline()
            update.send_signal(signal.SIGKILL)
        after = snapshots(shop).approved()
        assert after.keys() == before.keys()
        for case_id, kept in after.items():
            seen = kept["tools"][0]["args"]["amount"]
            assert seen in (int(amount), before[case_id]["tools"][0]["args"]["amount"])
            assert kept["output"].startswith(f"Refunded {seen} "), "all values of a case or none"
    assert run(shop, "--update-snapshots").code == 0
    assert [path.name for path in (shop.root / "__snapshots__").iterdir()] == ["cases.jsonl.snap.yaml"]
