"""An HTTP agent's request: templates filled in with the line, the conversation and who calls."""

import base64
import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct
from yarl import URL

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, map_texts, text_of
from vivavoce.model.message import Content, ContentPart
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.notation.templates import TemplateProblem, fill_value, is_template
from vivavoce.project.redaction import Secrets
from vivavoce.project.variables import interpolate
from vivavoce.targets.http_agent.kind import HttpCall
from vivavoce.wording.quoting import shorten

_REFERENCE = re.compile(r"\$?\$\{[^{}]*\}")
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"


class Request(Struct, frozen=True):
    """What goes over the wire."""

    method: str
    url: URL
    headers: dict[str, str]
    body: bytes | None


class RequestWriter:
    """Writes the requests of one conversation. Variables are put in once; what they hold is never a template."""

    def __init__(self, call: HttpCall, variables: Mapping[str, JsonValue], secrets: Secrets) -> None:
        self._call = call
        self._bound: JsonObject = {}

        def bound(text: str) -> str:
            def name_of(reference: re.Match[str]) -> str:
                name = f"viva_variable_{len(self._bound)}"
                self._bound[name] = interpolate(reference[0], variables, secrets)
                return f"{{{{ {name} }}}}"

            return _REFERENCE.sub(name_of, text) if "${" in text else text

        self._url: str = bound(call.url)
        self._headers: dict[str, str] = map_texts(call.headers, bound)
        self._query: JsonObject = map_texts(call.query, bound)
        self._body: JsonValue = map_texts(call.body, bound)
        for name, written in call.headers.items():
            if not is_template(written):
                secrets.add_header(self._text(self._headers[name], {}))

    def request(self, names: JsonObject) -> Request:
        """Raises CallFailed, as the test's fault, when a template cannot be filled in."""
        known = {**names, **self._bound}
        headers = {name: self._text(value, known) for name, value in self._headers.items()}
        refuse_unsendable(headers, "the agent's headers")
        return Request(self._call.method, self._address(known), headers, self._content(known, headers))

    def _address(self, known: JsonObject) -> URL:
        # What the user says must not end the path or add parameters; a base address from a variable may.
        encoded = map_texts(known, lambda text: quote(text, safe="")) if is_template(self._url) else known
        text = self._text(self._url, {**encoded, **self._bound})
        if re.search(r"\s", text):
            raise CallFailed(f"the address has white space in it: {shorten(repr(text), 200)}", fault="test")
        url = URL(text)
        given = {name: self._filled(value, known) for name, value in self._query.items()}
        return url.extend_query({name: text_of(value) for name, value in given.items() if value is not None})

    def _content(self, known: JsonObject, headers: dict[str, str]) -> bytes | None:
        """The body; `headers` gain its content type unless they have one."""
        if self._body is None:
            return None
        kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
        value = self._filled(self._body, known)
        if _FORM in kind.lower() and is_object(value):
            return urlencode({name: text_of(inner) for name, inner in value.items() if inner is not None}).encode()
        content = text_of(value).encode() if isinstance(self._body, str) else msgspec.json.encode(value)
        if not kind:
            kind = headers["Content-Type"] = _JSON if self._is_json(value) else "text/plain; charset=utf-8"
        if "json" in kind.lower() and isinstance(self._body, str):
            _require_json(content)
        return content

    def _is_json(self, filled: JsonValue) -> bool:
        """Whether a body without a content type is JSON. `{{ message }}` alone is a text, whatever the user says."""
        if not isinstance(self._body, str) or not isinstance(filled, str):
            return True
        written = self._body.lstrip()
        if written.startswith(("{{", "{%")):
            return "tojson" in written
        return written.startswith(("{", "["))

    def _text(self, written: str, known: JsonObject) -> str:
        return text_of(self._filled(written, {**known, **self._bound}))

    def _filled(self, value: JsonValue, known: JsonObject) -> JsonValue:
        try:
            return fill_value(value, known)
        except TemplateProblem as problem:
            raise CallFailed(f"the request cannot be written: {problem}", fault="test") from None


def _require_json(content: bytes) -> None:
    try:
        msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        raise CallFailed(
            f"the request's body is no JSON once it is filled in ({error}): {shorten(repr(content.decode()), 200)}",
            fault="test",
            hint="write {{ message | tojson }} without quotes around it, or the body as YAML",
        ) from None


def attachments(content: Content) -> list[JsonObject]:
    """The files of a line: `type`, `name`, `media_type`, and `data` (base64) or `url`."""
    if isinstance(content, str):
        return []
    return [_attachment(part) for part in content if part.get("type") != "text"]


def _attachment(part: ContentPart) -> JsonObject:
    kind = str(part.get("type"))
    inner: JsonValue = part.get(kind)
    told = inner if is_object(inner) else {"url": inner}
    name: JsonValue = told.get("filename") or told.get("name")
    if kind == "input_audio":
        media_type, data = f"audio/{told.get('format') or 'wav'}", told.get("data")
        return {"type": "audio", "name": name, "media_type": media_type, "data": data, "url": None}
    url = str(told.get("file_data") or told.get("url") or "")
    head, comma, data = url.removeprefix("data:").partition(",")
    inline = url.startswith("data:") and bool(comma)
    if inline and not head.endswith(";base64"):
        data = base64.b64encode(data.encode()).decode()
    return {
        "type": "image" if kind == "image_url" else kind,
        "name": name,
        "media_type": head.removesuffix(";base64") if inline else None,
        "data": data if inline else None,
        "url": url,
    }
