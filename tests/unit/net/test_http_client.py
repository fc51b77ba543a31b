"""One HTTP client for a process: opened when it is needed, opened again after it was closed."""

import pytest

from vivavoce.errors import BrokenEnvironment
from vivavoce.net.http_client import HttpClient, refuse_bad_proxy


async def test_it_is_opened_once_and_again_after_closing():
    client = HttpClient()
    await client.close()
    first = client.session()
    assert client.session() is first
    await client.close()
    assert first.closed
    second = client.session()
    assert not second.closed
    await client.close()


async def test_neither_its_connections_nor_its_time_are_limited_and_it_keeps_no_cookies():
    client = HttpClient()
    session = client.session()
    assert session.connector is not None
    assert (session.connector.limit, session.timeout.total) == (0, None)
    session.cookie_jar.update_cookies({"a": "b"})
    assert len(session.cookie_jar) == 0
    await client.close()


@pytest.mark.parametrize(("proxy", "trusted"), [("http://127.0.0.1:9", True), (None, False)])
async def test_the_environment_is_asked_only_where_a_proxy_is_set(
    monkeypatch: pytest.MonkeyPatch, proxy: str | None, trusted: bool
):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    if proxy is not None:
        monkeypatch.setenv("http_proxy", proxy)
    client = HttpClient()
    assert client.session().trust_env is trusted
    await client.close()


@pytest.mark.parametrize("variable", ["http_proxy", "HTTPS_PROXY"])
@pytest.mark.parametrize("proxy", ["nonsense", "http://", "ht!tp://x:9", "http://x:99999", "socks9://x", "10.0.0.1:80"])
def test_a_proxy_that_is_no_address_is_the_environments_fault(
    monkeypatch: pytest.MonkeyPatch, variable: str, proxy: str
):
    monkeypatch.setenv(variable, proxy)
    with pytest.raises(BrokenEnvironment, match="PROXY in the environment is no address"):
        HttpClient().session()
    with pytest.raises(BrokenEnvironment, match=f"unset {variable.upper()}"):
        refuse_bad_proxy()
