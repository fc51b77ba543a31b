"""What the table of assertions does not show: addresses that are none."""

import pytest
from tests.fakes.evidence import answered, check
from tests.fakes.world import server

from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec
from vivavoce.plugins.assertion_building import build_check


@pytest.mark.parametrize("url", ["localhost:80", "ftp://x/", "http://", "http://["])
def test_what_is_no_address_is_refused_at_load(url: str):
    with pytest.raises(UsageError, match="is not an address"):
        build_check(AssertionSpec(type="http", fields={"url": url}))


async def test_a_redirect_to_another_host_is_not_followed():
    verdict = await check("http", answered("x"), url=f"{server()}/away")
    assert "redirects to another host, http://198.51.100.1: nothing was sent there" in verdict.reason
