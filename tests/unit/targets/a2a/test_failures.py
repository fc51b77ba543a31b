"""Whose fault an exchange is that did not work, as real servers refuse requests."""

import json

import pytest
from tests.fakes.a2a_recordings import recordings_of

from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.a2a.failures import of_content, of_http_status, of_rpc_error
from vivavoce.targets.a2a.wire import Interface, Request

REQUEST = Request(method="POST", url="http://h/", name="SendMessage")
INTERFACE = Interface(url="http://h/", transport="JSONRPC", version="1.0")


@pytest.mark.parametrize(
    ("server", "name", "wrong_dialect"),
    [
        ("sdk-1.3.0", "rpc10.bad.own-no-header", True),
        ("sdk-0.3.26", "rpc03.bad.other-version-header", True),
        ("strands-1.62.0", "rpc03.bad.other-version-header", True),
        ("sdk-0.2.16", "rpc03.bad.other-version-header", True),
        ("sdk-1.3.0", "rpc10.turns.3-finished-task", False),
        ("strands-1.62.0", "rpc03.approval.2-answer", False),
    ],
)
def test_a_refused_request_is_the_set_ups_fault(server: str, name: str, wrong_dialect: bool) -> None:
    error = json.loads(recordings_of(server)[name].answer)["error"]
    failure = of_rpc_error(error, REQUEST, INTERFACE)
    assert (failure.status, failure.is_wrong_dialect) == (ExchangeStatus.PROTOCOL_ERROR, wrong_dialect)
    assert error["message"] in failure.error


@pytest.mark.parametrize(
    ("name", "told"), [("message/stream", True), ("SendStreamingMessage", True), ("message/send", False)]
)
def test_a_server_without_the_streams_its_card_promises_is_asked_without(name: str, told: bool) -> None:
    request = Request(method="POST", url="http://h/", name=name)
    failure = of_rpc_error({"code": -32004, "message": "streaming not supported"}, request, INTERFACE)
    assert ("write `stream: false` at the agent" in failure.error) is told


def test_an_internal_error_is_the_agents() -> None:
    failure = of_rpc_error({"code": -32603, "message": "KeyError"}, REQUEST, INTERFACE)
    assert (failure.status, failure.error) == (ExchangeStatus.ERROR, "the agent answered with error -32603: KeyError")
    told = json.dumps({"error": {"code": 500, "message": "unknown exception"}}).encode()
    assert of_http_status(500, told, REQUEST).status is ExchangeStatus.ERROR
    assert of_http_status(500, b"Internal Server Error", REQUEST).status is ExchangeStatus.HTTP_ERROR


def test_a_login_that_is_missing_says_where_credentials_belong() -> None:
    recorded = recordings_of("sdk-1.3.0-auth")["rpc10.no-token"]
    failure = of_http_status(recorded.status or 0, recorded.answer.encode(), REQUEST)
    assert failure.error.startswith("HTTP 401 to SendMessage: unauthorized (credentials belong under `headers`")


def test_a_dialect_that_is_no_a2a_is_named() -> None:
    recorded = next(
        each
        for each in recordings_of("python-a2a-0.5.10").values()
        if (each.status or 0) >= 500 and '"type"' in each.answer and '"parts"' in each.answer
    )
    failure = of_http_status(recorded.status or 0, recorded.answer.encode(), REQUEST)
    assert "a dialect of its own, such as python-a2a's `tasks/send`" in failure.error


def test_what_is_no_json_is_quoted() -> None:
    failure = of_content(200, "text/html", b"<html>")
    assert failure.error.startswith("HTTP 200 with content type 'text/html' instead of JSON: ")
