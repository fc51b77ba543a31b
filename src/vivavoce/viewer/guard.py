"""Who may look: only a browser on this machine that was given the address with its token."""

import secrets
from collections.abc import Awaitable, Callable

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


class Guard:
    """Checks every request; `port` is known once the server listens."""

    def __init__(self, token: str) -> None:
        self._token = token
        self.port = 0

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if (refused := self._refusal(request)) is not None:
            return web.Response(status=refused, text="not here\n", headers=HEADERS)
        try:
            response = await handler(request)
        except web.HTTPException as problem:
            response = web.Response(status=problem.status, text=f"{problem.reason}\n")
        # A stream has sent its headers already, with these among them.
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    def _refusal(self, request: web.Request) -> int | None:
        """The status to refuse with.

        A request under a foreign host name comes from another site, even with the token.
        """
        own = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if request.host not in own:
            return 403
        origin = request.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in own:
            return 403
        only_looks = request.method in ("GET", "HEAD")
        if origin is None and not only_looks:
            # Requests that change something must come from the page itself; browsers send its origin.
            return 403
        site, mode = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Sec-Fetch-Mode")
        if site not in ("none", "same-origin") and not (only_looks and mode == "navigate"):
            return 403
        token = request.path.split("/")[1]
        return None if secrets.compare_digest(token.encode(), self._token.encode()) else 404
