"""Measuring a run for a page: what is not there, and what cannot be measured."""

from pathlib import Path

import aiohttp
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import plain

from vivavoce.app.opening import open_project
from vivavoce.results.history.database import history_file
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving


async def answer(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as client, client.get(url) as response:
        return response.status, await response.text()


async def test_a_run_whose_cases_are_gone_is_refused_in_words(tmp_path: Path):
    (tmp_path / "viva.yaml").write_text("defaults: {}\n")
    project = open_project(str(tmp_path / "viva.yaml"))
    store = history_file(project)
    store.parent.mkdir(parents=True)
    keep_run(store, "run-one", [plain()])
    async with serving(Library(History(store)), project=project) as address:
        status, words = await answer(f"{address}api/runs/run-one/coverage")
        assert status == 409
        assert "tests/expense.jsonl" in words
        assert (await answer(f"{address}api/runs/nothing/mutants"))[0] == 404
        assert (await answer(f"{address}runs/run-one/coverage"))[0] == 200


async def test_without_a_project_there_is_nothing_to_measure(tmp_path: Path):
    keep_run(tmp_path / "history.db", "run-one", [plain()])
    async with serving(Library(History(tmp_path / "history.db"))) as address:
        assert (await answer(f"{address}api/runs/run-one/coverage"))[0] == 404
