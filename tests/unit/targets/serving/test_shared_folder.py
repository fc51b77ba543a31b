import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from vivavoce.targets.serving.shared_folder import SharedFolder, share_servers, share_token


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    token = share_token()
    share_servers("a-token")
    yield
    share_servers(token)


def test_the_same_server_of_the_same_run_has_one_folder_and_every_other_its_own():
    one, same, other = (SharedFolder(what) for what in ({"cmd": "x"}, {"cmd": "x"}, {"cmd": "y"}))
    assert one.path == same.path != other.path
    share_servers("another-run")
    assert SharedFolder({"cmd": "x"}).path != one.path


def test_nobody_else_may_look_into_it():
    assert stat.S_IMODE(SharedFolder("x").path.parent.stat().st_mode) == 0o700


async def test_only_the_last_user_is_told_that_it_was_the_last():
    first, second = SharedFolder("x"), SharedFolder("x")
    await first.hold()
    await second.hold()
    assert first.release() is False
    assert second.release() is True
    assert second.release() is False, "it is no user any more"


async def test_one_process_at_a_time_is_alone():
    entered: list[str] = []
    let_go = asyncio.Event()

    async def alone(name: str) -> None:
        async with SharedFolder("x").alone():
            entered.append(name)
            await let_go.wait()

    tasks = [asyncio.create_task(alone(name)) for name in ("first", "second")]
    while not entered:
        await asyncio.sleep(0.001)
    for _ in range(100):
        await asyncio.sleep(0.001)
    assert len(entered) == 1
    let_go.set()
    async with asyncio.timeout(60):
        await asyncio.gather(*tasks)
    assert sorted(entered) == ["first", "second"]


async def test_state_readiness_and_log_are_empty_until_there_are_some():
    folder = SharedFolder("x")
    assert (folder.state(), folder.log(), folder.was_ready) == ({}, "", False)
    await folder.hold()
    folder.mark_ready()
    (folder.path / "state").write_text('{"pid": 7}')
    (folder.path / "log").write_bytes(b"a" * 2**20 + b"the end \xff")
    assert (folder.state(), folder.was_ready) == ({"pid": 7}, True)
    assert len(folder.log()) == 2**20
    assert folder.log().endswith("the end �")
    (folder.path / "state").write_text("[half")
    assert folder.state() == {}
    folder.discard()
    assert not folder.path.exists()
