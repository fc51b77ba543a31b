"""The conformance checks of hooks and variables."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from vivavoce.engine.attempt.hooks import run_hook_commands
from vivavoce.errors import CallFailed
from vivavoce.model.case import HookCommand
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import interpolate

CHECKS = json.loads(Path(__file__).with_name("checks.json").read_text())["checks"]


def checks_of(group: str) -> list[Any]:
    return [pytest.param(check, id=check["id"]) for check in CHECKS if check["group"] == group]


@pytest.mark.parametrize("check", checks_of("agui.hook"))
async def test_hook(check: dict[str, Any], tmp_path: Path):
    outputs = check.get("hooks") or [check["stdout"]]
    hooks = [
        HookCommand(cmd=("sh", "-c", f"printf %s {shlex.quote(text)}; exit {check.get('exit_code', 0)}"))
        for text in outputs
    ]
    if check.get("ok", True):
        assert await run_hook_commands(hooks, tmp_path, {}, Secrets()) == check["variables"]
    else:
        with pytest.raises(CallFailed) as caught:
            await run_hook_commands(hooks, tmp_path, {}, Secrets())
        assert caught.value.fault == "hook"


@pytest.mark.parametrize("check", checks_of("agui.interpolate"))
def test_interpolate(check: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    for name, value in check["env"].items():
        monkeypatch.setenv(name, value)
    assert interpolate(check["template"], check["variables"], Secrets()) == check["result"]
