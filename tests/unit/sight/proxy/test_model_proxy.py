"""`model_proxy:` of an agent: its fields, and how an agent is pointed to the proxy."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.project.settings import Config
from vivavoce.protocols import Provisions, TargetSpec
from vivavoce.sight.proxy.model_proxy import ModelProxy, ProxyFields, proxy_fields

URL = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("written", "fields"),
    [
        (True, ProxyFields()),
        ({"openai": URL}, ProxyFields(upstream={"openai": URL})),
        ({"upstream": {"openai": URL}, "listen": 8080}, ProxyFields(upstream={"openai": URL}, listen=8080)),
        ({"listen": 8080}, ProxyFields(listen=8080)),
    ],
)
def test_the_fields_have_a_long_and_a_short_form(written: Any, fields: ProxyFields):
    assert proxy_fields(written, "shop") == fields


@pytest.mark.parametrize("written", [5, {"listen": 70000}, {"upstream": {"openai": 5}}, {"upstream": {}, "more": 1}])
def test_wrong_fields_name_the_agent(written: Any):
    with pytest.raises(UsageError, match="agent 'shop': model_proxy: "):
        proxy_fields(written, "shop")


def spec(kind: str, proxy: Any = None, **config: Any) -> TargetSpec:
    return TargetSpec(id="shop", kind=kind, config={"model_proxy": proxy or {"openai": URL}, **config})


async def test_an_agent_elsewhere_is_told_once_what_to_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    async with surroundings_at(tmp_path) as around:
        proxy = ModelProxy(spec("http"), around)
        environment = await proxy.start()
        assert await proxy.start() == environment
        await proxy.close()
    told = capsys.readouterr().err
    assert told.count("is seen through viva's model proxy") == 1
    assert f"export OPENAI_BASE_URL={environment['OPENAI_BASE_URL']}" in told


async def test_a_served_agent_is_told_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    async with surroundings_at(tmp_path) as around:
        proxy = ModelProxy(spec("http", serve={"cmd": "x", "ready": 80}), around)
        assert "OPENAI_BASE_URL" in await proxy.start()
        await proxy.close()
    assert capsys.readouterr().err == ""


async def test_the_environment_of_this_process_is_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "https://before")
    async with surroundings_at(tmp_path) as around:
        first, second = ModelProxy(spec("python"), around), ModelProxy(spec("python"), around)
        assert os.environ["OPENAI_BASE_URL"].startswith("http://127.0.0.1")
        assert (await first.start())["OPENAI_BASE_URL"] == (await second.start())["OPENAI_BASE_URL"]
        await second.close()
        await first.close()
    assert os.environ["OPENAI_BASE_URL"] == "https://before"


async def test_each_conversation_has_an_address_of_its_own(tmp_path: Path):
    async with surroundings_at(tmp_path) as around:
        proxy = ModelProxy(spec("cmd"), around)
        await proxy.start()
        given = [Provisions(session_id=name) for name in "ab"]
        watches = [proxy.watch(Case(id="c"), 1, provisions) for provisions in given]
        assert len({id(watch) for watch in watches}) == 2
        assert [(await watch.close()).problem for watch in watches] == [None, None]
        await proxy.close()
    addresses = {provisions.environment["OPENAI_BASE_URL"] for provisions in given}
    assert len(addresses) == 2
    assert {provisions.base_urls["openai"] for provisions in given} == addresses


async def test_a_variable_of_an_address_is_put_in_or_named(tmp_path: Path):
    async with surroundings_at(tmp_path, Config(variables={"HOST": "127.0.0.1:9"})) as around:
        await ModelProxy(spec("cmd", {"openai": "http://${HOST}"}), around).close()
        with pytest.raises(UsageError, match=r"agent 'shop': model_proxy: .*NO_SUCH"):
            ModelProxy(spec("cmd", {"openai": "http://${NO_SUCH}"}), around)
