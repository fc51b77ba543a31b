"""Addresses taken apart."""

import pytest

from vivavoce.net.http_address import http_address


@pytest.mark.parametrize(
    ("url", "host", "port", "header", "target"),
    [
        ("http://a.example", "a.example", 80, "a.example", "/"),
        ("https://a.example:443/x?y=1#z", "a.example", 443, "a.example", "/x?y=1"),
        ("http://a.example:8080/a%2Fb c", "a.example", 8080, "a.example:8080", "/a%2Fb%20c"),
        ("http://[::1]:9/", "::1", 9, "[::1]:9", "/"),
        ("http://bücher.example/", "xn--bcher-kva.example", 80, "xn--bcher-kva.example", "/"),
    ],
)
def test_an_address_has_a_host_a_port_and_a_target(url: str, host: str, port: int, header: str, target: str):
    address = http_address(url)
    assert (address.host, address.port, address.host_header, address.target) == (host, port, header, target)


@pytest.mark.parametrize("url", ["", "x", "ws://a/", "http://", "mailto:a@b"])
def test_everything_else_is_refused(url: str):
    with pytest.raises(ValueError, match="not an http"):
        http_address(url)
