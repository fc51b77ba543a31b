"""Who calls an agent over HTTP, and with what options, as the headers that viva sends."""

from urllib.parse import quote

from multidict import CIMultiDict, istr

from vivavoce.model.case import CallOptions, Identity
from vivavoce.model.json_value import compact_json

# Names that know their own spelling: headers are looked up without regard to case.
SESSION, CASE = istr("X-Viva-Session"), istr("X-Viva-Case")
_READABLE = "".join(map(chr, range(32, 127))).replace("%", "")


def identity_headers(who: Identity, *, yao: bool = False) -> CIMultiDict[str]:
    """`X-Viva-User`, `X-Viva-Team`, `X-Viva-Client` and the locale; for a Yao server also its own two."""
    headers = {
        "X-Viva-User": who.user_id,
        "X-Viva-Team": who.team_id,
        "X-Viva-Client": f"{who.client_type} {who.client_ip}",
        "Accept-Language": who.locale,
    }
    if yao:
        headers |= {"X-Yao-Referer": who.referer, "X-Yao-Accept": who.accept}
    return CIMultiDict({name: header_text(value) for name, value in headers.items()})


def option_headers(options: CallOptions, connector_flag: str | None) -> dict[str, str]:
    """`X-Viva-Connector`, `X-Viva-Mode` and `X-Viva-Options`, each when it is set."""
    headers: dict[str, str] = {}
    if connector := connector_flag or options.connector:
        headers["X-Viva-Connector"] = header_text(connector)
    if options.mode:
        headers["X-Viva-Mode"] = header_text(options.mode)
    if options.search is not None or options.skip is not None:
        said = (("search", options.search), ("skip", options.skip))
        rest = {name: value for name, value in said if value is not None}
        headers["X-Viva-Options"] = header_text(compact_json(rest))
    return headers


def header_text(value: str) -> str:
    """Printable ASCII as it is, anything else percent-encoded: headers carry no more."""
    return value if value.isascii() and value.isprintable() else quote(value, safe=_READABLE)
