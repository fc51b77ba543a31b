"""The tape options of a run: what goes together, what CI allows, which agents need the network."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.app.opening import open_project
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.app.taping import tape_settings
from vivavoce.errors import UsageError
from vivavoce.sight.tapes.tape_settings import TapeSettings


def settings(environment: dict[str, str] | None = None, **options: Any) -> TapeSettings:
    return tape_settings(RunRequest.of(options, {}), environment or {})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"record": "t", "replay": "t"}, "--record and --replay ask for opposite things"),
        ({"record_missing": True}, r"--record-missing goes with --replay \(write --replay DIR --record-missing\)"),
        ({"replay_only": True}, "--replay-only goes with --replay"),
        ({"fresh_judges": True}, "--fresh-judges goes with --replay"),
        ({"replay": "t", "record_missing": True, "replay_only": True}, "--record-missing and --replay-only ask for"),
        ({"replay": "t", "fresh_judges": True, "replay_only": True}, "--fresh-judges needs the network"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else None,
)
def test_options_that_contradict_each_other_are_refused(options: dict[str, Any], said: str):
    with pytest.raises(UsageError, match=said):
        settings(**options)


def test_options_that_go_together_are_taken_as_they_are():
    assert settings(record="tapes").record == "tapes"
    both = settings(replay="tapes", record_missing=True)
    assert (both.replay, both.record_missing, both.replay_only) == ("tapes", True, False)


@pytest.mark.parametrize(("ci", "only"), [("true", True), ("1", True), ("false", False), ("0", False), ("", False)])
def test_in_ci_a_replay_opens_no_connection(ci: str, only: bool):
    assert settings({"CI": ci}, replay="tapes").replay_only is only
    assert settings({"CI": ci}, replay="tapes", fresh_judges=True).replay_only is False


def test_nothing_is_recorded_in_ci_by_accident():
    with pytest.raises(UsageError, match="refused where CI is set"):
        settings({"CI": "true"}, replay="tapes", record_missing=True)


# ── agents that need the network ──


async def plan(root: Path, agent: str, **options: Any) -> None:
    """Plans a run of this agent; raises what is wrong with it."""
    write_files(root, {"viva.yaml": f"agents:\n  a: {agent}\nagent: a\n", "c.jsonl": '{"id": "T", "input": "hi"}\n'})
    (root / "tapes").mkdir(exist_ok=True)
    given = {"inputs": (str(root / "c.jsonl"),), "config": str(root / "viva.yaml"), "replay": str(root / "tapes")}
    project = open_project(str(root / "viva.yaml"))
    async with planned(RunRequest.of({**given, **options}, {}).with_defaults(project.config.run)):
        pass


@pytest.mark.parametrize(
    "agent",
    [
        "{a2a: 'http://127.0.0.1:9/'}",
        "{a2a: 'http://localhost:9/'}",
        "{a2a: 'http://[::1]:9/'}",
        "{agui: 'http://shop.localhost:9/'}",
    ],
)
async def test_an_agent_on_loopback_may_be_reached_though_nothing_else_is(tmp_path: Path, agent: str):
    await plan(tmp_path, agent, replay_only=True)


@pytest.mark.parametrize("agent", ["{a2a: 'https://shop.example.com/'}", "{agui: 'http://10.0.0.1:9/'}"])
async def test_an_agent_elsewhere_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str
):
    monkeypatch.delenv("CI", raising=False)  # there, replaying alone is the default
    with pytest.raises(UsageError, match=r"agent 'a' answers at http.*--replay-only opens no connection"):
        await plan(tmp_path, agent, replay_only=True)
    await plan(tmp_path, agent)


async def test_an_agent_that_viva_starts_is_let_through(tmp_path: Path):
    write_files(tmp_path, {"agent.py": "def reply(text):\n    return text\n"})
    await plan(tmp_path, "{python: agent.py:reply}", replay_only=True)


async def test_a_key_in_the_address_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHOP_KEY", "s3cret-and-long-enough")
    with pytest.raises(UsageError) as refused:
        await plan(tmp_path, "{a2a: 'https://shop.example.com/${SHOP_KEY}'}", replay_only=True)
    assert "s3cret" not in str(refused.value)
