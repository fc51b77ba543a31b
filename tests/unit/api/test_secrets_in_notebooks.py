"""What a notebook shows of a run has no secret in it, wherever the agent says it and wherever a text was cut."""

import json
from pathlib import Path

import pytest

import vivavoce

KEY = "Q7wk-Qe7New2Y6K2oonbR5U3f7Vps2vh6gqx6GLohUGpE4Hkz38HTdeiJlPM7eZ9"
AGENT = """
import os

def reply(messages):
    before = int(messages[-1]["content"].split()[-1])
    said = "x" * before + os.environ["SHOP_KEY"]
    if before % 2:
        raise RuntimeError(said)
    return {"content": said, "tool_calls": [{"name": "pay", "arguments": {"key": said}, "result": said}]}
"""


def test_no_part_of_a_secret_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_KEY", KEY)
    (tmp_path / "agent.py").write_text(AGENT)
    config = {"agents": {"a": {"python": "agent.py:reply"}}, "agent": "a", "variables": {"key": "${ENV.SHOP_KEY}"}}
    (tmp_path / "viva.yaml").write_text(json.dumps(config))
    cases = [
        {"id": f"n{before}", "name": f"with {KEY}", "input": f"{KEY} {before}", "expected": "q"}
        for before in range(0, 330, 7)
    ]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    report = vivavoce.run("cases.jsonl")
    shown = [repr(report), str(report), report._repr_html_(), json.dumps(report.to_rows()), repr(report.failures)]
    assert len(report.failures) == len(cases)
    for at in range(len(KEY) - 7):
        assert not [text for text in shown if KEY[at : at + 8] in text]
