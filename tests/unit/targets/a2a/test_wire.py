"""What is sent is what real servers took, in each of the four dialects."""

import json
from typing import Any

import pytest
from tests.fakes.a2a_recordings import recordings_of

from vivavoce.targets.a2a.files import Attachment
from vivavoce.targets.a2a.wire import (
    OUTPUT_MODES,
    Interface,
    Request,
    Said,
    Transport,
    Version,
    card_request,
    message_request,
    task_request,
    version_headers,
)

DIALECTS: dict[str, tuple[Transport, Version]] = {
    "rpc10": ("JSONRPC", "1.0"),
    "rpc03": ("JSONRPC", "0.3"),
    "rest10": ("HTTP+JSON", "1.0"),
    "rest03": ("HTTP+JSON", "0.3"),
}
BASE = {"JSONRPC": "http://h/rpc", "HTTP+JSON": "http://h/rest"}
RECORDED = recordings_of("sdk-1.3.0")


def _interface(dialect: str, **more: Any) -> Interface:
    transport, version = DIALECTS[dialect]
    return Interface(url=BASE[transport], transport=transport, version=version, **more)


def _sent(request: Request) -> Any:
    return json.loads(request.body or b"null")


def _without_ids(body: Any) -> Any:
    params = body.get("params", body)
    message = {key: value for key, value in params["message"].items() if key != "messageId"}
    return {"method": body.get("method"), **params, "message": message, "id": None, "params": None, "jsonrpc": None}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("name", "stream"), [("single.blocking", False), ("stream", True)])
def test_a_message_is_sent_as_a_server_took_it(dialect: str, name: str, stream: bool) -> None:
    # v1.0 waits unless it is told not to.
    recorded = RECORDED[f"{dialect}.{name if dialect.endswith('03') or stream else 'single'}"]
    text = "hello"
    said = Said(text=text)
    request = message_request(_interface(dialect), said, stream=stream, output_modes=OUTPUT_MODES)
    asked = _without_ids(recorded.asked)
    words = asked["message"].get("parts") or asked["message"]["content"]
    words[0]["text"] = text
    assert _without_ids(_sent(request)) == asked
    assert (request.method, request.url.removeprefix("http://h")) == (recorded.method, recorded.path)
    assert version_headers(_interface(dialect)).items() <= (recorded.headers or {}).items()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["parts.bytes", "parts.url", "parts.data"])
def test_files_and_data_are_sent_as_a_server_took_them(dialect: str, name: str) -> None:
    asked = RECORDED[f"{dialect}.{name}"].asked
    recorded = asked.get("params", asked)["message"]
    wanted = recorded.get("parts") or recorded["content"]
    if name == "parts.data":
        said = Said(text=wanted[0]["text"], data=(({"order": 17, "items": ["a", "b"]}, {}),))
        wanted = [{key: value for key, value in wanted[1].items() if key != "mediaType"}, wanted[0]]
    elif name == "parts.bytes":
        said = Said(text=wanted[0]["text"], files=(Attachment(source="data:text/plain;base64,aGk=", name="a.txt"),))
    else:
        url = "https://example.com/a.png"
        said = Said(text=wanted[0]["text"], files=(Attachment(source=url, media_type="image/png", name="a.png"),))
    sent = _sent(message_request(_interface(dialect), said, stream=False, output_modes=OUTPUT_MODES))
    message = sent.get("params", sent)["message"]
    assert _shape(message.get("parts") or message["content"]) == _shape(wanted)


def _shape(value: Any) -> Any:
    """The keys, whatever the texts below them."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    return [_shape(inner) for inner in value] if isinstance(value, list) else type(value).__name__


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_task_is_asked_for_as_a_server_took_it(dialect: str) -> None:
    recorded = RECORDED[f"{dialect}.slow.2-get"]
    request = task_request(_interface(dialect), "T")
    path, _, query = (recorded.path or "").partition("?")
    assert request.method == recorded.method
    assert not query
    if dialect.startswith("rpc"):
        sent = _sent(request)
        assert (sent["method"], sent["params"]) == (recorded.asked["method"], {"id": "T"})
    else:
        assert request.url == "http://h" + path.rpartition("/")[0] + "/T"


def test_a_tenant_is_part_of_the_path_or_of_the_parameters() -> None:
    said = Said(text="x")
    rest = message_request(_interface("rest10", tenant="t1"), said, stream=True, output_modes=OUTPUT_MODES)
    assert rest.url == "http://h/rest/t1/message:stream"
    rpc = message_request(_interface("rpc10", tenant="t1"), said, stream=True, output_modes=OUTPUT_MODES)
    assert _sent(rpc)["params"]["tenant"] == "t1"


def test_agno_has_an_address_for_every_method() -> None:
    interface = Interface(url="http://h/a2a/agents/x/v1/message:stream", transport="JSONRPC", version="0.3")
    said = Said(text="x")
    assert message_request(interface, said, stream=True, output_modes=OUTPUT_MODES).url.endswith("/v1/message:stream")
    assert message_request(interface, said, stream=False, output_modes=OUTPUT_MODES).url.endswith("/v1/message:send")
    assert task_request(interface, "T").url.endswith("/v1/tasks:get")


def test_the_card_for_callers_with_credentials() -> None:
    recorded = RECORDED["rpc10.special.extended-card"]
    assert _sent(card_request(_interface("rpc10")))["method"] == recorded.asked["method"]
    assert card_request(_interface("rest03")).url == "http://h/rest/v1/card"


def test_answers_keep_the_metadata_of_their_part_and_an_empty_line_is_still_a_message() -> None:
    said = Said(data=(({"id": "c1"}, {"adk_type": "function_response"}),), context_id="c", task_id="t")
    message = _sent(message_request(_interface("rpc10"), said, stream=False, output_modes=OUTPUT_MODES))["params"]
    assert message["message"]["parts"] == [{"data": {"id": "c1"}, "metadata": {"adk_type": "function_response"}}]
    assert (message["message"]["contextId"], message["message"]["taskId"]) == ("c", "t")
    empty = _sent(message_request(_interface("rpc03"), Said(), stream=False, output_modes=OUTPUT_MODES))["params"]
    assert empty["message"]["parts"] == [{"kind": "text", "text": ""}]
