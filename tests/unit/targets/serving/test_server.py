"""Servers that are shared, and what they are ended by."""

import asyncio
import os
import signal
import sys
import uuid
from pathlib import Path

import pytest
from aiohttp import web
from tests.fakes.served_agent import HERE
from tests.fakes.surroundings import surroundings_at
from tests.fakes.web_server import WebServer

from vivavoce.errors import UsageError, VivaError
from vivavoce.project.settings import Config
from vivavoce.targets.serving import server as server_module
from vivavoce.targets.serving.readiness import Readiness
from vivavoce.targets.serving.server import Server
from vivavoce.targets.serving.shared_folder import share_servers, share_token

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def _run_of_its_own():
    """Under pytest-xdist this process shares its servers with those of the other workers, and keeps them."""
    of_session = share_token()
    share_servers(uuid.uuid4().hex)
    yield
    share_servers(of_session)


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path, Config(variables={"WORD": "s3cret-word"})) as lent:
        lent.secrets.add("s3cret-word")
        yield lent


def serving(around, **fields) -> Server:
    return Server("shop", {"ready": "listening on", "cmd": [sys.executable, HERE, "0"], **fields}, None, around)


def starts(root: Path) -> list[int]:
    return [int(line.split()[0]) for line in (root / "starts").read_text().splitlines()]


def lives(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists() and ") Z" not in Path(f"/proc/{pid}/stat").read_text()


async def test_all_who_ask_for_the_same_server_share_one_until_the_last_is_done(around, tmp_path):
    first, second = serving(around), serving(around)
    await asyncio.gather(first.up(), second.up(), first.up())
    (pid,) = starts(tmp_path)
    await first.down()
    assert lives(pid)
    assert await second.problem() is None
    await second.down()
    await second.down()
    assert not lives(pid)
    # Another run begins with a new one.
    third = serving(around)
    await third.up()
    await third.down()
    assert len(starts(tmp_path)) == 2


async def test_one_that_died_is_not_started_again_for_who_comes_later(around, tmp_path):
    first, later = serving(around), serving(around)
    await first.up()
    (pid,) = starts(tmp_path)
    os.kill(pid, signal.SIGKILL)
    while await first.problem() is None:
        await asyncio.sleep(0.05)
    with pytest.raises(VivaError, match=r"the server of agent 'shop' ended \(.*SIGKILL.*\); the end of its log"):
        await later.up()
    await later.down()
    await first.down()
    assert len(starts(tmp_path)) == 1
    # Another run begins with a new one.
    third = serving(around)
    await third.up()
    await third.down()
    assert len(starts(tmp_path)) == 2


async def test_one_that_does_not_come_up_is_the_same_error_for_all_and_secrets_are_masked(around):
    server = serving(around, cmd=[sys.executable, "-c", "print('${WORD}'); raise SystemExit(1)"])
    for _ in range(2):
        with pytest.raises(VivaError, match=r"did not come up: it ended before it was ready \(exit code 1\)") as failed:
            await server.up()
        assert "s3cret" not in str(failed.value)
    await server.down()


@pytest.mark.parametrize("fields", [{"cmd": ["/no/such/program"]}, {"cwd": "nowhere"}])
async def test_what_cannot_be_started_says_why(fields, around):
    server = serving(around, **fields)
    with pytest.raises(VivaError, match=r"cannot be started: No such file|no such folder"):
        await server.up()
    await server.down()
    assert not server.folder.exists()


async def test_an_undefined_variable_is_refused(around):
    with pytest.raises(UsageError, match="undefined variable"):
        serving(around, env={"A": "${NOWHERE}"})


@pytest.mark.parametrize(
    ("sign", "agent_url", "port"),
    [
        (8000, None, 8000),
        ("http://localhost:81/x", None, 81),
        ("ready", "http://127.0.0.1:82", 82),
        ("ready", "https://example.com", None),
        ("ready", "${URL}", None),
        ("http://0.0.0.0", None, 80),
    ],
)
async def test_only_addresses_of_this_machine_can_be_taken(sign, agent_url, port, around):
    assert Readiness(sign, agent_url, around.http).port == port


@pytest.mark.parametrize("status", [200, 302, 401, 404, 405, 422, 499])
async def test_any_answer_that_is_no_failure_of_the_server_means_ready(status, around):
    async with WebServer(lambda _: web.Response(status=status)) as web_server:
        assert await Readiness(web_server.url, None, around.http).is_ready(str)


async def test_a_server_that_fails_is_not_ready_and_its_status_is_told(around):
    async with WebServer(lambda _: web.Response(status=503)) as web_server:
        readiness = Readiness(web_server.url, None, around.http)
        assert not await readiness.is_ready(str)
    assert str(readiness) == f"{web_server.url} answers 503"


async def test_what_is_waited_for_is_told_once(around, monkeypatch, capsys):
    monkeypatch.setattr(server_module, "_PATIENCE_S", 0)
    with pytest.raises(VivaError, match="after 500ms"):
        await serving(around, ready="never said ${WORD}", timeout="500ms").up()
    told = capsys.readouterr().err
    assert told.count("viva: waiting up to 500ms for the server of agent 'shop': so far its log does not match") == 1
    assert "s3cret" not in told
