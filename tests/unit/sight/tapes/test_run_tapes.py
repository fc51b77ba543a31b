"""All tapes of a run: which file a case is on, and models answered from it."""

from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.message import Message
from vivavoce.project.project import Project
from vivavoce.project.redaction import Secrets
from vivavoce.project.settings import ReplayConfig
from vivavoce.protocols import ModelReply, ModelRequest
from vivavoce.sight.tapes.judging_role import judge_is_asking
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.run_tapes import RunTapes, current_attempt_tape, request_fingerprint, tape_of
from vivavoce.sight.tapes.tape_settings import TapeSettings


class Model:
    def __init__(self) -> None:
        self.asked = 0

    async def __call__(self, _: ModelRequest) -> ModelReply:
        self.asked += 1
        return ModelReply(text=f"answer {self.asked}")


def tapes(root: Path, **settings: Any) -> RunTapes:
    folders = {name: str(root / value) if name in ("record", "replay") else value for name, value in settings.items()}
    return RunTapes(TapeSettings(**folders), Project(root=root), Secrets(), ReplayConfig())


def case(root: Path) -> Case:
    return Case(id="one", origin=Origin(str(root / "cases" / "shop.jsonl"), 1))


def asks(text: str, **options: Any) -> ModelRequest:
    return ModelRequest(messages=[Message(role="user", content=text)], options=options)


@pytest.mark.parametrize(
    ("origin", "tape"),
    [
        ("cases/shop.jsonl", "cases/shop.jsonl.tape.jsonl"),
        ("../far.jsonl", "far.jsonl.tape.jsonl"),
        ("", "run.tape.jsonl"),
    ],
)
def test_a_tape_lies_below_its_folder_as_its_cases_lie_below_the_project(tmp_path: Path, origin: str, tape: str):
    root = tmp_path / "project"
    path = str(root / origin) if origin else ""
    assert tape_of(path, Path("tapes"), Project(root=root)) == Path("tapes") / tape


def test_without_a_folder_there_is_nothing_to_replay(tmp_path: Path):
    with pytest.raises(UsageError, match="no folder of tapes") as caught:
        tapes(tmp_path, replay="none")
    assert "--record" in str(caught.value.hint)
    tapes(tmp_path, replay="none", record_missing=True)


async def test_an_answer_is_recorded_and_replayed_without_the_model(tmp_path: Path):
    model = Model()
    recording = tapes(tmp_path, record="t")
    with recording.attempt(case(tmp_path), 1) as tape:
        assert current_attempt_tape() is tape
        assert (await recording.complete("gpt", asks("hi"), model)).text == "answer 1"
    assert current_attempt_tape() is None
    recording.close()
    playing = tapes(tmp_path, replay="t")
    with playing.attempt(case(tmp_path), 1):
        assert (await playing.complete("gpt", asks("hi"), model)).text == "answer 1"
        with pytest.raises(CallFailed, match="message 1 differs"):
            await playing.complete("gpt", asks("something else"), model)
    assert model.asked == 1


async def test_what_is_asked_outside_a_case_is_on_a_tape_of_its_own(tmp_path: Path):
    recording = tapes(tmp_path, record="t")
    await recording.complete("gpt", asks("hi"), Model())
    recording.close()
    assert [path.name for path in (tmp_path / "t").iterdir()] == ["run.tape.jsonl"]


async def test_a_fresh_judge_is_asked_and_a_recorded_one_must_be_asked_word_for_word(tmp_path: Path):
    recording = tapes(tmp_path, record="t")
    token = judge_is_asking.set(True)
    with recording.attempt(case(tmp_path), 1):
        await recording.complete("gpt", asks("is it good?"), Model())
    recording.close()
    model = Model()
    fresh = tapes(tmp_path, replay="t", fresh_judges=True)
    with fresh.attempt(case(tmp_path), 1):
        await fresh.complete("gpt", asks("is it good?"), model)
    assert model.asked == 1
    only = tapes(tmp_path, replay="t", replay_only=True)
    with only.attempt(case(tmp_path), 1):
        assert (await only.complete("gpt", asks("is it good?"), model)).text == "answer 1"
        with pytest.raises(CallFailed):
            await only.complete("gpt", asks("is it bad?"), model)
    judge_is_asking.reset(token)
    assert model.asked == 1


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        (asks("hi", temperature=1), False),
        (asks("ho", temperature=0), False),
        (ModelRequest(messages=asks("hi").messages, options={"temperature": 0}, metadata={"trace": 5}), True),
    ],
)
def test_requests_are_the_same_when_the_model_is_asked_the_same(other: ModelRequest, is_same: bool):
    def key(request: ModelRequest, connector: str = "gpt") -> str:
        return request_fingerprint(connector, request, Normaliser(), Censor(Secrets())).key

    assert (key(asks("hi", temperature=0)) == key(other)) is is_same
    assert key(other) != key(other, "claude")


async def test_an_mcp_server_is_asked_once_and_then_replayed(tmp_path: Path):
    asked: list[int] = []

    async def ask() -> dict[str, Any]:
        asked.append(1)
        return {"tools": []}

    recording = tapes(tmp_path, record="t")
    assert await recording.ask_mcp("shop", "tools/list", {}, ask) == {"tools": []}
    recording.close()
    playing = tapes(tmp_path, replay="t")
    assert await playing.ask_mcp("shop", "tools/list", {}, ask) == {"tools": []}
    with pytest.raises(CallFailed, match="no recording fits"):
        await playing.ask_mcp("shop", "tools/call", {"name": "refund"}, ask)
    assert len(asked) == 1
