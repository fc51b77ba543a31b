import pytest

from vivavoce.errors import UsageError
from vivavoce.protocols import TargetSpec
from vivavoce.targets.http_agent.kind import HTTP

SPEC = TargetSpec(id="shop", kind="http")


def check(url: object) -> None:
    assert HTTP.check_address is not None
    HTTP.check_address(SPEC, {"http": {"url": url}})


@pytest.mark.parametrize("url", ["https://host/path", "http://host/{{ session }}", "${URL}/chat", "{{ url }}", None])
def test_an_address_that_may_work_is_let_through(url: str | None):
    check(url)


@pytest.mark.parametrize("url", ["host/path", "ftp://host", "http:///path", "http://[::1", "http://{{ host }}/x"])
def test_an_address_that_can_never_work_is_refused_before_the_run(url: str):
    with pytest.raises(UsageError, match="agent 'shop': not an address: ") as caught:
        check(url)
    assert caught.value.hint == "write it like https://host/path"


def test_an_address_alone_is_answered_with_where_to_write_it():
    assert HTTP.by_reference is False
    assert HTTP.guess is not None
    assert HTTP.guess("https://host/chat") == "`http: {url: https://host/chat, …}` at an agent of viva.yaml"
    assert HTTP.guess("chat") is None
