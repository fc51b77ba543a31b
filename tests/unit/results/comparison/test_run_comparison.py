"""Two runs with the rows behind each change."""

import json
from io import StringIO
from itertools import count
from pathlib import Path

import pytest
from tests.fakes.kept_runs import changed, keep_run
from tests.fakes.result_builders import attempt, bare_turn, call, case, result
from tests.fakes.results import hostile, plain

from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import CaseResult, Status
from vivavoce.reporters.comparison_markdown import write_comparison_markdown
from vivavoce.results.comparison.json_text import comparison_json
from vivavoce.results.comparison.run_comparison import RunComparison, compare_runs
from vivavoce.results.history.reading import History
from vivavoce.results.stored_runs import StoredRun


def calling(amount: int, tokens: int, status: Status = Status.PASSED) -> CaseResult:
    reply = AgentReply(text="ok", calls=(call("refund", {"amount": amount}),), usage=Usage(tokens, 0, tokens / 1e6))
    error = None if status is Status.PASSED else "refund called 0 times"
    return result(case("pay", "hi"), attempt(bare_turn("hi", 1, reply), status=status, error=error))


@pytest.fixture
def compared(tmp_path: Path):
    numbers = count()

    def of(before: list[CaseResult], after: list[CaseResult]) -> RunComparison:
        store = tmp_path / f"{next(numbers)}.db"
        keep_run(store, "before", before)
        keep_run(store, "after", after)
        return compare_runs(StoredRun(History(store), "before"), StoredRun(History(store), "after"))

    return of


def test_the_json_names_the_reason_the_calls_and_what_was_used(compared):
    found = compared([calling(20, 1000), plain("same")], [calling(250, 3000, Status.FAILED), plain("same")])
    told = json.loads(b"".join(comparison_json(found)))
    (change,) = told["changes"]
    assert change["reason"] == "refund called 0 times"
    assert change["calls"] == [
        {
            "kind": "changed",
            "before": {"turn": 1, "name": "refund", "args": {"amount": 20}},
            "after": {"turn": 1, "name": "refund", "args": {"amount": 250}},
        }
    ]
    assert told["usage"]["tokens"] == {"before": 1000.0, "after": 3000.0, "cases": 1}
    assert told["counts"]["dearer"] == told["counts"]["calls_differ"] == 1


def test_nothing_changed_is_an_empty_list(compared):
    assert json.loads(b"".join(comparison_json(compared([plain()], [plain()]))))["changes"] == []


def markdown(found: RunComparison) -> str:
    out = StringIO()
    write_comparison_markdown(found, out)
    return out.getvalue()


def test_markdown_for_a_pull_request(compared):
    text = markdown(compared([calling(20, 1000)], [calling(250, 3000, Status.FAILED)]))
    assert "## New failures (1)\n\n* **pay**: passed → failed" in text
    assert "  * refund called 0 times\n  * `~ changed: refund: amount 20 → 250`" in text
    assert "* tokens: 1,000 → 3,000 (+200 %), 1 case\n" in text
    assert "Nothing changed." in markdown(compared([plain("x")], [plain("x")]))


def test_hostile_names_cannot_write_markdown_of_their_own(compared):
    text = markdown(compared([changed(hostile(), status=Status.PASSED)], [hostile()]))
    assert "<script>" not in text
    assert "\n# not" not in text
