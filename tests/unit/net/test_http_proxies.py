"""Proxies of the environment."""

import pytest

from vivavoce.errors import BrokenEnvironment
from vivavoce.net.http_address import http_address
from vivavoce.net.http_proxies import Proxies, refuse_bad_proxy


@pytest.mark.parametrize("variable", ["http_proxy", "HTTPS_PROXY"])
@pytest.mark.parametrize(
    "proxy", ["nonsense", "http://", "ht!tp://x:9", "http://x:99999", "socks5://x:9", "10.0.0.1:80"]
)
def test_a_proxy_that_is_no_address_is_the_environments_fault(
    monkeypatch: pytest.MonkeyPatch, variable: str, proxy: str
):
    monkeypatch.setenv(variable, proxy)
    with pytest.raises(BrokenEnvironment, match=f"unset {variable.upper()}"):
        refuse_bad_proxy()


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://agent.example/", "plain.example"),
        ("https://agent.example/", "secure.example"),
        ("http://inside.example:8000/", None),
        ("http://sub.inside.example/", None),
        ("http://127.0.0.1/", None),
    ],
)
def test_the_scheme_and_no_proxy_decide(monkeypatch: pytest.MonkeyPatch, url: str, proxy: str | None):
    monkeypatch.setenv("http_proxy", "http://plain.example:1")
    monkeypatch.setenv("https_proxy", "http://secure.example:2")
    monkeypatch.setenv("no_proxy", "inside.example,127.0.0.1")
    chosen = Proxies().proxy_for(http_address(url))
    assert (None if chosen is None else chosen.host) == proxy
