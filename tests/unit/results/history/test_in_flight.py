from pathlib import Path

from tests.fakes.kept_runs import info_named

from vivavoce.model.result import Summary
from vivavoce.results.history.database import open_to_write
from vivavoce.results.history.in_flight import read_in_flight
from vivavoce.results.history.reading import History
from vivavoce.results.history.writing import RunWriter


def test_a_live_run_tells_what_it_is_at_work_on_until_it_ends(tmp_path: Path):
    store = open_to_write(tmp_path / "history.db")
    run = RunWriter(store, info_named("live", 2))
    history = History(tmp_path / "history.db")
    assert [kept.in_flight for kept in history.runs()] == [()]
    run.append([], Summary(total=2), in_flight=["t.jsonl::a", "t.jsonl::\ud800"])
    kept = history.run("live")
    assert kept is not None
    assert kept.in_flight == ("t.jsonl::a", "t.jsonl::\\ud800")
    run.append([], Summary(total=2), finished=True)
    assert read_in_flight(store) == {}
    assert [kept.in_flight for kept in history.runs()] == [()]
    store.close()
