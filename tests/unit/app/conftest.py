"""A small project on disk: an agent that echoes, and a file of cases."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.app.request import RunRequest
from vivavoce.project.run_defaults import RunDefaults

AGENT = "def reply(text):\n    if text == 'raise': raise ValueError('boom')\n    return 'echo: ' + text\n"
MakeRequest = Callable[..., RunRequest]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, {"viva.yaml": "agents: {a: {python: agent.py:reply}}\n", "agent.py": AGENT})


@pytest.fixture
def request_for(root: Path) -> MakeRequest:
    """Writes cases to a file and asks for them; further keywords are run options."""

    def made(*cases: dict[str, Any], **options: Any) -> RunRequest:
        (root / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
        request = RunRequest.of({"inputs": ("cases.jsonl",), "outputs": ("out.jsonl",), **options}, {})
        return request.with_defaults(RunDefaults())

    return made
