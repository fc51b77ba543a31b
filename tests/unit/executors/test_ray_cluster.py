"""Checks of a cluster's address before Ray is started."""

import socket
import sys
import time

import pytest

from vivavoce.errors import UsageError
from vivavoce.executors.ray_cluster import require_reachable
from vivavoce.plugins.catalog import EXECUTORS


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_without_ray_the_user_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"pip install 'vivavoce\[ray\]'"):
        EXECUTORS.load("ray")(1, None, None)


def test_an_address_where_nobody_answers_is_told_within_seconds():
    began = time.monotonic()
    port = unused_port()
    with pytest.raises(UsageError, match=f"no Ray cluster at 127.0.0.1:{port}: .*refused"):
        require_reachable(f"127.0.0.1:{port}")
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("address", ["ray://head:10001", "head", ":6379", "head:port", "head:²", "http://head:80"])
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(UsageError, match=r"bad address .*host:port"):
        require_reachable(address)


@pytest.mark.parametrize("address", ["127.0.0.1:99999", "head..node:1", f"head:{'9' * 5000}"])
def test_an_impossible_port_or_host_is_told(address: str):
    with pytest.raises(UsageError, match=f"no Ray cluster at {address}: "):
        require_reachable(address)


def test_a_listening_address_and_auto_are_fine():
    with socket.create_server(("127.0.0.1", 0)) as server:
        require_reachable(f"127.0.0.1:{server.getsockname()[1]}")
    require_reachable("auto")
