from pathlib import Path

from tests.fakes.kept_runs import begun, changed, keep_run
from tests.fakes.results import plain

from vivavoce.model.result import Status
from vivavoce.results.history.case_grid import latest_runs
from vivavoce.results.history.reading import History
from vivavoce.results.history.run_numbers import case_ids, numbers_of_runs


def test_each_run_says_what_changed_since_a_case_ran_before(tmp_path: Path):
    store = tmp_path / "history.db"
    first = [changed(plain("a"), ms=1000), changed(plain("b"), status=Status.FAILED), plain("c")]
    second = [changed(plain("a"), status=Status.FAILED, ms=5000), plain("b"), plain("c"), plain("d")]
    keep_run(store, "one", first, started_at="2024-12-17T10:00:00Z")
    keep_run(store, "two", [begun(one, 60) for one in second], started_at="2024-12-17T10:01:00Z")
    history = History(store)
    runs = history.ask(lambda store: latest_runs(store, 9)) or []
    found = history.ask(lambda store: numbers_of_runs(store, runs)) or {}
    assert (found["one"].added, found["one"].broken, found["one"].mended) == (3, 0, 0)
    assert (found["two"].added, found["two"].broken, found["two"].mended) == (1, 1, 1)
    assert (found["two"].p50_ms, found["two"].p95_ms) == (1200, 5000)
    named = history.ask(lambda store: case_ids(store, found["two"].first_broken)) or {}
    assert list(named.values()) == ["a"]


def test_the_oldest_listed_run_is_compared_with_the_one_before_the_list(tmp_path: Path):
    store = tmp_path / "history.db"
    keep_run(store, "one", [plain("a")], started_at="2024-12-17T10:00:00Z")
    later = begun(changed(plain("a"), status=Status.ERROR), 60)
    keep_run(store, "two", [later], started_at="2024-12-17T10:01:00Z")
    history = History(store)
    runs = history.ask(lambda store: latest_runs(store, 9)) or []
    found = history.ask(lambda store: numbers_of_runs(store, runs[:1], earlier=runs[1:])) or {}
    assert list(found) == ["two"]
    assert found["two"].broken == 1
