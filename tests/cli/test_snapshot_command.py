"""`viva snapshots` with the real command: listed, reviewed by a person at a terminal, removed."""

import json

import pytest
from tests.cli.conftest import VivaProject
from tests.cli.test_snapshots import CHECKS, SNAP, run, shop, snapshots
from tests.cli.test_terminal import at_a_terminal

pytestmark = pytest.mark.process
__all__ = ["shop"]


def test_differences_are_accepted_kept_or_skipped_one_by_one(shop: VivaProject):
    run(shop)
    run(shop, AMOUNT="30")
    with at_a_terminal(shop, "snapshots", "--review", "--run", "out.jsonl") as screen:
        screen.wait_for("1 of 4 cases.jsonl::A-17 output")
        screen.wait_for("quit? ")
        screen.type("keep")
        screen.wait_for("2 of 4 cases.jsonl::A-17 tools")
        screen.wait_for("refund[0].amount was 30, wanted 25")
        screen.type("accept")
        screen.wait_for("3 of 4")
        screen.type("s")
        screen.wait_for("4 of 4")
        screen.type("q")
        screen.wait_for("1 accepted, 1 kept (the agent is to be changed), 2 skipped")
        assert screen.leave() == 0
    assert snapshots(shop).value("A-17", "tools")[0]["args"]["amount"] == 30
    assert snapshots(shop).value("A-17", "output").startswith("Refunded 25")
    assert snapshots(shop).value("B-2", "tools")[0]["args"]["amount"] == 25


def test_what_was_accepted_is_not_asked_again_and_passes(shop: VivaProject):
    run(shop, "--run", "A-17")
    run(shop, "--run", "A-17", AMOUNT="30")
    for answers in (["a", "a"], []):
        with at_a_terminal(shop, "snapshots", "--review", "--run", "out.jsonl") as screen:
            for answer in answers:
                screen.type(answer)
            screen.wait_for("2 accepted" if answers else "nothing to review")
            assert screen.leave() == 0
    assert run(shop, "--run", "A-17", AMOUNT="30").code == 0


def test_a_missing_one_of_ci_can_be_accepted_from_its_result_file(shop: VivaProject):
    run(shop, "--run", "A-17", CI="1")
    with at_a_terminal(shop, "snapshots", "--review", "--run", "out.jsonl") as screen:
        screen.wait_for("nothing is approved yet")
        screen.type("a")
        screen.type("a")
        screen.wait_for("2 accepted")
        screen.leave()
    assert run(shop, "--run", "A-17", CI="1").code == 0


def test_without_a_terminal_review_says_so_and_exits_2(shop: VivaProject):
    done = shop.viva("snapshots", "--review")
    assert done.code == 2
    assert "asks at a terminal" in done.err


def test_obsolete_ones_are_listed_and_removed(shop: VivaProject):
    run(shop)
    shop.cases({"id": "A-17", "input": "A-17", "assert": CHECKS})
    listed = shop.viva("snapshots", "--json")
    assert {one["state"] for one in json.loads(listed.out) if one["case"] == "B-2"} == {"obsolete"}
    assert shop.viva("snapshots", "--obsolete").code == 1
    assert "2 removed" in shop.viva("snapshots", "--obsolete", "--delete").out
    assert shop.viva("snapshots", "--obsolete").code == 0
    assert snapshots(shop).approved().keys() == {"A-17"}


def test_a_damaged_snapshot_file_is_told_and_nothing_is_called_obsolete(shop: VivaProject):
    assert run(shop).code == 0
    damaged = "A-17:\n  output: [1\n"
    (shop.root / SNAP).write_text(damaged)
    for more in ([], ["--obsolete"], ["--obsolete", "--delete"]):
        done = shop.viva("snapshots", *more)
        assert done.code == 2
        assert f"{SNAP}:3: bad YAML" in done.err
        assert "no obsolete" not in done.out
    assert (shop.root / SNAP).read_text() == damaged
