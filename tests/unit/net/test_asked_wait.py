"""What a busy server says about when to come back."""

from datetime import UTC, datetime

import pytest

from vivavoce.net.asked_wait import asked_wait

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Sun, 01 Mar 2026 11:59:00 GMT"}, 0.0),
        ({"Retry-After": "Sunday, 01-Mar-26 12:00:10 GMT"}, 10.0),
        ({"Retry-After": "Sun Mar  1 12:00:05 2026"}, 5.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "9" * 400}, None),
        ({"retry-after-ms": "9" * 400}, None),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:00 +99999999999999999999"}, None),
        ({"Retry-After": "٣"}, 3.0),
    ],
)
def test_the_wait_a_server_asks_for(headers, seconds):
    assert asked_wait(headers, NOW) == seconds
