"""Proxies of the environment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.sampled_from(' \t\x07\x7f%"<>\\^`{|}!*'), st.text("ab.-", max_size=3), st.text("ab.-", max_size=3))
def test_a_proxy_whose_host_is_no_name_is_refused(odd: str, before: str, behind: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("http_proxy", f"http://{before}{odd}{behind}:80")
        with pytest.raises(BrokenEnvironment):
            refuse_bad_proxy()
