"""What cases name that is not in them is found, also in cases that a program made or that could not be kept."""

import msgspec
import pytest

from vivavoce.engine.plan.case_names import CaseNames
from vivavoce.engine.plan.checked_cases import CheckedCases
from vivavoce.model.case import Case
from vivavoce.project.redaction import Secrets

WRITTEN = {
    "hook": {"hooks": [{"cmd": ["sh", "NAMED"]}]},
    "before": {"before": "NAMED"},
    "after": {"after": "NAMED"},
    "workspace": {"workspace": "NAMED"},
    "script that makes the history": {"history_script": "NAMED"},
    "simulator": {"simulator": {"use": "scripts:NAMED"}},
    "check": {"assertions": [{"type": "script", "fields": {"script": "NAMED"}}]},
    "check of a turn": {"turns": [{"assertions": [{"type": "command", "fields": {"cmd": ["sh", "NAMED"]}}]}]},
    "check of a checkpoint": {
        "checkpoints": [{"id": "c", "assertions": [{"type": "script", "fields": {"script": "NAMED"}}]}]
    },
    "check at the end": {"final_assertions": [{"type": "javascript", "fields": {"value": "file://NAMED"}}]},
    "front-end tool": {"frontend_tools": [{"name": "t", "answers": [{"script": "NAMED"}]}]},
    "mock": {"mocks": [{"name": "t", "answers": [{"script": "NAMED"}]}]},
    "attachment": {"turns": [{"attachments": [{"type": "file", "source": "file://NAMED"}]}]},
}


def case_of(written: dict[str, object]) -> Case:
    return msgspec.convert({"id": "1", "origin": {"path": "cases.jsonl"}, **written}, Case)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("where", WRITTEN)
def test_a_file_is_found_wherever_a_case_names_it(where: str, kept: bool):
    checked = CheckedCases() if kept else CheckedCases(0)
    checked.add(case_of({"expected": "nothing", **WRITTEN[where]}))
    assert any(text.endswith("NAMED") for _, text in checked.names.files)


@pytest.mark.parametrize("most_bytes", [2**20, 0])
def test_the_environment_of_a_case_is_found(most_bytes: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EXAM_WORD", "value")
    checked = CheckedCases(most_bytes)
    checked.add(case_of({"turns": [{"content": "say ${ENV.EXAM_WORD} and ${ENV.EXAM_UNSET}"}]}))
    checked.add(case_of({"expected": 2**70, "state": "${ENV.EXAM_WORD}"}))
    assert checked.names.environment() == {"EXAM_WORD": "value"}


def test_keys_that_a_check_sends_are_secrets_and_ordinary_headers_and_references_are_not():
    headers = {"X-Tenant": "tenant-key-7", "Accept": "text/plain", "Authorization": "Bearer ${ENV.EXAM_WORD}"}
    names, secrets = CaseNames(), Secrets()
    case = case_of({"assertions": [{"type": "http", "fields": {"url": "http://x/", "headers": headers}}]})
    names.note(case, msgspec.json.encode(case))
    names.hide_in(secrets)
    assert secrets.mask("tenant-key-7 text/plain ${ENV.EXAM_WORD}") == "*** text/plain ${ENV.EXAM_WORD}"


def test_a_case_that_names_nothing_is_not_looked_through():
    names = CaseNames()
    names.note(case_of({"turns": [{"content": "read NAMED"}]}), b"{}")
    assert names.files == set()
